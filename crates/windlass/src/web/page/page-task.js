// One task: what it is, what was tried, what was said, what it changed, what proves it.

import { h, heads, put } from "./dom.js";
import { ask, store } from "./store.js";
import {
  STANDINGS,
  badge,
  clock,
  coded,
  counted,
  money,
  short,
  stateBadge,
  stepList,
  strip,
  taskLink,
  time,
} from "./words.js";
import { offerButtons } from "./steer.js";
import * as diff from "./page-diff.js";
import * as log from "./page-log.js";

export const title = (args) => args[0];
export const same = (a, b) => a[0] === b[0];

const TABS = [
  ["", "Task"],
  ["attempts", "Attempts"],
  ["log", "Log"],
  ["diff", "Change"],
  ["evidence", "Evidence"],
  ["brief", "Brief"],
];

export function show(root, args) {
  const id = args[0];
  let tab = args[1] || "";
  let doc = null;
  let inner = null;
  let stopped = false;
  let late = null;
  const top = h("div", { class: "task-head" });
  const tabs = h("nav", { class: "tabs", "aria-label": "Parts of the task" });
  const body = h("div", { class: "task-body" });
  root.append(top, tabs, body);

  async function load() {
    const fresh = await ask("/api/task", { id });
    if (stopped) return;
    doc = fresh;
    drawTop(doc.row);
    if (!inner?.own) drawBody();
  }

  function drawTop(row) {
    const facts = [
      row.attempt ? `attempt ${row.attempt}${row.rung ? ` (${row.rung})` : ""}` : "",
      row.agent,
      row.attempt ? time(store.worked(row)) : "",
      row.cost_usd !== undefined ? money(row.cost_usd) : "",
      row.tokens ? `${short(row.tokens)} tokens` : "",
      ...(doc.phases || []),
    ].filter(Boolean);
    const focus = document.activeElement?.closest(".task-head") ? document.activeElement.dataset.keep : null;
    put(
      top,
      h(
        "div",
        { class: "row" },
        h("h1", {}, h("span", { class: "id" }, row.id), " ", row.title),
        h("span", { class: "row end" }, offerButtons(doc.offers, row.id, { text: row.why, files: wantedFiles() })),
      ),
      h(
        "div",
        { class: "row wrap" },
        stateBadge(row.state),
        row.stale ? h("span", { class: "badge warn" }, "≠ the plan changed") : null,
        strip(row.steps),
        h(
          "span",
          { class: "facts" },
          facts.map((f) => h("span", {}, f)),
        ),
        row.commit ? h("code", {}, row.commit) : null,
      ),
      row.why ? h("p", { class: "why" }, coded(row.why)) : null,
      row.doing ? h("p", { class: "doing" }, "now: ", row.doing) : null,
    );
    if (focus) top.querySelector(`[data-keep="${CSS.escape(focus)}"]`)?.focus();
  }

  const wantedFiles = () => (doc.history.blocked?.files || []).map((f) => f[0]);

  function drawBody() {
    put(
      tabs,
      TABS.map(([name, label]) =>
        h("a", { href: taskLink(id, name), "aria-current": name === tab ? "page" : undefined }, label),
      ),
    );
    inner?.stop?.();
    inner = null;
    body.replaceChildren();
    if (tab === "log") inner = { own: true, ...log.show(body, id) };
    else if (tab === "diff") inner = { own: true, ...diff.show(body, id) };
    else if (tab === "brief") inner = { own: true, ...brief(body, id) };
    else put(body, { attempts, evidence }[tab]?.(doc) || overview(doc));
  }

  const deaf = store.listen((change) => {
    if (change.link || late) return;
    const mine = (change.rows || []).find((row) => row.id === id);
    if (mine && doc) {
      doc.row = mine;
      drawTop(mine);
    }
    if (mine || change.reload)
      late = setTimeout(() => {
        late = null;
        load().catch(() => {});
      }, 250);
  });
  const tick = setInterval(() => {
    if (doc?.row.began) drawTop(doc.row);
  }, 1000);
  load().catch((error) =>
    put(
      body,
      h(
        "p",
        { class: "empty" },
        error.message,
        (error.hints || []).map((t) => [h("br", {}), ...coded(t)]),
      ),
    ),
  );
  return {
    turn(next) {
      tab = next[1] || "";
      if (doc) drawBody();
    },
    stop() {
      stopped = true;
      deaf();
      clearInterval(tick);
      clearTimeout(late);
      inner?.stop?.();
    },
  };
}

