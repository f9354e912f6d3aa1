// What was asked beside what will be done: lines of the documents, and the tasks that serve them.

import { h, put } from "./dom.js";
import { ask } from "./store.js";
import { coded, counted, stateBadge, taskLink } from "./words.js";

export const title = () => "Review";

export function show(root) {
  const facts = h("p", { class: "muted", role: "status" }, "Reading the documents…");
  const body = h("div", { class: "review" });
  let stopped = false;
  root.append(h("h1", {}, "Review"), facts, body);
  load();
  return {
    stop() {
      stopped = true;
    },
  };

  async function load() {
    try {
      const doc = await ask("/api/review");
      if (!stopped) draw(doc);
    } catch (error) {
      facts.textContent = [error.message, ...(error.hints || [])].join(" · ");
    }
  }

  function draw(doc) {
    const lost = doc.tasks.filter((t) => !t.placed).length;
    const read = doc.documents.filter((d) => d.found).length;
    facts.textContent = doc.documents.length
      ? `${counted(read, "document")}, ${counted(doc.tasks.length, "task")}${lost ? `; ${lost} of them without a line here` : ""}`
      : `The plan names no documents; these are its ${counted(doc.tasks.length, "task")}.`;
    const tasks = h(
      "div",
      { class: "review-tasks" },
      doc.tasks.slice(0, 500).map((task, at) => taskCard(task, at)),
      doc.tasks.length > 500 ? h("p", { class: "muted" }, `and ${doc.tasks.length - 500} more`) : null,
    );
    const papers = h(
      "div",
      { class: "papers" },
      doc.documents.map((one) => paper(one, doc.tasks)),
    );
    put(body, doc.documents.length ? papers : null, tasks);
    body.classList.toggle("alone", !doc.documents.length);
  }

  function light(at) {
    for (const node of body.querySelectorAll(".lit")) node.classList.remove("lit");
    for (const node of body.querySelectorAll(`[data-tasks~="${at}"]`)) node.classList.add("lit");
    const card = body.querySelector(`[data-task="${at}"]`);
    card?.classList.add("lit");
    return card;
  }

  function taskCard(task, at) {
    return h(
      "article",
      {
        class: `card ${task.placed ? "" : "warn"}`,
        data: { task: String(at), item: "1" },
        onmouseenter: () => light(at),
        onfocusin: () => light(at),
      },
      h(
        "div",
        { class: "card-head" },
        task.state ? stateBadge(task.state, true) : null,
        h("a", { class: "id", href: taskLink(task.id) }, task.id),
        h("span", { class: "title" }, task.title),
      ),
      task.objective ? h("p", {}, coded(task.objective)) : null,
      task.criteria.length
        ? h(
            "ul",
            {},
            task.criteria
              .slice(0, 8)
              .map(([id, text]) => h("li", {}, h("span", { class: "id" }, id), " ", coded(text))),
          )
        : null,
      task.files.length
        ? h(
            "p",
            { class: "muted" },
            task.files.slice(0, 6).map((f) => h("code", {}, f)),
            task.files.length > 6 ? ` and ${task.files.length - 6} more` : "",
          )
        : null,
      task.placed ? null : h("p", { class: "warn" }, "○ no line of the documents names what it serves"),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => {
            light(at);
            body.querySelector(`.paper-line[data-tasks~="${at}"]`)?.scrollIntoView({ block: "center" });
          },
        },
        "Show its lines",
      ),
    );
  }

  function paper(one, tasks) {
    return h(
      "section",
      { class: "paper" },
      h("h2", {}, h("code", {}, one.path)),
      one.found
        ? one.lines.map((line, nth) =>
            h(
              "div",
              {
                class: `paper-line ${/^#+ /.test(line.text) ? "heading" : ""} ${line.tasks ? "served" : ""}`,
                data: { tasks: (line.tasks || []).join(" ") },
              },
              h("span", { class: "ln", "aria-hidden": "true" }, String(nth + 1)),
              h("span", { class: "grow" }, line.text || " "),
              (line.tasks || []).length
                ? h(
                    "span",
                    { class: "served-by" },
                    line.tasks.slice(0, 6).map((at) =>
                      h(
                        "a",
                        {
                          class: "chip small",
                          href: taskLink(tasks[at].id),
                          onmouseenter: () => light(at),
                          onfocus: () => light(at),
                        },
                        tasks[at].id,
                      ),
                    ),
                    line.tasks.length > 6 ? h("small", { class: "muted" }, `+${line.tasks.length - 6}`) : null,
                  )
                : null,
            ),
          )
        : h("p", { class: "empty" }, "This document is not in the checkout."),
    );
  }
}
