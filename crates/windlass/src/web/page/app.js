// The frame around every page: the head, the list of pages, keys, the theme, the link to the server.

import { h, put } from "./dom.js";
import { store } from "./store.js";
import { changes } from "./stream.js";
import { RUNS, badge, counted, money, short, time } from "./words.js";
import { runButtons, togglePause } from "./steer.js";
import * as home from "./page-home.js";
import * as graph from "./page-graph.js";
import * as table from "./page-table.js";
import * as timeline from "./page-timeline.js";
import * as task from "./page-task.js";
import * as criteria from "./page-criteria.js";
import * as cost from "./page-cost.js";
import * as findings from "./page-findings.js";
import * as review from "./page-review.js";

const PAGES = [
  ["", "Attention", home],
  ["table", "Tasks", table],
  ["graph", "Graph", graph],
  ["timeline", "Timeline", timeline],
  ["criteria", "Criteria", criteria],
  ["cost", "Cost", cost],
  ["findings", "Findings", findings],
  ["review", "Review", review],
];
const main = document.getElementById("main");
let shown = null;
let first = true;

// ── pages

function route() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("?")[0].split("/");
  const decoded = rest.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  if (name === "task" && decoded[0]) return [task, decoded, "task"];
  const found = PAGES.find(([path]) => path === name);
  return found ? [found[2], decoded, name] : [home, [], ""];
}

