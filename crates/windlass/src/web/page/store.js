// What the page knows. Documents are asked for; changes come by the stream and are only ever newer.

/** An error that the server explained. */
export class Refused extends Error {
  constructor(status, doc) {
    super(doc.error || `the server answered ${status}`);
    this.status = status;
    this.hints = doc.hints || [];
  }
}

/** Asks for a document. */
export async function ask(path, query, options) {
  const text = new URLSearchParams(
    Object.entries(query || {}).filter(([, v]) => v !== undefined && v !== ""),
  ).toString();
  const answer = await fetch(text ? `${path}?${text}` : path, { credentials: "same-origin", ...options });
  if (answer.status === 401) {
    store.shut();
    throw new Refused(401, { error: "this browser was not let in; open the address that `windlass ui --web` prints" });
  }
  const doc = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, doc);
  return doc;
}

/** Leaves a wish for the run. */
export const wish = (body) =>
  ask("/api/wish", {}, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Everything known about the run; pages listen to changes. `moved`: something was journaled since the last one. */
export const store = {
  doc: null,
  skew: 0,
  listeners: new Set(),
  link: "connecting",
  queue: Promise.resolve(),
  behind: false,

  listen(hear) {
    this.listeners.add(hear);
    return () => this.listeners.delete(hear);
  },

  tell(change) {
    for (const hear of [...this.listeners]) hear(change);
  },

  shut() {
    if (this.link !== "shut") {
      this.link = "shut";
      this.tell({ link: true });
    }
  },

  /** Reads the first document. */
  async load() {
    this.take(await ask("/api/overview"));
    this.tell({ reload: true, moved: true, rows: [], head: this.doc.head });
  },

  take(doc) {
    this.doc = doc;
    this.skew = doc.head.now - Date.now();
  },

  /** The time as the server has it. */
  now() {
    return Date.now() + this.skew;
  },

  /** How long a task has been worked on. */
  worked(row) {
    return row.worked + (row.began ? Math.max(0, this.now() - row.began) : 0);
  },

  /** Takes in a change, after those before it. */
  apply(change) {
    this.queue = this.queue
      .then(() => this.takeIn(change))
      .catch(() => {
        this.behind = true;
      });
    return this.queue;
  },

  async takeIn(change) {
    // What begins after what is known tells that something was missed.
    if (!this.doc || this.behind || change.reload || change.since > this.doc.head.seq) {
      await this.load();
      this.behind = false;
      return;
    }
    if (change.head.seq < this.doc.head.seq) return;
    const doc = this.doc;
    // A stream begins with what is known already, and the head changes without an event, too.
    const moved = change.head.seq > doc.head.seq;
    this.skew = change.head.now - Date.now();
    doc.head = change.head;
    if (change.attention) doc.attention = change.attention;
    for (const [at, phase] of change.phases || []) doc.phases[at] = phase;
    for (const row of change.rows || []) {
      const busy = ["in_progress", "testing", "test_failed"].includes(row.state);
      const at = doc.running.findIndex((r) => r.id === row.id);
      if (busy && at >= 0) doc.running[at] = row;
      else if (busy) doc.running.push(row);
      else if (at >= 0) doc.running.splice(at, 1);
      const last = doc.merged.findIndex((r) => r.id === row.id);
      if (last >= 0) doc.merged.splice(last, 1);
      if (row.state === "completed") doc.merged.unshift(row);
    }
    doc.running.sort((a, b) => a.at - b.at);
    doc.merged.sort((a, b) => b.heard - a.heard);
    doc.merged.length = Math.min(doc.merged.length, 8);
    this.tell({ ...change, moved });
  },
};
