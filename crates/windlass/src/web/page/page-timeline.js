// Attempts over time: a lane for every slot that was in use at once.

import { breathe, canvas, colour, h, heads, put } from "./dom.js";
import { ask, store } from "./store.js";
import { clock, counted, taskLink, time } from "./words.js";

export const title = () => "Timeline";

const LANE = 26;
const AXIS = 30;
const OUTCOMES = {
  merged: ["✓", "good", "merged"],
  open: ["▶", "work", "at work"],
  waits: ["■", "ask", "waits for you"],
  interrupted: ["‖", "idle", "interrupted"],
  lost: ["‖", "idle", "lost"],
};
const toneOf = (outcome) => OUTCOMES[outcome] || ["✗", "bad", outcome.replaceAll("-", " ")];

export function show(root) {
  let doc = null;
  let zoom = 1;
  let shift = 0;
  let picked = null;
  let stopped = false;
  let late = null;

  const facts = h("p", { class: "muted" });
  const info = h("div", { class: "picked", role: "status", "aria-live": "polite" });
  const pic = canvas("Attempts over time. The list below has the same in words.", paint);
  pic.box.classList.add("timeline");
  const button = (label, name, go) =>
    h("button", { type: "button", class: "quiet", "aria-label": name, title: name, onclick: go }, label);
  pic.box.append(
    h(
      "div",
      { class: "canvas-tools" },
      button("+", "Zoom in", () => turn(1.5)),
      button("−", "Zoom out", () => turn(1 / 1.5)),
      button("⤢", "Show all of it", () => {
        zoom = 1;
        shift = 0;
        pic.again();
      }),
    ),
    info,
  );
  const legend = h(
    "div",
    { class: "legend muted" },
    ["merged", "open", "waits", "failed", "lost"].map((name) => {
      const [mark, tone, word] = toneOf(name);
      return h(
        "span",
        { class: `badge ${tone}` },
        h("span", { class: "mark", "aria-hidden": "true" }, mark),
        name === "lost" ? "interrupted or lost" : word,
      );
    }),
  );
  const list = h("tbody", {});
  root.append(
    h("h1", {}, "Timeline"),
    facts,
    pic.box,
    legend,
    h(
      "details",
      {},
      h("summary", {}, "The last attempts as a list"),
      h(
        "div",
        { class: "wide" },
        h(
          "table",
          { class: "plain", "aria-label": "The last attempts" },
          heads(["Task", "#Attempt", "Agent", "Began", "#Took", "End"]),
          list,
        ),
      ),
    ),
  );

  const span = () => Math.max(1000, (live() ? store.now() : doc.until) - doc.from);
  const live = () => ["running", "paused"].includes(store.doc.head.state);
  const lengthOf = (bar) => (bar.outcome === "open" && live() ? store.now() - doc.from - bar.begin : bar.length);

  async function load() {
    const fresh = await ask("/api/timeline");
    await breathe();
    if (stopped) return;
    doc = fresh;
    pic.box.style.height = `${Math.min(640, AXIS + 20 + Math.max(3, doc.lanes) * LANE)}px`;
    facts.textContent = doc.bars.length
      ? `${counted(doc.bars.length, "attempt")} in ${counted(doc.lanes, "lane")} from ${clock(doc.from)} until ${clock(doc.until)}${doc.left_out ? `; ${doc.left_out.toLocaleString("en")} earlier ones are left out` : ""}`
      : "Nothing was tried yet.";
    put(
      list,
      doc.bars
        .slice(-60)
        .reverse()
        .map((bar) => {
          const [mark, tone, word] = toneOf(bar.outcome);
          return h(
            "tr",
            {},
            h("td", {}, h("a", { class: "id", href: taskLink(bar.task) }, bar.task)),
            h("td", { class: "num" }, String(bar.n)),
            h("td", {}, bar.agent),
            h("td", {}, clock(doc.from + bar.begin)),
            h("td", { class: "num" }, time(lengthOf(bar))),
            h(
              "td",
              {},
              h("span", { class: `badge ${tone}` }, h("span", { "aria-hidden": "true", class: "mark" }, mark), word),
            ),
          );
        }),
    );
    pic.again();
  }

  function scale(width) {
    const per = ((width - 24) / span()) * zoom;
    shift = Math.min(Math.max(0, shift), Math.max(0, span() * per - width + 24));
    return per;
  }

  function paint(c, width, height) {
    if (!doc) return;
    const per = scale(width);
    const left = (at) => 12 + at * per - shift;
    const lane = Math.min(LANE, (height - AXIS - 8) / Math.max(1, doc.lanes));
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "middle";
    axis(c, width, height, per, left);
    for (const bar of doc.bars) {
      const [x, w] = [left(bar.begin), Math.max(2, lengthOf(bar) * per)];
      if (x > width || x + w < 0) continue;
      const [mark, tone] = toneOf(bar.outcome);
      const y = AXIS + bar.lane * lane + 2;
      c.fillStyle = colour(`${tone}-soft`);
      c.fillRect(x, y, w, lane - 4);
      c.fillStyle = colour(tone);
      c.fillRect(x, y, Math.min(3, w), lane - 4);
      if (bar === picked) {
        c.strokeStyle = colour("text");
        c.lineWidth = 2;
        c.strokeRect(x, y, w, lane - 4);
      }
      if (w > 34 && lane > 13) {
        c.save();
        c.beginPath();
        c.rect(x, y, w - 3, lane);
        c.clip();
        c.fillStyle = colour("text");
        c.fillText(`${mark} ${bar.task}${bar.n > 1 ? ` · attempt ${bar.n}` : ""}`, Math.max(x, 0) + 8, y + (lane - 4) / 2);
        c.restore();
      }
    }
  }

  function axis(c, width, height, per, left) {
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400].map(
      (n) => n * 1000,
    );
    const step = steps.find((n) => n * per > 84) || 86400000 * Math.ceil(84 / (86400000 * per));
    c.strokeStyle = colour("line");
    c.lineWidth = 1;
    c.fillStyle = colour("muted");
    for (let at = Math.floor(shift / per / step) * step; left(at) < width; at += step) {
      c.beginPath();
      c.moveTo(left(at), 18);
      c.lineTo(left(at), height);
      c.stroke();
      const word = `+${time(at)}`;
      if (left(at) + 4 + c.measureText(word).width < width) c.fillText(word, left(at) + 4, 10);
    }
  }

  function turn(by, at) {
    const width = pic.box.clientWidth;
    const px = at ?? width / 2;
    const before = (shift + px - 12) / scale(width);
    zoom = Math.min(400, Math.max(1, zoom * by));
    shift = 0;
    const per = ((width - 24) / span()) * zoom;
    shift = before * per - px + 12;
    pic.again();
  }

  const barAt = (px, py) => {
    if (!doc) return null;
    const { width, height } = pic.box.getBoundingClientRect();
    const per = scale(width);
    const lane = Math.floor((py - AXIS) / Math.min(LANE, (height - AXIS - 8) / Math.max(1, doc.lanes)));
    const at = (px + shift - 12) / per;
    return (
      doc.bars.findLast(
        (bar) => bar.lane === lane && at >= bar.begin - 2 / per && at <= bar.begin + Math.max(lengthOf(bar), 4 / per),
      ) || null
    );
  };

  function tell(bar) {
    picked = bar;
    pic.again();
    if (!bar) return put(info);
    const [mark, tone, word] = toneOf(bar.outcome);
    return put(
      info,
      h("span", { class: `badge ${tone}` }, h("span", { class: "mark", "aria-hidden": "true" }, mark), word),
      h("a", { class: "id", href: taskLink(bar.task) }, bar.task),
      h("span", {}, `attempt ${bar.n} · ${bar.agent} · ${time(lengthOf(bar))}`),
      h("span", { class: "muted" }, bar.turns.map(([role, took]) => `${role} ${time(took)}`).join(" · ")),
    );
  }

  let drag = null;
  pic.node.addEventListener("pointerdown", (event) => {
    drag = [event.offsetX, shift, 0];
    pic.node.setPointerCapture(event.pointerId);
  });
  pic.node.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag[2] = Math.max(drag[2], Math.abs(event.offsetX - drag[0]));
    shift = drag[1] - (event.offsetX - drag[0]);
    pic.again();
  });
  pic.node.addEventListener("pointerup", (event) => {
    if (drag && drag[2] < 5) tell(barAt(event.offsetX, event.offsetY));
    drag = null;
  });
  pic.node.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      turn(Math.exp(-event.deltaY * 0.002), event.offsetX);
    },
    { passive: false },
  );
  pic.node.addEventListener("keydown", (event) => {
    const at = doc?.bars.indexOf(picked) ?? -1;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      tell(doc.bars[Math.max(0, at + (event.key === "ArrowRight" ? 1 : -1))] || null);
    } else if (event.key === "Enter" && picked) location.hash = taskLink(picked.task);
    else if (event.key === "+") turn(1.5);
    else if (event.key === "-") turn(1 / 1.5);
    else return;
    event.stopPropagation();
  });

  const tick = setInterval(() => {
    if (doc && live()) pic.again();
  }, 1000);
  const deaf = store.listen((change) => {
    if (!change.moved || late) return;
    late = setTimeout(() => {
      late = null;
      load().catch(() => {});
    }, 400);
  });
  load().catch((error) => {
    facts.textContent = error.message;
  });
  return {
    stop() {
      stopped = true;
      deaf();
      clearInterval(tick);
      clearTimeout(late);
      pic.stop();
    },
  };
}
