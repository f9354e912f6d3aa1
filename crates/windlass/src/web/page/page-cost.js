// Cost over time, and who spent it.

import { h, heads, put, s } from "./dom.js";
import { ask, store } from "./store.js";
import { clock, money, short } from "./words.js";

export const title = () => "Cost";

export function show(root) {
  const facts = h("p", { class: "figures" });
  const chart = h("div", { class: "chart" });
  const tables = h("div", { class: "columns" });
  let late = null;
  let stopped = false;
  root.append(h("h1", {}, "Cost"), facts, chart, tables);

  async function load() {
    const doc = await ask("/api/cost");
    if (stopped) return;
    const priced = doc.total.cost_usd !== undefined && doc.total.cost_usd !== null;
    const tokens = doc.total.input_tokens + doc.total.output_tokens;
    put(
      facts,
      figure(
        priced ? money(doc.total.cost_usd) : "unknown",
        doc.unpriced_turns ? `known cost; ${doc.unpriced_turns} turns have no price` : "cost",
      ),
      figure(short(tokens), "tokens"),
      figure(short(doc.total.cache_read_tokens || 0), "of them from the cache"),
    );
    put(
      chart,
      priced || tokens
        ? curve(doc.points, priced, chart.clientWidth - 28)
        : h(
            "p",
            { class: "empty" },
            doc.by_agent.length ? "The agents report neither tokens nor a price." : "No agent has used anything yet.",
          ),
    );
    put(tables, breakdown("By agent", doc.by_agent), breakdown("By part", doc.by_role));
  }
  const deaf = store.listen((change) => {
    if (!change.moved || late) return;
    late = setTimeout(() => {
      late = null;
      load().catch(() => {});
    }, 1000);
  });
  load().catch((error) => put(chart, h("p", { class: "empty" }, error.message)));
  return {
    stop() {
      stopped = true;
      deaf();
      clearTimeout(late);
    },
  };
}

const figure = (value, name) => h("span", { class: "figure" }, h("b", {}, value), h("small", {}, name));

function curve(points, priced, room) {
  const [wide, tall, left, low] = [Math.min(900, Math.max(280, room)), 260, 58, 26];
  const marks = wide < 600 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const value = (p) => (priced ? p.cost_usd : p.tokens);
  const top = nice(points.reduce((most, p) => Math.max(most, value(p)), priced ? 0.01 : 10), priced);
  const [from, until] = [points[0].at, points.at(-1).at];
  const x = (at) => left + ((at - from) / Math.max(1, until - from)) * (wide - left - 12);
  const y = (v) => tall - low - (v / top) * (tall - low - 12);
  const path = points
    .map((p, at) =>
      at
        ? `H${x(p.at).toFixed(1)}V${y(value(p)).toFixed(1)}`
        : `M${x(p.at).toFixed(1)} ${y(0)}V${y(value(p)).toFixed(1)}`,
    )
    .join("");
  const label = (v) => (priced ? `$${v < 1 ? v.toFixed(2) : v.toFixed(v < 10 ? 1 : 0)}` : short(Math.round(v)));
  return s(
    "svg",
    {
      viewBox: `0 0 ${wide} ${tall}`,
      role: "img",
      "aria-label": `From nothing to ${label(value(points.at(-1)))} between ${clock(from)} and ${clock(until)}`,
    },
    [0, 0.25, 0.5, 0.75, 1].map((part) => [
      s("line", { class: "grid", x1: left, x2: wide - 12, y1: y(top * part), y2: y(top * part) }),
      s("text", { x: left - 8, y: y(top * part) + 4, "text-anchor": "end" }, label(top * part)),
    ]),
    marks.map((part) =>
      s(
        "text",
        {
          x: x(from + (until - from) * part),
          y: tall - 6,
          "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle",
        },
        clock(from + (until - from) * part, until - from < 600_000),
      ),
    ),
    s("path", { class: "area", d: `${path}V${y(0)}Z` }),
    s("path", { class: "curve", d: path }),
  );
}

/** The top of an axis: a round number whose quarters are whole cents. */
function nice(n, priced) {
  const step = 10 ** Math.floor(Math.log10(n));
  const tops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 6, 8, 10, 12, 16, 20, 40].map((k) => k * step);
  const whole = (k) => !priced || Math.abs(k * 25 - Math.round(k * 25)) < 1e-6;
  return tops.find((k) => k >= n && whole(k)) || 10 * step;
}

function breakdown(name, list) {
  if (!list.length) return null;
  const total = ([, , u]) => u.input_tokens + u.output_tokens;
  return h(
    "section",
    {},
    h("h2", {}, name),
    h(
      "div",
      { class: "wide" },
      h(
        "table",
        { class: "plain", "aria-label": name },
        heads(["", "#Turns", "#Tokens", "#Cost"]),
        h(
          "tbody",
          {},
          [...list]
            .sort((a, b) => total(b) - total(a))
            .map((row) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, row[0]),
                h("td", { class: "num" }, String(row[1])),
                h("td", { class: "num" }, short(total(row))),
                h("td", { class: "num" }, money(row[2].cost_usd) || "unknown"),
              ),
            ),
        ),
      ),
    ),
  );
}
