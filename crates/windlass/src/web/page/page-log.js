// What agents and commands printed. The running output is followed while it is looked at.

import { h, put } from "./dom.js";
import { ask, store } from "./store.js";
import { short } from "./words.js";

export function show(body, id) {
  const list = h("div", {});
  const live = h("pre", { class: "log", tabindex: "0", "aria-label": "Output of the running process" });
  const liveBox = h("section", { hidden: true }, h("h2", {}, "Running now"), live);
  const none = h("p", { class: "empty", hidden: true }, "Nothing was printed yet.");
  body.append(liveBox, list, none);
  const known = new Map();
  let at = { name: "", next: 0 };
  let stopped = false;
  let timer = null;

  async function parts() {
    const doc = await ask("/api/log", { id });
    if (stopped) return;
    none.hidden = doc.parts.length > 0 || !liveBox.hidden;
    const newest = (doc.parts.findLast((part) => part.bytes > 0) || doc.parts.at(-1))?.key;
    for (const part of doc.parts) {
      if (known.has(part.key)) continue;
      const text = h("pre", { class: "log", tabindex: "0" }, "…");
      const box = h(
        "details",
        { class: "log-part" },
        h(
          "summary",
          {},
          h("b", {}, `attempt ${part.attempt}`),
          ` ${part.title}`,
          h("span", { class: "muted num" }, part.bytes === null ? "gone" : `${short(part.bytes)}B`),
        ),
        text,
      );
      box.addEventListener("toggle", async () => {
        if (!box.open || box.dataset.read) return;
        box.dataset.read = "1";
        try {
          const read = await ask("/api/log/part", { id, key: part.key });
          text.textContent =
            (read.cut ? `… ${short(read.cut)}B before this are left out\n` : "") + (read.text || "(it said nothing)");
        } catch (error) {
          text.textContent = error.message;
        }
      });
      known.set(part.key, box);
      list.prepend(box);
    }
    if (newest && known.size === doc.parts.length && !list.dataset.opened) {
      list.dataset.opened = "1";
      known.get(newest).open = true;
    }
  }

  async function follow() {
    try {
      const doc = await ask("/api/log/live", { id, name: at.name, from: at.next });
      if (stopped) return;
      liveBox.hidden = !doc.name;
      if (doc.name) {
        const bottom = live.scrollHeight - live.scrollTop - live.clientHeight < 40;
        if (doc.name !== at.name) live.textContent = doc.cut ? "… the beginning is left out\n" : "";
        if (doc.text) live.append(doc.text);
        if (bottom) live.scrollTop = live.scrollHeight;
        at = { name: doc.name, next: doc.next };
        none.hidden = true;
      }
    } catch {
      /* the head says that the server is away */
    }
    if (!stopped) timer = setTimeout(next, document.hidden ? 3000 : 600);
  }
  const next = () => {
    follow();
  };

  const deaf = store.listen((change) => {
    if ((change.rows || []).some((row) => row.id === id) || change.reload) parts().catch(() => {});
  });
  parts().catch((error) => put(list, h("p", { class: "empty" }, error.message)));
  follow();
  return {
    stop() {
      stopped = true;
      deaf();
      clearTimeout(timer);
    },
  };
}
