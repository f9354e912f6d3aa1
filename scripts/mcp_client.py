"""A plan from its document to landed commits through `windlass mcp`, by the official MCP SDK. See scripts/mcp-client."""

import asyncio
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
import mcp_types as types

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "crates/windlass/demo"
TOKENS = 2000
SECONDS = 2.0


def environment(home):
    return {"PATH": os.environ["PATH"], "HOME": str(home), "WINDLASS_TRUST": "1", "GIT_CONFIG_NOSYSTEM": "1"}


def make(top):
    home, repo = top / "home", top / "repo"
    home.mkdir()
    repo.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = T\n\temail = t@example.org\n")
    shutil.copytree(SAMPLE / "till/docs", repo / "docs")
    shutil.copy(SAMPLE / "till/agent.sh", top / "agent.sh")
    (repo / "windlass.toml").write_text(f'[agents.mine]\ncommand = "sh {top}/agent.sh"\n')
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
        subprocess.run(["git", *command], cwd=repo, env=environment(home), check=True)
    return home, repo


class Tried:
    def __init__(self, client):
        self.client, self.longest, self.largest = client, 0.0, 0

    async def call(self, tool, **arguments):
        since = time.monotonic()
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content)
        self.longest = max(self.longest, time.monotonic() - since)
        self.largest = max(self.largest, len(text) // 4)
        return text, bool(result.is_error)

    async def whole(self, tool, **arguments):
        """An answer with everything it had to be asked again for."""
        text, error = await self.call(tool, **arguments)
        for _ in range(200):
            again = re.search(r'status {"job": "(job-\w+)", "offset": (\d+)}', text.splitlines()[-1] if text else "")
            if not again:
                return text, error
            await asyncio.sleep(0.2)
            more, error = await self.call("status", job=again[1], offset=int(again[2]))
            text = text.rsplit("[", 1)[0] + more
        raise SystemExit(f"{tool} does not end: {text}")


async def story(windlass, mode):
    top = pathlib.Path(tempfile.mkdtemp(prefix="windlass-mcp-"))
    home, repo = make(top)
    server = StdioServerParameters(command=windlass, args=["mcp"], cwd=repo, env=environment(home))

    asked = []

    async def person(context, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"approve": True})

    async with Client(stdio_client(server), mode=mode, elicitation_callback=person) as client:
        tried = Tried(client)
        tools = (await client.list_tools()).tools
        assert len(tools) == 8, tools
        review, error = await tried.whole("plan", documents=["docs/specs"])
        assert not error and "AC-003" in review, review
        assert not (repo / "plans").exists(), "a review writes nothing"
        written, error = await tried.whole("plan", documents=["docs/specs"], write=True)
        assert not error, written
        plan = next((repo / "plans").iterdir())
        first = next((plan / "tasks").glob("T001*"))
        first.write_text(first.read_text().replace("---\n", "---\nrequires_approval: true\n", 1))
        subprocess.run(["git", "add", "-A"], cwd=repo, check=True, env=environment(home))
        subprocess.run(["git", "commit", "-q", "-m", "plan"], cwd=repo, check=True, env=environment(home))
        run = dict(plan=f"plans/{plan.name}", agent="mine", accept_warnings=True)
        said, error = await tried.whole("run", **run)
        assert not error and "approve" in said, said
        approved, error = await tried.call("act", action="approve", task="T001")
        assert not error and asked, approved
        said, error = await tried.whole("run", **run)
        assert not error, said
        status, _ = await tried.call("status")
        report, error = await tried.whole("report", format="markdown")
        assert not error and "AC-003" in report, report
        landed, error = await tried.whole("land")
        assert not error, landed
        assert (repo / "src/total.sh").exists(), status
        refused, error = await tried.call("run", agent="cmd:touch x")
        assert error and "is a command" in refused, refused
        print(f"{mode}: approved and landed; longest answer {tried.longest:.1f} s, largest about {tried.largest} tokens")
        assert tried.longest <= SECONDS and tried.largest <= TOKENS, "an answer is too slow or too long"


