"""A stand-in for the part of a Kubernetes cluster that `kubectl run --stdin --rm` uses; the client is the real one.

Pods are processes of this machine, started with the command of their first container. Discovery, creating, getting, watching and
deleting a pod are answered as an API server does, and `attach` speaks the WebSocket subprotocol `v5.channel.k8s.io`: the first byte of
a message names its stream (0 standard input, 1 output, 2 errors, 3 the end as a status), and `255 0` closes standard input. Nothing
else of Kubernetes is here: no other resources, no images, no rights.
"""

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VERBS = ["create", "delete", "get", "list", "watch"]
RESOURCES = {
    "kind": "APIResourceList",
    "apiVersion": "v1",
    "groupVersion": "v1",
    "resources": [
        {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": VERBS, "shortNames": ["po"]},
        {"name": "pods/attach", "singularName": "", "namespaced": True, "kind": "PodAttachOptions", "verbs": ["create", "get"]},
    ],
}
SUCCESS = json.dumps({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}).encode()


class Pod:
    """A pod and its one process."""

    def __init__(self, cluster, spec):
        self.cluster, self.spec = cluster, spec
        container = spec["spec"]["containers"][0]
        spec.setdefault("metadata", {}).update(
            uid=f"uid-{spec['metadata']['name']}", namespace="default", creationTimestamp="2026-01-01T00:00:00Z"
        )
        self.name, self.code = spec["metadata"]["name"], None
        command = [*container.get("command", []), *container.get("args", [])]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=cluster.env, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cluster.home, start_new_session=True
        )
        threading.Thread(target=self.await_end, daemon=True).start()

    def await_end(self):
        """Notes how the process ended."""
        self.code = self.process.wait()
        self.cluster.changed("MODIFIED", self)

    def told(self):
        """The pod as the API shows it."""
        name = self.spec["spec"]["containers"][0]["name"]
        if self.code is None:
            phase, state = "Running", {"running": {"startedAt": "2026-01-01T00:00:00Z"}}
        else:
            phase = "Succeeded" if self.code == 0 else "Failed"
            state = {"terminated": {"exitCode": self.code & 0xFF, "reason": "Completed" if self.code == 0 else "Error"}}
        ready = self.code is None
        status = {
            "phase": phase,
            "conditions": [{"type": "Ready", "status": str(ready)}],
            "containerStatuses": [{"name": name, "ready": ready, "restartCount": 0, "image": "i", "imageID": "", "state": state}],
        }
        metadata = dict(self.spec["metadata"], resourceVersion=str(self.cluster.version))
        return {"kind": "Pod", "apiVersion": "v1", "metadata": metadata, "spec": self.spec["spec"], "status": status}

    def kill(self):
        """What an eviction or the death of its node does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, 9)


class Cluster:
    """The pods, and everybody who watches them."""

    def __init__(self, env, home):
        self.env, self.home, self.version = env, home, 1
        self.pods, self.watchers, self.lock = {}, [], threading.RLock()
        self.created = 0
        cluster = self

        class Handler(ApiHandler):
            """Answers for this cluster."""

            def setup(self):
                self.cluster = cluster
                super().setup()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def kubeconfig(self, path):
        """Writes what leads `kubectl` here."""
        server = f"http://127.0.0.1:{self.server.server_address[1]}"
        cluster, context = {"name": "c", "cluster": {"server": server}}, {"name": "c", "context": {"cluster": "c", "user": "u"}}
        config = {
            "apiVersion": "v1", "kind": "Config", "clusters": [cluster], "contexts": [context],
            "users": [{"name": "u", "user": {}}], "current-context": "c",
        }
        path.write_text(json.dumps(config))

    def changed(self, kind, pod):
        """Tells everybody who watches."""
        with self.lock:
            self.version += 1
            event = (json.dumps({"type": kind, "object": pod.told()}) + "\n").encode()
            for name, queue in self.watchers:
                if name in (None, pod.name):
                    queue.append(event)

    def clean(self):
        """Ends everything."""
        self.server.shutdown()
        for pod in list(self.pods.values()):
            pod.kill()


class ApiHandler(BaseHTTPRequestHandler):
    """The API server."""

    protocol_version = "HTTP/1.1"
    cluster = None

    def log_message(self, *_args):
        """Says nothing."""

    def answer(self, code, body):
        """Sends JSON."""
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, code, reason, message):
        """Sends a failure as the API does."""
        status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message, "code": code}
        self.answer(code, status)

    def asked(self):
        """The path and the questions of a request; the name of a pod if it is about one."""
        url = urllib.parse.urlsplit(self.path)
        query = {key: values[0] for key, values in urllib.parse.parse_qs(url.query).items()}
        name = url.path.removeprefix("/api/v1/namespaces/default/pods/").split("/")[0]
        return url.path.rstrip("/"), query, name or None

    def do_GET(self):
        """Discovery, pods, watches, and attaching."""
        path, query, name = self.asked()
        if path == "/api":
            return self.answer(200, {"kind": "APIVersions", "versions": ["v1"]})
        if path == "/apis":
            return self.answer(200, {"kind": "APIGroupList", "apiVersion": "v1", "groups": []})
        if path == "/api/v1":
            return self.answer(200, RESOURCES)
        if path.endswith("/attach"):
            return self.attach(self.cluster.pods.get(name))
        if name:
            pod = self.cluster.pods.get(name)
            return self.answer(200, pod.told()) if pod else self.refuse(404, "NotFound", f'pods "{name}" not found')
        if path == "/api/v1/namespaces/default/pods":
            field = query.get("fieldSelector", "")
            only = field.removeprefix("metadata.name=") if field.startswith("metadata.name=") else None
            if query.get("watch") in ("true", "1"):
                return self.watch(only)
            pods = [pod.told() for pod in self.cluster.pods.values() if only in (None, pod.name)]
            version = {"resourceVersion": str(self.cluster.version)}
            return self.answer(200, {"kind": "PodList", "apiVersion": "v1", "metadata": version, "items": pods})
        return self.refuse(404, "NotFound", "the server could not find the requested resource")

    def do_POST(self):
        """Creates a pod, or attaches to one."""
        path, _, name = self.asked()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path.endswith("/attach"):
            return self.refuse(400, "BadRequest", "only WebSockets are spoken here")
        if path != "/api/v1/namespaces/default/pods" or name:
            return self.refuse(404, "NotFound", "the server could not find the requested resource")
        spec = json.loads(body)
        with self.cluster.lock:
            if spec["metadata"]["name"] in self.cluster.pods:
                name = spec["metadata"]["name"]
                return self.refuse(409, "AlreadyExists", f'pods "{name}" already exists')
            pod = Pod(self.cluster, spec)
            self.cluster.pods[pod.name] = pod
            self.cluster.created += 1
        self.cluster.changed("ADDED", pod)
        return self.answer(201, pod.told())

    def do_DELETE(self):
        """Ends and removes a pod."""
        _, _, name = self.asked()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.cluster.lock:
            pod = self.cluster.pods.pop(name, None)
        if pod is None:
            return self.refuse(404, "NotFound", f'pods "{name}" not found')
        pod.kill()
        self.cluster.changed("DELETED", pod)
        return self.answer(200, pod.told())

    def watch(self, only):
        """Sends what changes until nobody listens."""
        queue = []
        with self.cluster.lock:
            self.cluster.watchers.append((only, queue))
            for pod in self.cluster.pods.values():
                if only in (None, pod.name):
                    queue.append((json.dumps({"type": "ADDED", "object": pod.told()}) + "\n").encode())
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while True:
                while queue:
                    event = queue.pop(0)
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
                    self.wfile.flush()
                try:
                    if self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
                        break
                except BlockingIOError:
                    time.sleep(0.02)
        except OSError:
            pass
        self.close_connection = True

    def attach(self, pod):
        """Carries the streams of a pod."""
        if pod is None:
            return self.refuse(404, "NotFound", "there is no such pod")
        wanted = [word.strip() for word in self.headers.get("Sec-WebSocket-Protocol", "").split(",")]
        if self.headers.get("Upgrade", "").lower() != "websocket" or "v5.channel.k8s.io" not in wanted:
            return self.refuse(400, "BadRequest", "only v5.channel.k8s.io is spoken here")
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.send_header("Sec-WebSocket-Protocol", "v5.channel.k8s.io")
        self.end_headers()
        self.wfile.flush()
        Attachment(self.connection, self.rfile, pod).carry()
        self.close_connection = True


class Attachment:
    """A WebSocket between `kubectl` and the streams of a pod."""

    def __init__(self, connection, reader, pod):
        self.connection, self.reader, self.pod, self.lock = connection, reader, pod, threading.Lock()

    def send(self, payload, opcode=2):
        """Sends one message."""
        size = len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([size]) if size < 126 else struct.pack(">BH", 126, size) if size < 1 << 16 else struct.pack(">BQ", 127, size)
        with self.lock:
            self.connection.sendall(head + payload)

    def carry(self):
        """Carries until one side is done."""
        outputs = [self.outward(1, self.pod.process.stdout), self.outward(2, self.pod.process.stderr)]
        threading.Thread(target=self.end, args=(outputs,), daemon=True).start()
        try:
            self.inward()
        except (OSError, ValueError):
            pass
        # A pod that `kubectl run` made reads from its first attachment only (`stdinOnce`).
        try:
            self.pod.process.stdin.close()
        except OSError:
            pass

    def outward(self, channel, stream):
        """Sends what a stream says, in a thread."""

        def send_all():
            try:
                while data := os.read(stream.fileno(), 1 << 15):
                    self.send(bytes([channel]) + data)
            except OSError:
                pass

        thread = threading.Thread(target=send_all, daemon=True)
        thread.start()
        return thread

    def end(self, outputs):
        """Says how the process ended."""
        for thread in outputs:
            thread.join()
        self.pod.process.wait()
        try:
            self.send(b"\x03" + SUCCESS)
            self.send(struct.pack(">H", 1000), 8)
        except OSError:
            pass

    def exactly(self, count):
        """That many bytes."""
        data = self.reader.read(count)
        if len(data) < count:
            raise ValueError("the connection is closed")
        return data

    def inward(self):
        """Hands what comes in to the process."""
        while True:
            first, second = self.exactly(2)
            size = second & 127
            if size == 126:
                (size,) = struct.unpack(">H", self.exactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self.exactly(8))
            mask = self.exactly(4) if second & 128 else b"\0\0\0\0"
            data = self.exactly(size)
            whole = int.from_bytes(data, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")
            data = whole.to_bytes(size, "big")
            opcode = first & 15
            if opcode == 8:
                return
            if opcode == 9:
                self.send(data, 10)
            elif opcode in (0, 1, 2) and data[:1] == b"\0":
                self.hand_over(data[1:])
            elif data[:2] == b"\xff\0":
                self.pod.process.stdin.close()

    def hand_over(self, data):
        """Writes all of it."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.pod.process.stdin.fileno(), view):]