const section = (name, ...content) => h("section", {}, h("h2", {}, name), ...content);
const fact = (name, ...value) =>
  value.flat().filter(Boolean).length ? [h("dt", {}, name), h("dd", {}, ...value)] : [];
const fileList = (list) =>
  h(
    "ul",
    { class: "files" },
    list.map((path) => h("li", {}, h("code", {}, path))),
  );
const others = (list) =>
  h(
    "ul",
    { class: "links" },
    list.map(([id, name, state]) =>
      h("li", {}, stateBadge(state, true), h("a", { class: "id", href: taskLink(id) }, id), " ", name),
    ),
  );

function overview(doc) {
  const plan = doc.planned || {};
  const files = plan.files || {};
  const texts = new Map((plan.criteria || []).map((c) => [c.id, c.text]));
  const criteria = doc.task.criteria || [];
  const owned = [
    ["creates", files.create],
    ["changes", files.modify],
    ["deletes", files.delete],
    ["reads", files.read],
  ].filter(([, list]) => list?.length);
  return h(
    "div",
    { class: "columns" },
    h(
      "div",
      {},
      plan.objective || plan.description
        ? section(
            "What it is to achieve",
            [plan.objective, plan.description].filter(Boolean).map((text) => h("p", { class: "prose" }, coded(text))),
          )
        : null,
      criteria.length
        ? section(
            "Criteria",
            h(
              "ul",
              { class: "criteria" },
              criteria.map((c) =>
                h(
                  "li",
                  {},
                  badge(STANDINGS, c.standing),
                  h("span", { class: "id" }, c.criterion),
                  " ",
                  coded(texts.get(c.criterion)),
                  (c.tests || []).map((test) => h("code", { class: "block" }, test)),
                ),
              ),
            ),
          )
        : null,
      section(
        "Steps",
        h(
          "ol",
          { class: "steps" },
          stepList(doc.row.steps).map(([name, mark, state]) =>
            h(
              "li",
              { class: `step-${state}` },
              h("span", { class: "mark", "aria-hidden": "true" }, mark),
              name,
              h("small", { class: "muted" }, ` ${state}`),
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      {},
      doc.needs.length ? section(`Needs ${counted(doc.needs.length, "task")}`, others(doc.needs)) : null,
      doc.needed_by.length
        ? section(
            `${counted(doc.needed_by.length, "task")} need${doc.needed_by.length === 1 ? "s" : ""} it`,
            others(doc.needed_by),
          )
        : null,
      owned.length
        ? section(
            "Files",
            owned.map(([name, list]) => [h("h3", {}, name), fileList(list)]),
          )
        : null,
      doc.history.findings?.length
        ? section(
            "Remarks",
            h(
              "ul",
              {},
              doc.history.findings.map((text) => h("li", {}, coded(text))),
            ),
          )
        : null,
    ),
  );
}

function attempts(doc) {
  const all = [...(doc.task.attempts || [])].reverse();
  if (!all.length) return h("p", { class: "empty" }, "It was not tried yet.");
  const past = new Map(doc.history.attempts.map((a) => [a.no, a]));
  return h(
    "div",
    {},
    all.map((one) => {
      const more = past.get(one.attempt) || {};
      const tone =
        one.outcome === "merged" ? "good" : one.outcome === "open" ? "work" : one.outcome === "waits" ? "ask" : "bad";
      const mark = { good: "✓", work: "▶", ask: "■", bad: "✗" }[tone];
      return h(
        "article",
        { class: `card ${tone}` },
        h(
          "div",
          { class: "card-head" },
          h("span", { class: `badge ${tone}` }, h("span", { class: "mark", "aria-hidden": "true" }, mark), one.outcome),
          h("b", {}, `Attempt ${one.attempt}`),
          h(
            "span",
            { class: "muted" },
            `${one.rung} · ${one.agent}${one.place ? ` at ${one.place}` : ""} · ${one.tier} · ${clock(one.started)} · ${time(one.seconds * 1000)}`,
          ),
        ),
        one.why ? h("p", {}, coded(one.why)) : null,
        h(
          "div",
          { class: "wide" },
          h(
            "table",
            { class: "plain", "aria-label": `Turns of attempt ${one.attempt}` },
            heads(["Part", "Agent", "Claim", "#Took", "#Tokens", "#Cost"]),
            h(
              "tbody",
              {},
              one.turns.map((t) =>
                h(
                  "tr",
                  {},
                  h("td", {}, t.role),
                  h("td", {}, [t.agent, t.model].filter(Boolean).join(" · ")),
                  h("td", {}, t.verdict || t.claim),
                  h("td", { class: "num" }, time(t.seconds * 1000)),
                  h("td", { class: "num" }, short(t.input_tokens + t.output_tokens)),
                  h("td", { class: "num" }, t.cost_usd === null ? "unknown" : money(t.cost_usd)),
                ),
              ),
            ),
          ),
        ),
        h(
          "dl",
          { class: "facts-list" },
          fact("red", more.red ? `${counted(more.red.tests.length, "test")} seen failing` : ""),
          fact("left out", ...(more.left_out?.paths || []).map((p) => h("code", { class: "block" }, p.path || p))),
          fact("reviews", (more.reviews || []).map((v) => v.verdict || "").join(", ")),
        ),
      );
    }),
  );
}

function evidence(doc) {
  const record = doc.evidence;
  if (!record)
    return h(
      "p",
      { class: "empty" },
      doc.history.merged
        ? "The evidence record is not in this repository."
        : "It is not merged, so there is no evidence yet.",
    );
  const green = record.green;
  const gates = (green.gates || []).map((gate) =>
    h(
      "article",
      { class: "card good" },
      h(
        "div",
        { class: "card-head" },
        h("span", { class: "badge good" }, h("span", { class: "mark", "aria-hidden": "true" }, "✓"), gate.gate),
        h(
          "span",
          { class: "muted" },
          `${gate.exit === undefined || gate.exit === null ? "" : `exit ${gate.exit} · `}${time(gate.millis || 0)}`,
        ),
      ),
      h("pre", {}, (gate.command || "").trim()),
      tests(gate.report),
    ),
  );
  return h(
    "div",
    {},
    section(
      "What was seen",
      h(
        "dl",
        { class: "facts-list" },
        fact("tree", h("code", {}, green.tree), " on ", h("code", {}, record.onto)),
        fact("contained by", green.containment),
        fact("environment", (green.environment || []).join(" ")),
        fact(
          "changes",
          h(
            "ul",
            { class: "files" },
            record.changes.map((c) =>
              h(
                "li",
                {},
                h("code", {}, c.path),
                record.owned.includes(c.path) ? "" : h("b", { class: "bad" }, " not its own"),
              ),
            ),
          ),
        ),
        fact("canaries", canaries(green.canaries)),
        fact("run again", green.repeated ? `${green.repeated.times} times: ${green.repeated.why}` : ""),
      ),
    ),
    record.red
      ? section(
          `Seen red: ${counted(record.red.tests.length, "test")}`,
          h(
            "ul",
            { class: "tests" },
            record.red.tests.slice(0, 200).map((name) => {
              const seen = record.red.seen?.[name];
              return h(
                "li",
                {},
                h("span", { class: "bad", "aria-hidden": "true" }, "✗ "),
                h("code", {}, name),
                seen ? h("small", { class: "muted" }, ` ${[seen.reason, seen.said].filter(Boolean).join(": ")}`) : null,
              );
            }),
          ),
        )
      : null,
    green.bites?.length
      ? section(
          "How each test bites",
          h(
            "p",
            { class: "muted" },
            "One expected value of a test was changed, or the code under it was made wrong: a test that bites fails then.",
          ),
          h("ul", { class: "tests" }, green.bites.slice(0, 300).map(bite)),
        )
      : null,
    record.mutants?.length
      ? section(
          "Wrong versions of the code",
          h(
            "ul",
            { class: "tests" },
            record.mutants
              .slice(0, 100)
              .map((m) =>
                h(
                  "li",
                  {},
                  h(
                    "span",
                    { class: m.failed?.length ? "good" : "warn" },
                    m.failed?.length ? "✓ noticed " : "○ not noticed ",
                  ),
                  h("code", {}, m.path),
                  ` ${m.change}`,
                  m.failed?.[0] ? h("small", { class: "muted" }, ` by ${m.failed[0]}`) : null,
                ),
              ),
          ),
        )
      : null,
    section("Seen green", gates),
  );
}

const canaries = (c) =>
  !c
    ? ""
    : c.names
      ? `${counted(c.names.length, "test")} laid among them, and failed`
      : c.why
        ? `none: ${c.why}`
        : JSON.stringify(c);

function bite(one) {
  if (one.bite === "failed") {
    return h(
      "li",
      {},
      h("span", { class: "good" }, "✓ bites "),
      h("code", {}, one.test),
      h(
        "small",
        { class: "block muted" },
        "fails with ",
        one.kind === "denial" ? "a failure" : h("code", {}, one.now),
        " in place of ",
        h("code", {}, one.was),
        ` (${one.path}:${one.line}${one.kind === "denial" ? "; says less" : ""})`,
      ),
    );
  }
  const [mark, why] = one.bite === "weak" ? ["○ weak ", one.why] : ["○ unknown ", "nothing in it could be changed"];
  return h(
    "li",
    {},
    h("span", { class: "warn" }, mark),
    h("code", {}, one.test),
    h("small", { class: "muted" }, ` ${why}`),
  );
}

function tests(report) {
  const list = Object.entries(report?.tests || {});
  if (!list.length) return null;
  const marks = { passed: ["✓", "good"], failed: ["✗", "bad"], errored: ["✗", "bad"], skipped: ["–", "muted"] };
  return h(
    "details",
    { open: list.length <= 12 },
    h("summary", {}, counted(list.length, "test")),
    h(
      "ul",
      { class: "tests" },
      list.slice(0, 500).map(([name, outcome]) => {
        const [mark, tone] = marks[outcome] || ["·", "muted"];
        return h(
          "li",
          {},
          h("span", { class: tone }, `${mark} `),
          h("code", {}, name),
          outcome === "passed" ? null : h("small", {}, ` ${outcome}`),
        );
      }),
    ),
  );
}

function brief(body, id) {
  const role = h(
    "select",
    { "aria-label": "Brief for" },
    ["implementer", "test-writer", "bug-hunter", "refactor"].map((r) => h("option", { value: r }, r)),
  );
  const facts = h("span", { class: "muted" });
  const text = h("pre", { class: "brief", tabindex: "0" });
  let turn = 0;
  const load = async () => {
    const mine = (turn += 1);
    facts.textContent = "making the brief…";
    try {
      const doc = await ask("/api/brief", { id, role: role.value });
      if (mine !== turn) return;
      facts.textContent = `${doc.tokens.toLocaleString("en")} of ${doc.limit.toLocaleString("en")} tokens${doc.left_out.length ? `; left out: ${doc.left_out.join(", ")}` : ""}`;
      text.textContent = doc.text;
    } catch (error) {
      if (mine === turn) {
        facts.textContent = [error.message, ...(error.hints || [])].join(" · ");
        text.textContent = "";
      }
    }
  };
  role.addEventListener("change", load);
  body.append(h("div", { class: "tools" }, h("label", {}, "Brief for ", role), facts), text);
  load();
  return {
    stop() {
      turn += 1;
    },
  };
}
