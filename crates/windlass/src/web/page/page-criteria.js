// Criterion × test × commit: what was asked, which tests stand for it, whether they bite, and which commit carries it.

import { h, heads, put } from "./dom.js";
import { ask, store } from "./store.js";
import { LINK_SOURCES, STANDINGS, badge, broken, coded, taskLink } from "./words.js";

export const title = () => "Criteria";
const PIECE = 200;

export function show(root) {
  let all = [];
  let only = "";
  let shown = PIECE;
  let late = null;
  let stopped = false;
  const chips = h("div", { class: "chips", role: "group", "aria-label": "How they stand" });
  const rows = h("tbody", {});
  const more = h("p", {});
  const empty = h("p", { class: "empty", hidden: true }, "The plan names no criteria, or it was never run.");
  const table = h(
    "div",
    { class: "wide" },
    h(
      "table",
      { class: "plain criteria-table", "aria-label": "Criteria" },
      heads(["Criterion", "Stands", "Tests", "Bite", "Tasks", "Commits"]),
      rows,
    ),
  );
  root.append(
    h("h1", {}, "Criteria"),
    h(
      "p",
      { class: "muted" },
      "Proved: tests that stand for it were red, are green and bite. Held: it was true before. Merged: only its task is. Open: not yet.",
    ),
    chips,
    table,
    empty,
    more,
  );

  function draw() {
    const count = (name) => all.filter((c) => c.standing === name).length;
    put(
      chips,
      Object.keys(STANDINGS).map((name) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": String(only === name),
            onclick: () => {
              only = only === name ? "" : name;
              shown = PIECE;
              draw();
            },
          },
          badge(STANDINGS, name),
          h("span", { class: "num" }, String(count(name))),
        ),
      ),
    );
    const fits = all.filter((c) => !only || c.standing === only);
    empty.hidden = all.length > 0;
    table.hidden = !all.length;
    put(
      rows,
      fits.slice(0, shown).map((c) =>
        h(
          "tr",
          { data: { item: "1" } },
          h(
            "td",
            {},
            h("span", { class: "id" }, c.criterion),
            " ",
            coded(c.text),
            (c.traces || []).length ? h("small", { class: "block muted" }, c.traces.join(", ")) : null,
          ),
          h(
            "td",
            {},
            badge(STANDINGS, c.standing),
            c.by ? h("small", { class: "block muted" }, `by ${LINK_SOURCES[c.by] || c.by}`) : null,
          ),
          h(
            "td",
            {},
            c.tests.slice(0, 6).map((t) => h("code", { class: "block" }, broken(t))),
            c.tests.length > 6 ? h("small", { class: "muted" }, `and ${c.tests.length - 6} more`) : null,
            c.tests.length ? null : h("span", { class: "muted" }, "none"),
          ),
          h("td", { class: "whole" }, { yes: "✓ yes", no: "✗ no", unknown: "○ unknown" }[c.bites] || c.bites),
          h(
            "td",
            { class: "whole" },
            c.tasks.map((t) => h("a", { class: "id block", href: taskLink(t) }, t)),
            c.tasks.length ? null : h("b", { class: "bad" }, "no task"),
          ),
          h(
            "td",
            { class: "whole" },
            (c.commits || []).map((k) => h("code", { class: "block" }, k)),
          ),
        ),
      ),
    );
    put(
      more,
      fits.length > shown
        ? h(
            "button",
            {
              type: "button",
              onclick: () => {
                shown += PIECE;
                draw();
              },
            },
            `Show more (${fits.length - shown})`,
          )
        : null,
    );
  }
  async function load() {
    const doc = await ask("/api/criteria");
    if (stopped) return;
    all = doc.criteria;
    draw();
  }
  const deaf = store.listen((change) => {
    if (change.link || late) return;
    if (change.reload || (change.rows || []).some((r) => r.state === "completed"))
      late = setTimeout(() => {
        late = null;
        load().catch(() => {});
      }, 500);
  });
  load().catch((error) => put(more, error.message));
  return {
    stop() {
      stopped = true;
      deaf();
      clearTimeout(late);
    },
  };
}
