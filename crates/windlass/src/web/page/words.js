// How things are called and written: states, times, money. Never by colour alone.

import { h } from "./dom.js";

/** Per state: the mark, the word, the name of its colour. */
export const STATES = {
  pending: ["○", "pending", "idle"],
  in_progress: ["▶", "at work", "work"],
  testing: ["◐", "verifying", "test"],
  test_failed: ["↻", "refused", "warn"],
  completed: ["✓", "completed", "good"],
  failed: ["✗", "failed", "bad"],
  blocked: ["■", "needs you", "ask"],
  skipped: ["–", "skipped", "idle"],
};

export const LETTERS = {
  p: "pending",
  i: "in_progress",
  t: "testing",
  r: "test_failed",
  c: "completed",
  f: "failed",
  b: "blocked",
  s: "skipped",
};

/** Per state of the run: the mark, the word, the colour. */
export const RUNS = {
  new: ["○", "never run", "idle"],
  running: ["▶", "running", "work"],
  paused: ["‖", "paused", "warn"],
  completed: ["✓", "completed", "good"],
  stuck: ["■", "stuck", "bad"],
  interrupted: ["‖", "interrupted", "warn"],
  cancelled: ["–", "cancelled", "idle"],
  budget_spent: ["■", "budget spent", "ask"],
  broken: ["✗", "broken", "bad"],
  lost: ["✗", "lost: `windlass run` goes on", "bad"],
};

export const NEEDS = {
  question: ["?", "question", "ask"],
  approval: ["◇", "approval", "ask"],
  files: ["+", "files", "ask"],
  decision: ["■", "decision", "ask"],
  run: ["‖", "the run", "warn"],
  failed: ["✗", "failed", "bad"],
  stale: ["≠", "plan changed", "warn"],
};

export const STANDINGS = {
  proved: ["✓", "proved", "good"],
  held: ["✓", "held", "good"],
  merged: ["~", "merged", "warn"],
  open: ["○", "open", "idle"],
};

/** What says that a test stands for a criterion. */
export const LINK_SOURCES = {
  plan: "the plan",
  answer: "the test-writer's answer",
  name: "the test's name",
  "only-criterion": "the only criterion of its task",
};

const STEPS = {
  w: "write test",
  r: "verify red",
  i: "implement",
  g: "verify green",
  x: "refactor",
  f: "format",
  c: "commit",
};
const STEP_STATES = {
  ".": ["·", "pending"],
  ">": ["▶", "running"],
  "+": ["✓", "passed"],
  "!": ["✗", "failed"],
  "-": ["–", "skipped"],
};

/** A mark and a word. */
export function badge(table, name, small) {
  const [mark, word, tone] = table[name] || ["·", String(name), "idle"];
  return h(
    "span",
    { class: `badge ${tone}`, title: small ? word : undefined },
    h("span", { class: "mark", "aria-hidden": "true" }, mark),
    h("span", { class: small ? "hidden" : "" }, word),
  );
}

export const stateBadge = (state, small) => badge(STATES, state, small);

/** Steps in a strip: a mark each, and in words for those who hear it. */
export function strip(steps) {
  const pairs = (steps || "").match(/../g) || [];
  if (!pairs.length) return null;
  const words = pairs.map((p) => `${STEPS[p[0]] || p[0]} ${(STEP_STATES[p[1]] || ["", ""])[1]}`).join(", ");
  return h(
    "span",
    { class: "strip", role: "img", "aria-label": `steps: ${words}`, title: words },
    pairs.map((p) =>
      h("i", { class: `step-${(STEP_STATES[p[1]] || ["", "pending"])[1]}` }, (STEP_STATES[p[1]] || ["?"])[0]),
    ),
  );
}

/** Steps one by one: [name, state]. */
export const stepList = (steps) =>
  ((steps || "").match(/../g) || []).map((p) => [STEPS[p[0]] || p[0], ...(STEP_STATES[p[1]] || ["?", "unknown"])]);

/** `1 h 02 min`, `3 min 20 s`, `12 s`. */
export function time(millis) {
  const all = Math.max(0, Math.round(millis / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours) return `${hours} h ${String(minutes).padStart(2, "0")} min`;
  if (minutes) return `${minutes} min ${String(seconds).padStart(2, "0")} s`;
  return `${seconds} s`;
}

/** `950`, `12.3k`, `4.5M`. */
export function short(n) {
  if (n < 1000) return String(n);
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)}k`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)}M`;
}

export const money = (usd) => (usd === undefined || usd === null ? "" : `$${usd.toFixed(usd < 10 ? 2 : 1)}`);

/** Time of day, with the day if it is not today; exact to the second where little time passed. */
export function clock(at, exact) {
  const when = new Date(at);
  const today = new Date().toDateString() === when.toDateString();
  const hour = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: exact ? "2-digit" : undefined });
  return today ? hour : `${when.toLocaleDateString([], { day: "numeric", month: "short" })} ${hour}`;
}

export const counted = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

/** Text with what stands between backticks set as code. */
export const coded = (text) =>
  String(text || "")
    .split("`")
    .map((part, at) => (at % 2 ? h("code", {}, part) : part));

/** A long name that may be broken where its parts end, and nowhere else. */
export const broken = (name) => String(name).split(/(?<=::|\/)/).flatMap((part, at) => (at ? [h("wbr", {}), part] : [part]));

/** A link to a task. */
export const taskLink = (id, tab) => `#/task/${encodeURIComponent(id)}${tab ? `/${tab}` : ""}`;
