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
        assert tried.longest <= SECONDS + 1 and tried.largest <= TOKENS, "an answer is too slow or too long"


for mode in ("legacy", "2026-07-28", "auto"):
    asyncio.run(story(sys.argv[1], mode))
