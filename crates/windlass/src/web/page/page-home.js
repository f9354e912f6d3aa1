// What needs a person, first; then what is at work, the phases, and what was merged last.

import { h, keyed, put } from "./dom.js";
import { store } from "./store.js";
import { NEEDS, badge, coded, counted, money, short, stateBadge, strip, taskLink, time } from "./words.js";
import { offerButtons } from "./steer.js";

export const title = () => "Attention";

const SHOWN = 8;

export function show(root) {
  const urgent = h("div", { class: "cards" });
  const urgentHead = h("h1", {});
  const more = h("p", { class: "muted" });
  const work = h("div", { class: "list" });
  const workHead = h("h2", {});
  const workMore = h("p", { class: "muted" });
  const phases = h("div", { class: "phases" });
  const phasesBox = h("section", {}, h("h2", {}, "Phases"), phases);
  const merged = h("div", { class: "list" });
  const mergedBox = h("section", {}, h("h2", {}, "Merged last"), merged);
  const workBox = h("section", {}, workHead, work, workMore);
  root.append(
    h("section", {}, urgentHead, urgent, more),
    h("div", { class: "columns" }, workBox, h("div", {}, phasesBox, mergedBox)),
  );

  const draw = () => {
    const { attention, running, head } = store.doc;
    urgentHead.textContent = attention.total
      ? `${counted(attention.total, "thing")} need${attention.total === 1 ? "s" : ""} you`
      : "Nothing needs you";
    if (attention.total) keyed(urgent, attention.items, (i) => `${i.task || ""}${i.task ? "" : i.text}`, card);
    else {
      urgent.keyedRows = null;
      put(urgent, calm(head));
    }
    const rest = attention.total - attention.items.length;
    more.textContent = rest > 0 ? `and ${rest.toLocaleString("en")} more; Tasks lists all of them` : "";
    workBox.hidden = !running.length;
    workHead.textContent = `At work (${running.length})`;
    keyed(work, running.slice(0, SHOWN), (r) => r.id, workRow);
    workMore.textContent = running.length > SHOWN ? `and ${running.length - SHOWN} more at work` : "";
    const top = store.doc.phases.map((p, at) => ({ ...p, at })).filter((p) => p.up === undefined);
    phasesBox.hidden = !top.length;
    keyed(phases, top, (p) => p.id, phaseRow);
    mergedBox.hidden = !store.doc.merged.length;
    keyed(merged, store.doc.merged, (r) => r.id, mergedRow);
  };
  const tick = setInterval(() => {
    for (const node of work.querySelectorAll("[data-began]")) {
      node.textContent = time(Number(node.dataset.worked) + store.now() - Number(node.dataset.began));
    }
  }, 1000);
  const deaf = store.listen((change) => {
    if (!change.link) draw();
  });
  draw();
  return {
    stop() {
      deaf();
      clearInterval(tick);
    },
  };
}

function calm(head) {
  if (head.state === "new") {
    return h(
      "div",
      { class: "card calm" },
      h("p", {}, `The plan ${head.plan} was never run. Begin in a terminal:`),
      h("pre", {}, "windlass check\nwindlass run"),
      h("p", { class: "muted" }, "This page follows by itself."),
    );
  }
  const left = head.counts.total - head.counts.completed - head.counts.skipped;
  const text =
    {
      running: `${counted(left, "task")} to go.`,
      paused: "The run is paused: nothing new starts until it is resumed.",
      completed:
        "Everything wanted is merged. `windlass land` brings the branch home; `windlass report` says what was proved.",
      lost: "The coordinator ended without a word. `windlass run` goes on.",
      interrupted: "The run was stopped. `windlass run` goes on.",
      cancelled: "The run was cancelled. `windlass run` goes on.",
    }[head.state] || "`windlass run` goes on.";
  return h("p", { class: "calm" }, coded(text));
}

function card(item) {
  return h(
    "article",
    { class: `card ${NEEDS[item.need]?.[2] || ""}`, data: { item: "1" }, tabindex: item.task ? undefined : "-1" },
    h(
      "div",
      { class: "card-head" },
      badge(NEEDS, item.need),
      item.task ? h("a", { class: "id", href: taskLink(item.task) }, item.task) : null,
      h("span", { class: "title" }, item.title || ""),
    ),
    h("p", {}, coded(item.text)),
    item.evidence ? h("pre", { class: "evidence" }, item.evidence) : null,
    h(
      "div",
      { class: "row" },
      offerButtons(item.offers, item.task, item),
      item.next ? h("span", { class: "muted" }, coded(item.next)) : null,
    ),
  );
}

function workRow(row) {
  const usage = [row.cost_usd !== undefined ? money(row.cost_usd) : "", row.tokens ? short(row.tokens) : ""]
    .filter(Boolean)
    .join(" · ");
  return h(
    "a",
    { class: "item", href: taskLink(row.id), data: { item: "1" } },
    stateBadge(row.state, true),
    h("span", { class: "id" }, row.id),
    h(
      "span",
      { class: "grow" },
      h("span", { class: "title" }, row.title),
      h(
        "small",
        { class: "doing" },
        [row.doing || row.step?.replaceAll("_", " "), row.attempt > 1 ? `attempt ${row.attempt}` : "", row.agent]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    strip(row.steps),
    h(
      "span",
      { class: "num" },
      row.began
        ? h("span", { data: { began: row.began, worked: row.worked } }, time(store.worked(row)))
        : time(row.worked),
      usage ? h("small", {}, usage) : null,
    ),
  );
}

export function tally(phase) {
  const names = ["completed", "at work", "stuck", "pending"];
  const tones = ["good", "work", "bad", "none"];
  const words = phase.tally
    .map((n, at) => (n ? `${n} ${names[at]}` : ""))
    .filter(Boolean)
    .join(", ");
  return h(
    "div",
    { class: "bar", role: "img", "aria-label": words, title: words },
    phase.tally.slice(0, 3).map((n, at) => {
      const part = h("i", { class: tones[at] });
      part.style.width = `${(n * 100) / (phase.tasks || 1)}%`;
      return part;
    }),
  );
}

function phaseRow(phase) {
  return h(
    "a",
    { class: "phase", href: `#/table?phase=${phase.at}`, data: { item: "1" } },
    h(
      "span",
      { class: "row" },
      stateBadge(phase.state, true),
      h("span", { class: "title grow" }, phase.title || phase.id),
      h("span", { class: "num" }, `${phase.tally[0]} / ${phase.tasks}`),
    ),
    tally(phase),
  );
}

function mergedRow(row) {
  return h(
    "a",
    { class: "item", href: taskLink(row.id), data: { item: "1" } },
    stateBadge(row.state, true),
    h("span", { class: "id" }, row.id),
    h("span", { class: "title grow" }, row.title),
    h("code", {}, row.commit || ""),
  );
}