TASK = """---
id: {id}
title: Say {id}
test_file: tests/{id}_test.sh
depends_on: [{after}]
---

# {id}

As the title says.

## Test Specification

```sh
# tests/{id}_test.sh
echo 1..1
if [ "$(sh {id}.sh 2>&1)" = {id} ]; then echo 'ok 1 - says {id}'; else echo 'not ok 1 - says {id}'; exit 1; fi
```

## Output Files

```
WRITE: {id}.sh
WRITE: tests/{id}_test.sh
```

## Verification (Deterministic)

```bash
sh tests/{id}_test.sh
```
"""


def large_plan(repo, tasks):
    """A plan of so many tasks, each after the one a hundred before it."""
    folder = repo / "plans/large/tasks"
    folder.mkdir(parents=True)
    (folder.parent / "plan.toml").write_text('name = "large"\n')
    for n in range(tasks):
        after = f'"s{n - 100:04}"' if n >= 100 else ""
        (folder / f"s{n:04}.md").write_text(TASK.format(id=f"s{n:04}", after=after))


async def large(windlass, mode, tasks):
    """Every tool on a large plan, by a client that goes away while the run is at work."""
    top = pathlib.Path(tempfile.mkdtemp(prefix="windlass-mcp-"))
    home, repo = make(top)
    large_plan(repo, tasks)
    say = 'id=$WINDLASS_TASK; echo "echo $id" > $id.sh'
    (repo / "windlass.toml").write_text(f"[agents.mine]\ncommand = '{say}'\n")
    for command in (["add", "-A"], ["commit", "-q", "-m", "plan"]):
        subprocess.run(["git", *command], cwd=repo, env=environment(home), check=True)
    server = StdioServerParameters(command=windlass, args=["mcp"], cwd=repo, env=environment(home))
    seen = {}

    async def call(client, tool, **arguments):
        tried = Tried(client)
        text, error = await tried.call(tool, **arguments)
        tool += " since" if "since" in arguments else ""
        longest, largest = seen.get(tool, (0.0, 0))
        seen[tool] = (max(longest, tried.longest), max(largest, tried.largest))
        return text, error

    plan = "plans/large"
    # A client that gives up after a minute, as most do.
    async with Client(stdio_client(server), mode=mode, read_timeout_seconds=60) as client:
        await call(client, "plan", documents=["docs/specs"])
        await call(client, "check", plan=plan)
        await call(client, "run", plan=plan, agent="mine", dry_run=True, accept_warnings=True)
        said, error = await call(client, "run", plan=plan, agent="mine", until=["s0100"], accept_warnings=True)
        assert not error, said
    async with Client(stdio_client(server), mode=mode, read_timeout_seconds=60) as client:
        for _ in range(300):
            status, _ = await call(client, "status", plan=plan)
            shown, error = await call(client, "show", plan=plan, task="s0100")
            if not error and "completed" in shown:
                break
            await asyncio.sleep(1)
        assert "completed" in shown, (shown, status)
        await call(client, "status", plan=plan, since=0)
        await call(client, "report", plan=plan)
        await call(client, "act", plan=plan, action="pause")
        await call(client, "land", plan=plan)
    for tool, (longest, largest) in seen.items():
        print(f"{mode}, {tasks} tasks, {tool}: {longest:.2f} s, about {largest} tokens")
    assert max(largest for _, largest in seen.values()) <= TOKENS, "an answer is too long"
    assert max(longest for longest, _ in seen.values()) <= SECONDS, "an answer is too slow"


if len(sys.argv) > 2:
    for mode in ("legacy", "2026-07-28"):
        asyncio.run(large(sys.argv[1], mode, int(sys.argv[2])))
else:
    for mode in ("legacy", "2026-07-28", "auto"):
        asyncio.run(story(sys.argv[1], mode))
