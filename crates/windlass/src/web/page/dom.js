// Elements from plain values. Text is only ever set as text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attrs, children) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false && c !== ""));
  return node;
}

/** An element: `h("a", {href: "#/"}, "text", child, [more])`. */
export const h = (tag, attrs, ...children) => fill(document.createElement(tag), attrs, children);

/** An element of a picture. */
export const s = (tag, attrs, ...children) => fill(document.createElementNS(SVG, tag), attrs, children);

/** The head of a table: names of columns; those that begin with a number sign hold numbers. */
export const heads = (names) =>
  h(
    "thead",
    {},
    h(
      "tr",
      {},
      names.map((n) => h("th", { scope: "col", class: n.startsWith("#") ? "num" : "" }, n.replace(/^#/, ""))),
    ),
  );

/** Puts new children in place of the old ones, if they differ. */
export function put(node, ...children) {
  const next = children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false && c !== "");
  node.replaceChildren(...next);
  return node;
}

/** Lets the browser do what waits before long work goes on: keys, frames. */
export const breathe = () => (globalThis.scheduler?.yield ? scheduler.yield() : new Promise((go) => setTimeout(go)));

/** A list that keeps the element of each key: what did not change is not touched, and focus stays where it is. */
export function keyed(parent, items, key, make) {
  const old = parent.keyedRows || new Map();
  const now = new Map();
  let at = parent.firstChild;
  for (const item of items) {
    const name = key(item);
    const text = JSON.stringify(item);
    let row = old.get(name);
    if (!row || row.text !== text) {
      const node = make(item);
      const focused = row && row.node.contains(document.activeElement) && document.activeElement.dataset.keep;
      if (row) {
        if (at === row.node) at = at.nextSibling;
        row.node.replaceWith(node);
      }
      row = { node, text };
      if (focused) node.querySelector(`[data-keep="${CSS.escape(focused)}"]`)?.focus();
    }
    now.set(name, row);
    if (at === row.node) at = at.nextSibling;
    else parent.insertBefore(row.node, at);
  }
  for (const [name, row] of old) if (!now.has(name)) row.node.remove();
  parent.keyedRows = now;
}

/** A canvas that fills its box, sharp on every screen. `draw` gets the context and the size. */
export function canvas(label, draw) {
  const node = h("canvas", { role: "img", "aria-label": label, tabindex: "0" });
  const box = h("div", { class: "canvas" }, node);
  let waiting = false;
  const paint = () => {
    waiting = false;
    const { width, height } = box.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [w, t] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (node.width !== w || node.height !== t) [node.width, node.height] = [w, t];
    const context = node.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context, width, height);
  };
  const again = () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(paint);
    }
  };
  const watch = new ResizeObserver(again);
  watch.observe(box);
  const theme = matchMedia("(prefers-color-scheme: dark)");
  theme.addEventListener("change", again);
  document.addEventListener("themechange", again);
  const stop = () => {
    watch.disconnect();
    theme.removeEventListener("change", again);
    document.removeEventListener("themechange", again);
  };
  return { box, node, again, stop };
}

const painted = new Map();
const forget = () => painted.clear();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forget);
document.addEventListener("themechange", forget);

/** A colour of the style sheet, as it is in the theme of the moment. */
export function colour(name) {
  if (!painted.has(name)) {
    const probe = h("i", { hidden: true });
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    painted.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return painted.get(name);
}
