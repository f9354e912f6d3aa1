// One stream of changes for all pages of this browser. It comes back by itself, from the last change it had.

const ports = new Set();
let source = null;
let state = "connecting";

function say(message) {
  for (const port of ports) port.postMessage(message);
}

function open() {
  source = new EventSource("/api/changes");
  source.addEventListener("open", () => {
    state = "open";
    say({ state });
  });
  source.addEventListener("change", (event) => say({ change: event.data }));
  source.addEventListener("error", () => {
    state = source.readyState === EventSource.CLOSED ? "shut" : "lost";
    say({ state });
    // A server that refused once may have been started again since.
    if (state === "shut") {
      source.close();
      source = null;
      setTimeout(() => {
        if (!source && ports.size) open();
      }, 2000);
    }
  });
}

onconnect = (event) => {
  const port = event.ports[0];
  ports.add(port);
  port.onmessage = (message) => {
    if (message.data === "bye") ports.delete(port);
  };
  port.postMessage({ state });
  if (!source) open();
};
