"""An agent that speaks the Agent Client Protocol and behaves as its task is called."""

import json
import os
import sys

asked = 100


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask(method, **params):
    global asked
    asked += 1
    send({"id": asked, "method": method, "params": {"sessionId": "s-1", **params}})
    for line in sys.stdin:
        answer = json.loads(line)
        if answer.get("id") == asked:
            return answer


def update(**update):
    send({"method": "session/update", "params": {"sessionId": "s-1", "update": update}})


def good(task, cwd):
    assert "result" in ask("fs/write_text_file", path=f"{cwd}/{task}.sh", content=f"echo {task}\n")


def dies(task, cwd):
    sys.exit(3)


def lies(task, cwd):
    pass


def outside(task, cwd):
    os.symlink("/tmp", f"{cwd}/link")
    for path in ("/tmp/escaped-by-acp", f"{cwd}/../escaped-by-acp", f"{cwd}/link/escaped-by-acp", "escaped-by-acp"):
        assert "error" in ask("fs/write_text_file", path=path, content="x"), path
    assert "error" in ask("fs/read_text_file", path="/etc/passwd")
    assert "error" in ask("terminal/create", command="ls", cwd="/")
    os.remove(f"{cwd}/link")
    good(task, cwd)


def garbage(task, cwd):
    print("no message at all\n[]\n" + "x" * (5 << 20), flush=True)
    send({"id": 4711, "result": {}})
    good(task, cwd)


def terminal(task, cwd):
    made = ask("terminal/create", command=f"echo 'echo {task}' > {task}.sh; echo made")["result"]
    assert ask("terminal/wait_for_exit", **made)["result"]["exitCode"] == 0
    assert "result" in ask("terminal/release", **made)


def asks(task, cwd):
    call = {"toolCallId": "c", "kind": "edit", "title": "Write", "locations": [{"path": f"{cwd}/{task}.sh"}]}
    options = [{"optionId": "always", "kind": "allow_always"}, {"optionId": "once", "kind": "allow_once"}]
    outcome = ask("session/request_permission", toolCall=call, options=options)["result"]["outcome"]
    assert outcome == {"outcome": "selected", "optionId": "once"}, outcome
    good(task, cwd)


cwd = None
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params", {})
    if method == "initialize":
        result = {"protocolVersion": 1, "agentCapabilities": {}, "agentInfo": {"name": "e2e", "version": "1"}}
    elif method == "session/new":
        cwd = params["cwd"]
        result = {"sessionId": "s-1"}
    elif method == "session/prompt":
        task = os.environ["WINDLASS_TASK"]
        assert task in params["prompt"][0]["text"]
        globals()[task](task, cwd)
        update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "It is done."})
        result = {"stopReason": "end_turn", "usage": {"inputTokens": 70, "outputTokens": 7, "totalTokens": 77}}
    else:
        result = {}
    send({"id": message["id"], "result": result})
