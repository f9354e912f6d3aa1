// What a person may ask of the run. Every button leaves a wish, as the command line does.

import { h } from "./dom.js";
import { store, wish } from "./store.js";

const LABELS = {
  approve: "Approve",
  answer: "Answer…",
  retry: "Retry",
  cancel: "Stop attempt",
  skip: "Skip…",
  reopen: "Reopen…",
};

/** A short message at the edge of the page. */
export function toast(text, bad) {
  const box = document.getElementById("toasts");
  const note = h(
    "div",
    { class: bad ? "toast bad" : "toast" },
    h("span", { "aria-hidden": "true" }, bad ? "✗ " : "✓ "),
    text,
  );
  box.append(note);
  setTimeout(() => note.remove(), bad ? 9000 : 5000);
}

/** Leaves a wish and says what became of it. */
export async function leave(body) {
  try {
    toast((await wish(body)).said);
    return true;
  } catch (error) {
    toast([error.message, ...(error.hints || [])].join(" · "), true);
    return false;
  }
}

/** Asks before something is done. Resolves to the text, "" for a plain yes, or null. */
export function asked({ title, text, label, field, hint }) {
  return new Promise((done) => {
    const input = field ? h("textarea", { rows: "4", "aria-label": field, placeholder: hint || "" }) : null;
    const yes = h("button", { type: "submit", class: "primary" }, label);
    const no = h("button", { type: "button" }, "Leave it");
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", {}, title),
      text ? h("p", {}, text) : null,
      input,
      h("div", { class: "row end" }, no, yes),
    );
    const box = h("dialog", { "aria-label": title }, form);
    let said = null;
    no.addEventListener("click", () => box.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input && !input.value.trim()) return input.focus();
      said = input ? input.value.trim() : "";
      box.close();
    });
    box.addEventListener("close", () => {
      box.remove();
      done(said);
    });
    document.body.append(box);
    box.showModal();
    (input || no).focus();
  });
}

async function act(offer, task, item) {
  if (offer === "skip") {
    const text = "Tasks that depend on it are skipped, too. Retry brings it back.";
    return (await asked({ title: `Skip ${task}?`, text, label: "Skip" })) !== null && leave({ wish: "skip", task });
  }
  if (offer === "cancel") {
    const text = "Its work is kept. Retry continues it in this run; the next run does so by itself.";
    return (
      (await asked({ title: `Stop the attempt at ${task}?`, text, label: "Stop" })) !== null &&
      leave({ wish: "cancel", task })
    );
  }
  if (offer === "reopen") {
    const said = await asked({
      title: `Reopen ${task}`,
      text: "It is carried out again on top of the branch.",
      field: "What is wrong",
      hint: "What is wrong? The agents work from it.",
      label: "Reopen",
    });
    return said !== null && leave({ wish: "reopen", task, because: said });
  }
  if (offer === "answer") {
    const said = await asked({
      title: `Answer ${task}`,
      text: item?.text,
      field: "Your answer",
      hint: "The next turn goes on with it.",
      label: "Answer",
    });
    return said !== null && leave({ wish: "answer", task, text: said });
  }
  if (offer === "approve" && item?.files?.length) {
    const text = `It gets ${item.files.join(", ")}, and starts again.`;
    return (
      (await asked({ title: `Give ${task} these files?`, text, label: "Give" })) !== null &&
      leave({ wish: "approve", task, files: item.files })
    );
  }
  return leave({ wish: offer, task });
}

/** Buttons for what may be asked of a task. */
export function offerButtons(offers, task, item) {
  return (offers || []).map((offer, at) =>
    h(
      "button",
      {
        type: "button",
        class: at === 0 && offer !== "skip" && offer !== "cancel" && offer !== "reopen" ? "primary" : "",
        data: { keep: offer },
        "aria-label": `${LABELS[offer].replace("…", "")} ${task}`,
        onclick: () => act(offer, task, item),
      },
      LABELS[offer],
    ),
  );
}

/** Buttons for the run as a whole. */
export function runButtons(head) {
  const button = (label, title, go, kind) =>
    h("button", { type: "button", class: kind || "", title, onclick: go, data: { keep: label } }, label);
  if (head.state === "running") {
    return [
      button("Pause", "Start nothing new; running work goes on", () => leave({ wish: "pause" })),
      button("Cancel…", "Stop the run; finished work is kept", cancel, "quiet"),
    ];
  }
  if (head.state === "paused") {
    return [
      button("Resume", "Go on", () => leave({ wish: "resume" }), "primary"),
      button("Cancel…", "Stop the run; finished work is kept", cancel, "quiet"),
    ];
  }
  return [];
}

async function cancel() {
  const text = "Attempts at work are ended; finished work is kept. `windlass run` goes on later.".replaceAll("`", "");
  if ((await asked({ title: "Cancel the run?", text, label: "Cancel the run" })) !== null)
    await leave({ wish: "cancel" });
}

/** Pause or resume, by the key. */
export function togglePause() {
  const state = store.doc?.head.state;
  if (state === "running") leave({ wish: "pause" });
  if (state === "paused") leave({ wish: "resume" });
}
