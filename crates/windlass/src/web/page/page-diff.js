// What a task changed, file by file, in the colours of its language.

import { h, put } from "./dom.js";
import { ask } from "./store.js";
import { counted } from "./words.js";

const SHOWN = 400;

export function show(body, id) {
  const of = h("select", { "aria-label": "Which change" });
  const facts = h("span", { class: "muted" });
  const files = h("div", {});
  body.append(h("div", { class: "tools" }, of, facts), files);
  let turn = 0;

  async function load(which) {
    const mine = (turn += 1);
    try {
      const doc = await ask("/api/diff", { id, of: which });
      if (mine !== turn) return;
      put(
        of,
        doc.choices.map((name) =>
          h("option", { value: name, selected: name === doc.shown }, name === "merged" ? "as merged" : `attempt ${name}`),
        ),
      );
      const sum = (key) => doc.files.reduce((n, f) => n + f[key], 0);
      facts.textContent = `${counted(doc.files.length + doc.left_out, "file")}, +${sum("added")} −${sum("removed")}, ${doc.from}…${doc.to}`;
      put(
        files,
        doc.files.map(file),
        doc.left_out ? h("p", { class: "muted" }, `and ${counted(doc.left_out, "file")} more`) : null,
      );
    } catch (error) {
      if (mine !== turn) return;
      of.hidden = !of.children.length;
      put(files, h("p", { class: "empty" }, error.message));
    }
  }
  of.addEventListener("change", () => load(of.value));
  load("");
  return {
    stop() {
      turn += 1;
    },
  };
}

function file(one) {
  const lines = one.hunks.reduce((n, hunk) => n + hunk.lines.length, 0);
  const body = h("div", { class: "diff", role: "table", "aria-label": `Change of ${one.path}`, tabindex: "0" });
  const fill = (most) => {
    let left = most;
    const made = [];
    for (const hunk of one.hunks) {
      if (left <= 0) break;
      const first = hunk.lines[0]?.at || [];
      // Nothing is left out above the first line of a file.
      if (hunk.within || Math.max(first[0] || 0, first[1] || 0) > 1)
        made.push(h("div", { class: "hunk", role: "row" }, h("span", { role: "cell" }, hunk.within || "⋯")));
      made.push(...hunk.lines.slice(0, left).map(line));
      left -= hunk.lines.length;
    }
    put(
      body,
      made,
      lines > most
        ? h("button", { type: "button", onclick: () => fill(Infinity) }, `show ${counted(lines - most, "more line")}`)
        : null,
    );
  };
  if (one.hunks.length) fill(SHOWN);
  else
    put(
      body,
      h(
        "p",
        { class: "empty" },
        one.added + one.removed ? "too many lines to show" : "no lines to show: binary, empty or only its mode",
      ),
    );
  return h(
    "details",
    { class: "file", open: true },
    h(
      "summary",
      {},
      h("code", {}, one.path),
      h("span", { class: "muted" }, one.kind),
      h("span", { class: "good num" }, `+${one.added}`),
      h("span", { class: "bad num" }, `−${one.removed}`),
    ),
    body,
  );
}

const WORDS = { "+": "added", "-": "removed", " ": "unchanged" };

function line(one) {
  const kind = { "+": "add", "-": "del" }[one.side] || "";
  return h(
    "div",
    { class: `line ${kind}`, role: "row" },
    h(
      "span",
      { class: "ln", role: "cell", "aria-label": `${WORDS[one.side]} line ${one.at[1] || one.at[0]}` },
      one.at[0] ? String(one.at[0]) : "",
    ),
    h("span", { class: "ln", "aria-hidden": "true" }, one.at[1] ? String(one.at[1]) : ""),
    h("span", { class: "side", "aria-hidden": "true" }, one.side),
    h(
      "code",
      { role: "cell" },
      one.pieces.map(([text, token]) => (token ? h("span", { class: `tk-${token}` }, text) : text)),
    ),
  );
}