function go() {
  if (location.hash === "#main") return;
  const [page, args, name] = route();
  if (shown?.page === page && page.same && page.same(shown.args, args)) {
    shown.args = args;
    shown.live.turn?.(args);
  } else {
    shown?.live?.stop?.();
    main.replaceChildren();
    shown = { page, args, name, live: null };
    shown.live = page.show(main, args) || {};
  }
  drawNav();
  document.querySelector("#nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.title = `${page.title(args)} · ${store.doc?.head.plan || "Windlass"}`;
  // A page may have put the focus where it is wanted.
  if (!first && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  if (!first) scrollTo(0, 0);
  first = false;
}

function drawNav() {
  const urgent = store.doc?.attention.total || 0;
  put(
    document.getElementById("nav"),
    PAGES.map(([path, label], at) =>
      h(
        "a",
        { href: `#/${path}`, "aria-current": shown?.name === path ? "page" : undefined, title: `key ${at + 1}` },
        label,
        path === "" && urgent > 0
          ? h("b", { class: "count" }, String(urgent), h("span", { class: "hidden" }, " need you"))
          : null,
      ),
    ),
  );
}

// ── the head

function drawHead() {
  const head = store.doc.head;
  document.getElementById("plan").textContent = head.plan;
  const counts = head.counts;
  const busy = counts.in_progress + counts.testing + counts.test_failed;
  const stuck = counts.failed + counts.blocked;
  const parts = [
    ["good", counts.completed],
    ["idle", counts.skipped],
    ["work", busy],
    ["bad", stuck],
  ];
  const share = (n) => `${counts.total ? (n * 100) / counts.total : 0}%`;
  const bar = h(
    "div",
    { class: "bar", role: "img", "aria-label": `${counts.completed} of ${counts.total} tasks completed` },
    parts.map(([tone, n]) => {
      const part = h("i", { class: tone });
      part.style.width = share(n);
      return part;
    }),
  );
  const over = head.ended || (["running", "paused"].includes(head.state) ? store.now() : head.at);
  const facts = [
    `${counts.completed.toLocaleString("en")} of ${counted(counts.total, "task")}`,
    busy ? `${busy} at work` : "",
    stuck ? `${stuck} stuck` : "",
    counts.ready ? `${counts.ready.toLocaleString("en")} ready` : "",
    head.started ? time(over - head.started) : "",
    head.cost_usd !== undefined ? money(head.cost_usd) + (head.unpriced_turns ? " and more" : "") : "",
    head.tokens ? `${short(head.tokens)} tokens` : "",
  ].filter(Boolean);
  const rests = (head.resting || []).map(
    (r) => `${r.agent} rests until ${new Date(r.until).toLocaleTimeString()}: ${r.reason}`,
  );
  const wishes = (head.wishes || []).length ? [`asked for, not followed yet: ${head.wishes.join(", ")}`] : [];
  const old = document.activeElement?.closest("#head") ? document.activeElement.dataset.keep : null;
  put(
    document.getElementById("head"),
    h(
      "div",
      { class: "head-line" },
      badge(RUNS, head.state),
      head.stopping ? h("span", { class: "muted" }, "stopping") : null,
      h(
        "span",
        { class: "facts" },
        facts.map((f) => h("span", {}, f)),
      ),
      h("span", { class: "row end" }, runButtons(head)),
    ),
    counts.total ? bar : null,
    [...rests, ...wishes].map((text) => h("p", { class: "note" }, text)),
  );
  if (old) document.querySelector(`#head [data-keep="${CSS.escape(old)}"]`)?.focus();
}

// ── the link to the server

const LINKS = {
  connecting: ["○", "connecting"],
  open: ["●", "live"],
  lost: ["◌", "lost the server; trying again"],
  shut: ["✗", "not let in: open the address that `windlass ui --web` prints".replaceAll("`", "")],
};

function drawLink() {
  const [mark, word] = LINKS[store.link];
  const node = document.getElementById("link");
  if (node.dataset.state !== store.link) {
    node.dataset.state = store.link;
    put(node, h("span", { "aria-hidden": "true" }, `${mark} `), word);
  }
}

async function hear(message) {
  if (message.state) {
    const back = message.state === "open" && store.link !== "open" && store.doc;
    store.link = message.state;
    drawLink();
    if (back) store.tell({ link: true });
    if (message.state === "open" && store.behind) await store.apply({ reload: true });
  }
  if (message.change) {
    const change = JSON.parse(message.change);
    store.link = "open";
    drawLink();
    await store.apply(change);
  }
}

// ── theme and keys

function theme(next) {
  const root = document.documentElement;
  const order = ["auto", "light", "dark"];
  let now = "auto";
  try {
    now = localStorage.getItem("theme") || "auto";
  } catch {
    /* no storage: as the system has it */
  }
  if (next) {
    now = order[(order.indexOf(now) + 1) % order.length];
    try {
      localStorage.setItem("theme", now);
    } catch {
      /* as above */
    }
  }
  if (now === "auto") delete root.dataset.theme;
  else root.dataset.theme = now;
  const button = document.getElementById("theme");
  button.textContent = { auto: "◑", light: "○", dark: "●" }[now];
  button.setAttribute("aria-label", `Theme: ${now}`);
  button.title = `Theme: ${now}`;
  document.dispatchEvent(new Event("themechange"));
}

const KEYS = [
  ["1 – 8", "go to a page"],
  ["j, k", "next, previous in a list"],
  ["Enter", "open"],
  ["/", "search tasks"],
  ["p", "pause or resume"],
  ["Esc", "back"],
  ["arrows, + − 0", "in the graph: move, zoom, all of it"],
  ["?", "this list"],
];

function help() {
  const close = h("button", { type: "submit", class: "primary" }, "Close");
  const box = h(
    "dialog",
    { "aria-label": "Keyboard shortcuts" },
    h(
      "form",
      { method: "dialog" },
      h("h2", {}, "Keys"),
      h(
        "dl",
        { class: "keys" },
        KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]),
      ),
      h("div", { class: "row end" }, close),
    ),
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

function step(by) {
  const all = [...main.querySelectorAll("[data-item]")].filter((n) => n.offsetParent !== null);
  if (!all.length) return;
  const at = all.indexOf(document.activeElement.closest("[data-item]"));
  const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
  (next.matches("a, button") ? next : next.querySelector("a, button") || next).focus();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) {
    if (event.key === "Escape" && event.target.matches("input")) event.target.blur();
    return;
  }
  const page = PAGES[Number(event.key) - 1];
  if (page) location.hash = `#/${page[0]}`;
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "p") togglePause();
  else if (event.key === "?") help();
  else if (event.key === "Escape") history.back();
  else if (event.key === "/") {
    event.preventDefault();
    const field = main.querySelector("input[type=search]");
    if (field) field.focus();
    else location.hash = "#/table?find";
  }
});

// ── start

document.getElementById("theme").addEventListener("click", () => theme(true));
document.getElementById("keys").addEventListener("click", help);
theme(false);
store.listen((change) => {
  if (store.doc) {
    drawHead();
    drawNav();
  }
  if (change.link) drawLink();
});
setInterval(() => {
  if (store.doc && ["running", "paused"].includes(store.doc.head.state)) drawHead();
}, 1000);

const waiting = [];
let ready = false;
const way = new URLSearchParams(location.search).get("stream");
changes((message) => {
  if (ready) hear(message);
  else waiting.push(message);
}, way);
try {
  await store.load();
} catch (error) {
  put(main, h("p", { class: "empty" }, error.message));
}
ready = true;
addEventListener("hashchange", go);
if (store.doc) go();
for (const message of waiting) await hear(message);
drawLink();
