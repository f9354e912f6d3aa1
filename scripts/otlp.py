"""A run's telemetry, decoded by OpenTelemetry's own messages and taken by a collector. See scripts/otlp."""

import base64
import collections
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import rotel
from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "crates/windlass/demo"
IDS = ("traceId", "spanId", "parentSpanId")
KINDS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}


def as_protobuf_json(value):
    """OTLP writes ids in hexadecimal; protobuf's own JSON has base64 for bytes. The rest is the same."""
    if isinstance(value, dict):
        return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in IDS else as_protobuf_json(v) for k, v in value.items()}
    return [as_protobuf_json(item) for item in value] if isinstance(value, list) else value


class Decoder(http.server.BaseHTTPRequestHandler):
    got = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # Fails on a field that the messages do not have.
        message = json_format.ParseDict(as_protobuf_json(json.loads(body)), KINDS[self.path]())
        Decoder.got.append(message)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def run(windlass, endpoint):
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        home, repo = top / "home", top / "repo"
        (home / ".config/windlass").mkdir(parents=True)
        repo.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = T\n\temail = t@example.org\n")
        (home / ".config/windlass/config.toml").write_text(f'[telemetry]\nendpoint = "{endpoint}"\n')
        shutil.copytree(SAMPLE / "till/docs", repo / "docs")
        shutil.copy(SAMPLE / "till/agent.sh", top / "agent.sh")
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
        call = lambda *words: subprocess.run(words, cwd=repo, env=env, check=True, capture_output=True, text=True)
        call("git", "init", "-q", "-b", "main")
        call("git", "add", "-A")
        call("git", "commit", "-q", "-m", "start")
        call(windlass, "plan", "docs/specs")
        done = call(windlass, "run", "--yes", "--agent", f"cmd:sh {top}/agent.sh")
        assert "collector" not in done.stderr, done.stderr


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def decoded(windlass):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Decoder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    run(windlass, f"http://127.0.0.1:{server.server_port}")
    traces = [m for m in Decoder.got if isinstance(m, ExportTraceServiceRequest)]
    spans = [s for m in traces for r in m.resource_spans for scope in r.scope_spans for s in scope.spans]
    assert len({s.span_id for s in spans}) == len(spans) and all(len(s.trace_id) == 16 for s in spans)
    assert all(s.start_time_unix_nano <= s.end_time_unix_nano for s in spans)
    roots = [s for s in spans if not s.parent_span_id]
    assert len(roots) == 1 and roots[0].name == "invoke_workflow till", roots
    kinds = collections.Counter(s.name.split()[0] for s in spans)
    assert kinds["task"] == 3 and kinds["verify"] >= 3 and kinds["invoke_agent"] >= 3, kinds
    metrics = [m for m in Decoder.got if isinstance(m, ExportMetricsServiceRequest)][-1]
    names = sorted(m.name for r in metrics.resource_metrics for s in r.scope_metrics for m in s.metrics)
    assert "gen_ai.client.operation.duration" in names and "windlass.tasks" in names, names
    print(f"opentelemetry-proto: {len(spans)} spans ({', '.join(f'{n} {k}' for k, n in kinds.items())}); metrics {', '.join(names)}")


def collected(windlass):
    """A collector takes a run and writes down what it took."""
    agent = pathlib.Path(rotel.__file__).parent / "rotel-agent"
    grpc, port = free_port(), free_port()
    words = [agent, "start", "--exporter", "blackhole", "--debug-log", "traces", "--debug-log-verbosity", "detailed",
             "--otlp-grpc-endpoint", f"127.0.0.1:{grpc}", "--otlp-http-endpoint", f"127.0.0.1:{port}"]
    with tempfile.TemporaryDirectory() as top, open(f"{top}/log", "w+") as log:
        env = {"PATH": os.environ["PATH"], "ROTEL_PID_FILE": f"{top}/pid", "ROTEL_LOG_FILE": f"{top}/agent.log"}
        collector = subprocess.Popen(words, stdout=log, stderr=log, env=env)
        try:
            wait_for(port)
            run(windlass, f"http://127.0.0.1:{port}")
            time.sleep(1)
        finally:
            collector.terminate()
            collector.wait()
        log.seek(0)
        written = log.read()
    spans = written.count("\nSpan #")
    assert spans >= 10 and "invoke_workflow till" in written and "gen_ai.operation.name" in written, written
    print(f"rotel: {spans} spans")


def wait_for(port):
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the collector does not start")


if __name__ == "__main__":
    decoded(sys.argv[1])
    collected(sys.argv[1])
