// Every task in a table. Only the rows on the screen exist; the server filters and sorts.

import { h, put } from "./dom.js";
import { ask, store } from "./store.js";
import { STATES, money, short, stateBadge, strip, taskLink, time } from "./words.js";

export const title = () => "Tasks";
export const same = () => false;

const PIECE = 100;
const ORDERS = [
  ["plan", "plan order"],
  ["heard", "newest"],
  ["state", "state"],
  ["time", "time"],
  ["cost", "cost"],
  ["attempts", "attempts"],
  ["id", "id"],
];

export function show(root) {
  const query = new URLSearchParams(location.hash.split("?")[1] || "");
  const wanted = {
    states: new Set((query.get("state") || "").split(",").filter(Boolean)),
    find: query.get("find") || "",
    phase: query.get("phase") ?? "",
    order: query.get("order") || "plan",
    reversed: "",
  };
  let pieces = new Map();
  let total = 0;
  let turn = 0;

  const search = h("input", {
    type: "search",
    placeholder: "Search id or title",
    "aria-label": "Search tasks",
    value: wanted.find,
  });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "States" });
  const order = h(
    "select",
    { "aria-label": "Order" },
    ORDERS.map(([name, label]) => h("option", { value: name, selected: name === wanted.order }, label)),
  );
  const phase = h(
    "select",
    { "aria-label": "Phase" },
    h("option", { value: "" }, "all phases"),
    store.doc.phases.map((p, at) =>
      h(
        "option",
        { value: String(at), selected: String(at) === wanted.phase },
        `${"  ".repeat(depth(at))}${p.title || p.id}`,
      ),
    ),
  );
  const count = h("span", { class: "muted", role: "status" });
  const rows = h("div", { class: "rows", role: "rowgroup" });
  const scroller = h(
    "div",
    { class: "scroller", tabindex: "0", role: "table", "aria-label": "Tasks" },
    h(
      "div",
      { role: "rowgroup", class: "table-head" },
      h(
        "div",
        { role: "row", class: "trow" },
        ["Task", "State", "Steps", "Attempts", "Agent", "Time", "Cost"].map((name) =>
          h("span", { role: "columnheader" }, name),
        ),
      ),
    ),
    rows,
  );
  root.append(
    h(
      "div",
      { class: "page-full" },
      h("h1", { class: "hidden" }, "Tasks"),
      h("div", { class: "tools" }, search, store.doc.phases.length ? phase : null, order, count),
      chips,
      scroller,
    ),
  );

  const height = () => (matchMedia("(max-width: 720px)").matches ? 64 : 38);

  async function fetchPiece(at) {
    const mine = turn;
    pieces.set(at, null);
    try {
      const doc = await ask("/api/rows", {
        state: [...wanted.states].join(","),
        find: wanted.find,
        phase: wanted.phase,
        order: wanted.order,
        from: at * PIECE,
        count: PIECE,
      });
      if (mine !== turn) return;
      pieces.set(at, doc.rows);
      total = doc.total;
      draw();
    } catch (error) {
      if (mine === turn) {
        pieces.delete(at);
        put(rows, h("p", { class: "empty" }, error.message));
      }
    }
  }

  function again() {
    turn += 1;
    pieces = new Map();
    const kept = [
      [...wanted.states].join(",") && `state=${[...wanted.states].join(",")}`,
      wanted.find && `find=${encodeURIComponent(wanted.find)}`,
      wanted.phase !== "" && `phase=${wanted.phase}`,
      wanted.order !== "plan" && `order=${wanted.order}`,
    ]
      .filter(Boolean)
      .join("&");
    history.replaceState(null, "", `#/table${kept ? `?${kept}` : ""}`);
    scroller.scrollTop = 0;
    fetchPiece(0);
  }

  function draw() {
    const tall = height();
    rows.style.height = `${total * tall}px`;
    scroller.setAttribute("aria-rowcount", String(total));
    count.textContent = `${total.toLocaleString("en")} of ${store.doc.head.counts.total.toLocaleString("en")}`;
    const from = Math.max(0, Math.floor(scroller.scrollTop / tall) - 8);
    const until = Math.min(total, Math.ceil((scroller.scrollTop + scroller.clientHeight) / tall) + 8);
    const focus = document.activeElement?.dataset?.id;
    const made = [];
    for (let at = from; at < until; at += 1) {
      const piece = Math.floor(at / PIECE);
      if (!pieces.has(piece)) fetchPiece(piece);
      const row = pieces.get(piece)?.[at % PIECE];
      const node = row
        ? line(row, at)
        : h("div", { class: "trow ghost", role: "row" }, h("span", { role: "cell" }, "…"));
      node.style.top = `${at * tall}px`;
      made.push(node);
    }
    if (!total && pieces.get(0))
      made.push(
        h(
          "p",
          { class: "empty" },
          store.doc.head.counts.total
            ? "No task fits."
            : "There are no tasks yet: `windlass run` begins.".replaceAll("`", ""),
        ),
      );
    put(rows, made);
    if (focus) rows.querySelector(`[data-id="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  function line(row, at) {
    return h(
      "a",
      {
        class: "trow",
        role: "row",
        href: taskLink(row.id),
        "aria-rowindex": String(at + 1),
        data: { item: "1", id: row.id },
        title: row.why || "",
      },
      h(
        "span",
        { role: "cell", class: "task-cell" },
        h("span", { class: "id" }, row.id),
        h("span", { class: "title" }, row.title),
      ),
      h(
        "span",
        { role: "cell" },
        stateBadge(row.state),
        row.ready ? h("small", { class: "muted" }, " ready") : null,
        row.stale ? h("small", { class: "warn" }, " ≠ stale") : null,
      ),
      h("span", { role: "cell" }, strip(row.steps)),
      h("span", { role: "cell", class: "num" }, row.attempt ? String(row.attempt) : ""),
      h("span", { role: "cell" }, row.agent || ""),
      h("span", { role: "cell", class: "num" }, row.attempt ? time(store.worked(row)) : ""),
      h(
        "span",
        { role: "cell", class: "num" },
        [row.cost_usd !== undefined ? money(row.cost_usd) : "", row.tokens ? short(row.tokens) : ""]
          .filter(Boolean)
          .join(" · "),
      ),
    );
  }

  function drawChips() {
    const counts = store.doc.head.counts;
    const names = Object.keys(STATES).filter((name) => counts[name] || wanted.states.has(name));
    const focus = document.activeElement?.dataset?.chip;
    put(
      chips,
      names.map((name) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            data: { chip: name },
            "aria-pressed": String(wanted.states.has(name)),
            onclick: () => {
              if (!wanted.states.delete(name)) wanted.states.add(name);
              drawChips();
              again();
            },
          },
          stateBadge(name),
          h("span", { class: "num" }, counts[name].toLocaleString("en")),
        ),
      ),
    );
    if (focus) chips.querySelector(`[data-chip="${focus}"]`)?.focus();
  }

  let typing = null;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      wanted.find = search.value;
      again();
    }, 150);
  });
  order.addEventListener("change", () => {
    wanted.order = order.value;
    again();
  });
  phase.addEventListener("change", () => {
    wanted.phase = phase.value;
    again();
  });
  scroller.addEventListener("scroll", () => requestAnimationFrame(draw));
  const resized = new ResizeObserver(() => draw());
  resized.observe(scroller);
  const tick = setInterval(() => {
    if (store.doc.running.length) draw();
  }, 1000);
  const deaf = store.listen((change) => {
    if (change.link) return;
    drawChips();
    if (change.reload) return again();
    const news = new Map((change.rows || []).map((row) => [row.id, row]));
    for (const [at, piece] of pieces) {
      if (piece)
        pieces.set(
          at,
          piece.map((row) => news.get(row.id) || row),
        );
    }
    draw();
  });
  drawChips();
  fetchPiece(0);
  if (location.hash.endsWith("?find")) search.focus();
  return {
    stop() {
      turn += 1;
      deaf();
      clearInterval(tick);
      resized.disconnect();
    },
  };
}

function depth(at) {
  let n = 0;
  for (let up = store.doc.phases[at].up; up !== undefined; up = store.doc.phases[up].up) n += 1;
  return n;
}
