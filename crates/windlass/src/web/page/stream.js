// The one stream of changes of this browser: in a shared worker; else in one of the pages, chosen by a lock, which tells
// the others; else in every page.

const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("windlass", {
      createScriptURL: (path) => {
        if (path !== "/stream-worker.js") throw new TypeError("no other script");
        return path;
      },
    })
  : null;

function direct(hear) {
  let source = null;
  const open = () => {
    source = new EventSource("/api/changes");
    source.addEventListener("open", () => hear({ state: "open" }));
    source.addEventListener("change", (event) => hear({ change: event.data }));
    source.addEventListener("error", () => {
      const shut = source.readyState === EventSource.CLOSED;
      hear({ state: shut ? "shut" : "lost" });
      if (shut) setTimeout(open, 2000);
    });
  };
  open();
}

function elected(hear) {
  const channel = new BroadcastChannel("windlass-changes");
  channel.onmessage = (event) => hear(event.data);
  navigator.locks.request("windlass-stream", () => {
    direct((message) => {
      hear(message);
      channel.postMessage(message);
    });
    // Held until this page is closed; then another page has it.
    return new Promise(() => {});
  });
}

function shared(hear) {
  const path = "/stream-worker.js";
  const worker = new SharedWorker(policy ? policy.createScriptURL(path) : path, { name: "windlass" });
  worker.onerror = () => elected(hear);
  worker.port.onmessage = (event) => hear(event.data);
  addEventListener("pagehide", () => worker.port.postMessage("bye"));
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

/** Hears changes and the state of the stream: `{change}` or `{state}`. */
export function changes(hear, way) {
  const ways = { shared, elected, direct };
  const best = window.SharedWorker ? "shared" : navigator.locks && window.BroadcastChannel ? "elected" : "direct";
  ways[way in ways ? way : best](hear);
}
