// The graph on a canvas. Its places come from the server; here they are only drawn, moved and zoomed.

import { breathe, canvas, colour, h, put } from "./dom.js";
import { ask, store } from "./store.js";
import { LETTERS, STATES, stateBadge, taskLink } from "./words.js";
import { tally } from "./page-home.js";

export const title = () => "Graph";

export function show(root) {
  let doc = null;
  let nodes = [];
  let links = [];
  let places = new Map();
  let open = null;
  let picked = -1;
  let stopped = false;
  let missed = null;
  const sight = { x: 0, y: 0, zoom: 1, fitted: false };

  const chips = h("div", { class: "chips phases-chips", role: "group", "aria-label": "Phases: open or fold" });
  const info = h("div", { class: "picked", role: "status", "aria-live": "polite" });
  const pic = canvas("Graph of the tasks. Arrow keys move between tasks, Enter opens one.", paint);
  const button = (label, name, go) =>
    h("button", { type: "button", class: "quiet", "aria-label": name, title: name, onclick: go }, label);
  const tools = h(
    "div",
    { class: "canvas-tools" },
    button("+", "Zoom in", () => zoom(1.4)),
    button("−", "Zoom out", () => zoom(1 / 1.4)),
    button("⤢", "Show all of it", fit),
  );
  pic.box.append(tools, info);
  const legend = h(
    "div",
    { class: "legend muted" },
    Object.entries(STATES).map(([name]) => stateBadge(name)),
  );
  root.append(h("div", { class: "page-full" }, h("h1", { class: "hidden" }, "Graph"), chips, pic.box, legend));

  async function load() {
    const own = [];
    missed = own;
    const fresh = await ask("/api/map", open ? { open: [...open].join(",") || "none" } : {});
    await breathe();
    const made = fresh.names.map((name, at) => place(fresh, name, at));
    await breathe();
    const joined = joins(fresh);
    // Another one may have been asked for meanwhile.
    if (stopped || missed !== own) return;
    [doc, nodes, links] = [fresh, made, joined];
    open ||= new Set(doc.open);
    places = new Map(nodes.filter((n) => n.phase < 0).map((n) => [n.name, n]));
    own.forEach(takeIn);
    missed = null;
    picked = -1;
    put(info);
    if (!sight.fitted) fit();
    drawChips();
    pic.again();
  }

  function takeIn(row) {
    const node = places.get(row.id);
    if (node) node.state = row.state;
  }

  function place(doc, name, at) {
    const [wide, tall] = doc.box;
    return {
      name,
      at,
      phase: at < doc.phases.length ? doc.phases[at] : -1,
      state: LETTERS[doc.states[at]],
      title: at < doc.phases.length ? "" : doc.titles?.[at - doc.phases.length] || "",
      x: doc.x[at] * doc.column,
      y: doc.y[at] - tall / 2,
      wide,
      tall,
    };
  }

  function joins(doc) {
    const passes = new Map(doc.passes || []);
    const found = [];
    const critical = new Set(doc.critical);
    for (let at = 0, then = 0; at < doc.links.length; at += 2) {
      then += doc.links[at];
      const first = then - doc.links[at + 1];
      found.push({
        first,
        then,
        passes: passes.get(at / 2) || null,
        critical: critical.has(first) && critical.has(then),
      });
    }
    return found;
  }

  function drawChips() {
    const phases = store.doc.phases;
    if (!phases.length) {
      chips.hidden = true;
      return;
    }
    const focus = document.activeElement?.dataset?.phase;
    const seen = phases.map((p, at) => [p, at]).filter(([p]) => p.up === undefined || open?.has(p.up));
    put(
      chips,
      h(
        "button",
        { type: "button", class: "chip", onclick: () => fold(open.size ? [] : phases.map((_, at) => at)) },
        open?.size ? "Fold all" : "Open all",
      ),
      seen.slice(0, 120).map(([phase, at]) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            data: { phase: String(at) },
            "aria-expanded": String(open?.has(at) || false),
            onclick: () => {
              const next = new Set(open);
              if (!next.delete(at)) next.add(at);
              fold(next);
            },
          },
          h("span", { "aria-hidden": "true" }, open?.has(at) ? "▾ " : "▸ "),
          phase.title || phase.id,
          h("span", { class: "num" }, `${phase.tally[0]}/${phase.tasks}`),
        ),
      ),
    );
    if (focus) chips.querySelector(`[data-phase="${focus}"]`)?.focus();
  }

  function fold(next) {
    open = new Set(next);
    sight.fitted = false;
    load();
  }

  function fit() {
    const { width, height } = pic.box.getBoundingClientRect();
    if (!nodes.length || !width) return;
    let [right, bottom, top] = [0, 0, Infinity];
    for (const n of nodes) {
      right = Math.max(right, n.x + n.wide);
      bottom = Math.max(bottom, n.y + n.tall);
      top = Math.min(top, n.y);
    }
    const whole = Math.min((width - 48) / right, (height - 48) / Math.max(1, bottom - top), 1.1);
    // What would be too small to read begins at the left, where the work begins.
    sight.zoom =
      nodes.length <= 400 ? Math.max(whole, Math.min(0.5, (height - 48) / Math.max(1, bottom - top))) : whole;
    sight.x = sight.zoom > whole ? -24 / sight.zoom : -(width / sight.zoom - right) / 2;
    sight.y = top - (height / sight.zoom - (bottom - top)) / 2;
    sight.fitted = true;
    pic.again();
  }

  function zoom(by, at) {
    const { width, height } = pic.box.getBoundingClientRect();
    const [px, py] = at || [width / 2, height / 2];
    const next = Math.min(2.5, Math.max(0.01, sight.zoom * by));
    sight.x += px / sight.zoom - px / next;
    sight.y += py / sight.zoom - py / next;
    sight.zoom = next;
    pic.again();
  }

  function paint(c, width, height) {
    if (!doc) return;
    const view = {
      left: sight.x,
      top: sight.y,
      right: sight.x + width / sight.zoom,
      bottom: sight.y + height / sight.zoom,
    };
    c.save();
    c.scale(sight.zoom, sight.zoom);
    c.translate(-sight.x, -sight.y);
    drawLinks(c, view);
    const seen = nodes.filter(
      (n) => n.x < view.right && n.x + n.wide > view.left && n.y < view.bottom && n.y + n.tall > view.top,
    );
    if (sight.zoom < 0.28) drawDots(c, seen);
    else drawBoxes(c, seen);
    c.restore();
    if (!nodes.length) {
      c.fillStyle = colour("muted");
      c.font = "14px system-ui, sans-serif";
      c.fillText("There are no tasks yet.", 24, 40);
    }
  }

  function drawLinks(c, view) {
    const far = sight.zoom < 0.28;
    const lines = (critical) => {
      c.beginPath();
      for (const link of links) {
        if (link.critical !== critical) continue;
        const [a, b] = [nodes[link.first], nodes[link.then]];
        const [x1, y1, x2, y2] = [a.x + a.wide, a.y + a.tall / 2, b.x, b.y + b.tall / 2];
        if (
          Math.max(x1, x2) < view.left ||
          Math.min(x1, x2) > view.right ||
          (Math.max(y1, y2) < view.top && !link.passes) ||
          (Math.min(y1, y2) > view.bottom && !link.passes)
        )
          continue;
        c.moveTo(x1, y1);
        if (far) {
          // Curves cannot be told from lines there, and cost many times as much.
          (link.passes || []).forEach((y, nth) => {
            const x = (doc.x[link.first] + nth + 1) * doc.column;
            c.lineTo(x, y);
            c.lineTo(x + a.wide, y);
          });
          c.lineTo(x2, y2);
          continue;
        }
        let [px, py] = [x1, y1];
        (link.passes || []).forEach((y, nth) => {
          const x = (doc.x[link.first] + nth + 1) * doc.column;
          c.bezierCurveTo((px + x) / 2, py, (px + x) / 2, y, x, y);
          c.lineTo(x + a.wide, y);
          [px, py] = [x + a.wide, y];
        });
        c.bezierCurveTo((px + x2) / 2, py, (px + x2) / 2, y2, x2, y2);
      }
      c.stroke();
    };
    const thin = 1.2 / Math.min(1, Math.max(sight.zoom, 0.05) * 1.6);
    c.lineWidth = Math.min(thin, 6);
    c.strokeStyle = colour("line-strong");
    c.globalAlpha = links.length > 3000 && far ? 0.25 : 0.8;
    lines(false);
    c.globalAlpha = 1;
    c.lineWidth = Math.min(thin * 1.8, 10);
    c.strokeStyle = colour("critical");
    lines(true);
  }

  function drawDots(c, seen) {
    for (const [name, [, , tone]] of Object.entries(STATES)) {
      c.fillStyle = colour(tone);
      c.beginPath();
      for (const n of seen) if (n.state === name) c.rect(n.x, n.y, n.wide, n.tall);
      c.fill();
    }
    frame(c, seen);
  }

  function frame(c, seen) {
    const node = nodes[picked];
    if (!node || !seen.includes(node)) return;
    c.strokeStyle = colour("text");
    c.lineWidth = 2.5 / sight.zoom;
    c.strokeRect(
      node.x - 3 / sight.zoom,
      node.y - 3 / sight.zoom,
      node.wide + 6 / sight.zoom,
      node.tall + 6 / sight.zoom,
    );
  }

  function drawBoxes(c, seen) {
    c.textBaseline = "alphabetic";
    const paints = Object.fromEntries(
      Object.values(STATES).map(([, , tone]) => [tone, [colour(tone), colour(`${tone}-soft`)]]),
    );
    const [text, muted] = [colour("text"), colour("muted")];
    for (const n of seen) {
      const [mark, word, tone] = STATES[n.state];
      const [strong, soft] = paints[tone];
      if (n.phase >= 0) {
        c.fillStyle = soft;
        c.strokeStyle = strong;
        c.lineWidth = 1.2;
        box(c, n.x + 6, n.y + 6, n.wide, n.tall);
        c.fill();
        c.stroke();
      }
      c.fillStyle = soft;
      c.strokeStyle = strong;
      c.lineWidth = n.state === "pending" ? 1 : 1.8;
      box(c, n.x, n.y, n.wide, n.tall);
      c.fill();
      c.stroke();
      c.fillStyle = strong;
      c.font = "600 13px system-ui, sans-serif";
      c.fillText(mark, n.x + 10, n.y + 20);
      c.fillStyle = text;
      const phase = n.phase >= 0 ? store.doc.phases[n.phase] : null;
      c.fillText(cut(phase ? phase.title || phase.id : n.name, 24), n.x + 28, n.y + 20);
      c.font = "12px system-ui, sans-serif";
      c.fillStyle = muted;
      c.fillText(
        cut(phase ? `${phase.tally[0]} of ${phase.tasks} tasks · ${word}` : n.title || word, 27),
        n.x + 10,
        n.y + 39,
      );
    }
    frame(c, seen);
  }

  const at = (px, py) => {
    const [x, y] = [sight.x + px / sight.zoom, sight.y + py / sight.zoom];
    return nodes.findIndex((n) => x >= n.x && x <= n.x + n.wide && y >= n.y && y <= n.y + n.tall);
  };

  async function pick(next, move) {
    picked = next;
    const node = nodes[picked];
    if (!node) {
      put(info);
      pic.again();
      return;
    }
    if (move) {
      const { width, height } = pic.box.getBoundingClientRect();
      const inside =
        node.x > sight.x &&
        node.x + node.wide < sight.x + width / sight.zoom &&
        node.y > sight.y &&
        node.y + node.tall < sight.y + height / sight.zoom;
      if (!inside) {
        sight.x = node.x + node.wide / 2 - width / sight.zoom / 2;
        sight.y = node.y - height / sight.zoom / 2;
      }
    }
    pic.again();
    if (node.phase >= 0) {
      const phase = store.doc.phases[node.phase];
      put(
        info,
        stateBadge(node.state),
        h("b", {}, phase.title || phase.id),
        tally(phase),
        h("button", { type: "button", onclick: () => fold([...open, node.phase]) }, "Open the phase"),
      );
      return;
    }
    put(
      info,
      stateBadge(node.state),
      h("a", { class: "id", href: taskLink(node.name) }, node.name),
      h("span", {}, node.title),
    );
    if (!node.title) {
      const found = await ask("/api/rows", { find: node.name, count: 20 }).catch(() => null);
      const row = found?.rows.find((r) => r.id === node.name);
      if (row && nodes[picked] === node) {
        node.title = row.title;
        info.lastChild.textContent = row.title;
      }
    }
  }

  function beside(key) {
    const node = nodes[picked];
    if (!node) return 0;
    const next =
      key === "ArrowRight"
        ? links.filter((l) => l.first === picked).map((l) => l.then)
        : key === "ArrowLeft"
          ? links.filter((l) => l.then === picked).map((l) => l.first)
          : nodes.filter((n) => n.x === node.x && (key === "ArrowDown" ? n.y > node.y : n.y < node.y)).map((n) => n.at);
    return next.length
      ? next.reduce((a, b) => (Math.abs(nodes[b].y - node.y) < Math.abs(nodes[a].y - node.y) ? b : a))
      : picked;
  }

  const enter = (n) => {
    if (n?.phase >= 0) fold([...open, n.phase]);
    else if (n) location.hash = taskLink(n.name);
  };
  pic.node.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      pick(beside(event.key), true);
    } else if (event.key === "Enter") enter(nodes[picked]);
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fit();
    else return;
    event.stopPropagation();
  });
  const touches = new Map();
  let moved = 0;
  pic.node.addEventListener("pointerdown", (event) => {
    pic.node.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved = 0;
  });
  pic.node.addEventListener("pointermove", (event) => {
    const last = touches.get(event.pointerId);
    if (!last) return;
    const now = [event.offsetX, event.offsetY];
    if (touches.size === 2) {
      const other = [...touches].find(([id]) => id !== event.pointerId)[1];
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      zoom(apart(now) / apart(last), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    } else {
      sight.x -= (now[0] - last[0]) / sight.zoom;
      sight.y -= (now[1] - last[1]) / sight.zoom;
    }
    moved += Math.abs(now[0] - last[0]) + Math.abs(now[1] - last[1]);
    touches.set(event.pointerId, now);
    pic.again();
  });
  const up = (event) => {
    touches.delete(event.pointerId);
    if (event.type === "pointerup" && moved < 6) pick(at(event.offsetX, event.offsetY));
  };
  pic.node.addEventListener("pointerup", up);
  pic.node.addEventListener("pointercancel", up);
  pic.node.addEventListener("dblclick", (event) => enter(nodes[at(event.offsetX, event.offsetY)]));
  pic.node.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), [event.offsetX, event.offsetY]);
    },
    { passive: false },
  );

  const deaf = store.listen((change) => {
    if (change.link) return;
    // What happens while the graph is on its way may not be part of it.
    missed?.push(...(change.rows || []));
    if (!doc) return;
    if (change.reload) return load();
    (change.rows || []).forEach(takeIn);
    for (const node of nodes) if (node.phase >= 0) node.state = store.doc.phases[node.phase].state;
    drawChips();
    pic.again();
  });
  load().catch((error) => put(chips, h("p", { class: "empty" }, error.message)));
  return {
    stop() {
      stopped = true;
      deaf();
      pic.stop();
    },
  };
}

const cut = (text, n) => (text.length > n ? `${text.slice(0, n - 1)}…` : text);

function box(c, x, y, w, t) {
  c.beginPath();
  if (c.roundRect) c.roundRect(x, y, w, t, 7);
  else c.rect(x, y, w, t);
}
