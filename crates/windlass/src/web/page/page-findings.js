// What `windlass check` finds in the plan as it is on disk now.

import { h, put } from "./dom.js";
import { ask } from "./store.js";
import { badge, coded, counted, taskLink } from "./words.js";

export const title = () => "Findings";

const KINDS = { error: ["✗", "error", "bad"], warning: ["!", "warning", "warn"], note: ["i", "note", "idle"] };

export function show(root) {
  const facts = h("p", { class: "muted", role: "status" }, "Checking the plan…");
  const list = h("div", {});
  let stopped = false;
  let shown = 200;
  root.append(
    h(
      "div",
      { class: "row" },
      h("h1", {}, "Findings"),
      h("span", { class: "row end" }, h("button", { type: "button", onclick: load }, "Check again")),
    ),
    facts,
    list,
  );

  async function load() {
    try {
      const doc = await ask("/api/findings");
      if (stopped) return;
      const { errors, warnings, notes } = doc.summary;
      facts.textContent = `${counted(doc.plan.tasks, "task")} read as ${doc.plan.dialect}: ${counted(errors, "error")}, ${counted(warnings, "warning")}, ${counted(notes, "note")}`;
      draw(doc.diagnostics);
    } catch (error) {
      facts.textContent = [error.message, ...(error.hints || [])].join(" · ");
    }
  }

  function draw(all) {
    put(
      list,
      all.length ? all.slice(0, shown).map(one) : h("p", { class: "calm" }, "Nothing to say about this plan."),
      all.length > shown
        ? h(
            "button",
            {
              type: "button",
              onclick: () => {
                shown += 400;
                draw(all);
              },
            },
            `Show more (${all.length - shown})`,
          )
        : null,
    );
  }
  load();
  return {
    stop() {
      stopped = true;
    },
  };
}

function one(f) {
  return h(
    "article",
    { class: `card ${KINDS[f.severity]?.[2] || ""}`, data: { item: "1" }, tabindex: "-1" },
    h(
      "div",
      { class: "card-head" },
      badge(KINDS, f.severity),
      h("code", {}, f.code),
      f.task ? h("a", { class: "id", href: taskLink(f.task) }, f.task) : null,
      f.file ? h("span", { class: "muted" }, `${f.file}:${f.line}:${f.column}`) : null,
    ),
    h("p", {}, coded(f.message)),
    f.help ? h("p", { class: "muted" }, coded(f.help)) : null,
    (f.related || []).map((r) => h("p", { class: "muted" }, `${r.label}: ${r.file}:${r.line}`)),
  );
}
