//! What `windlass.toml` may say, and what is said about it.

use crate::plans;
use crate::space::Space;

#[test]
fn every_mistake_at_once() {
    let space = Space::new();
    plans::whole(&space);
    space.write(
        "windlass.toml",
        "plan = \"plans/shop\"\njobs = 3\n\n[limits]\njobz = 4\nattempt = \"half an hour\"\nstep = true\n\n\
         [verify]\ntype_check = \"atuo\"\ndocs = 1\n\n[agents]\nsmal = \"mechanical\"\n\n[agents.fast]\ncomand = \"x\"\n",
    );
    insta::assert_snapshot!(space.run(&["check"]), @r#"
    --- told
    error[WL0902]: unknown key `jobs`
      --> windlass.toml:2:1
       |
     2 | jobs = 3
       | ^^^^
       = help: `jobs` belongs under `[limits]`

    error[WL0902]: unknown key `jobz` in `[limits]`
      --> windlass.toml:5:1
       |
     5 | jobz = 4
       | ^^^^
       = help: did you mean `jobs`?

    error[WL0904]: `limits.attempt` is not a time
      --> windlass.toml:6:11
       |
     6 | attempt = "half an hour"
       |           ^^^^^^^^^^^^^^
       = help: write `"90s"`, `"30m"`, `"1h 30m"`, or a number of seconds above 0

    error[WL0903]: `limits.step` is a truth value, expected a time such as `"30m"`, `"120s"` or a number of seconds
      --> windlass.toml:7:8
       |
     7 | step = true
       |        ^^^^

    error[WL0904]: `verify.type_check` must be `"on"`, `"off"` or `"auto"`
       --> windlass.toml:10:14
        |
     10 | type_check = "atuo"
        |              ^^^^^^
        = help: did you mean "auto"?

    error[WL0903]: `verify.docs` is a whole number, expected `"approve"` or `"pass"`
       --> windlass.toml:11:8
        |
     11 | docs = 1
        |        ^

    error[WL0902]: unknown key `smal` in `[agents]`
       --> windlass.toml:14:1
        |
     14 | smal = "mechanical"
        | ^^^^
        = help: did you mean `small`?

    error[WL0902]: unknown key `comand` in `[agents.fast]`
       --> windlass.toml:17:1
        |
     17 | comand = "x"
        | ^^^^^^
        = help: did you mean `command`?

    error: `windlass.toml` has 8 mistakes
    --- exit 2
    "#);
}

#[test]
fn not_toml() {
    let space = Space::new();
    space.write("windlass.toml", "plan = \"a\nprofile = [1,\n[limits]\njobs == 2\n");
    insta::assert_snapshot!(space.run(&["check"]), @r#"
    --- told
    error[WL0901]: invalid basic string, expected `"`
      --> windlass.toml:1:10
       |
     1 | plan = "a
       |          ^

    error[WL0901]: string values must be quoted, expected literal string
      --> windlass.toml:3:2
       |
     3 | [limits]
       |  ^^^^^^

    error[WL0901]: missing comma between array elements, expected `,`
      --> windlass.toml:4:1
       |
     4 | jobs == 2
       | ^

    error: `windlass.toml` has 3 mistakes
    --- exit 2
    "#);
}

#[test]
fn a_file_with_every_key_is_taken() {
    let space = Space::new();
    plans::whole(&space);
    space.write(
        "windlass.toml",
        r#"
plan = "plans/shop"
branch_prefix = "w/"
profile = "default"
auto_mode = true

[agents]
small = "mechanical"
medium = "fast"
large = "cmd:./agent.sh"

[agents.fast]
command = "./fast.sh"
model = "m"
env = ["TOKEN"]
timeout = "10m"
idle = 60

[limits]
jobs = 4
attempt = "1h 30m"
step = 120
verification = "300s"
idle = "5m"
max_cost_usd = 12.5
max_tokens = 1_000_000
max_output_bytes = 1_000_000
tiers = { large = 1 }

[ladder]
bug_hunter = 3
same_agent = 2
fresh_agent = 1
tier_up = 1
identical = 3
rounds_without_progress = 3

[verify]
suite = "make test"
type_check = "on"
lint = "off"
contract = "auto"
coverage = "auto"
env = ["DATABASE_URL"]
docs = "pass"

[[verify.services]]
name = "db"
command = "postgres"
ready = "pg_isready"
timeout = "30s"
stop = "pg_ctl stop"

[setup]
command = "npm ci"
inputs = ["package-lock.json"]
outputs = ["node_modules"]

[slot]
copy = [".env.test"]

[format]
off = false
hooks = "auto"
commands = { "*.py" = "ruff format" }

[lint]
WL0307 = "off"

[commit]
sign = false
signoff = true
message = "{id} {title}"

[pools]
db = 2

[planning]
depth = 3
"#,
    );
    insta::assert_snapshot!(space.run(&["check"]), @"
    plan `shop` (native, 3 tasks): no findings
    --- exit 0
    ");
}

#[test]
fn rules_are_set_by_code_and_by_name() {
    let space = Space::new();
    plans::broken(&space);
    space.write("windlass.toml", "[lint]\nno-proof = \"off\"\nWL0310 = \"note\"\nno-prof = \"off\"\n");
    insta::assert_snapshot!(space.run(&["check"]), @r#"
    --- told
    error[WL0902]: there is no rule `no-prof`
      --> windlass.toml:4:1
       |
     4 | no-prof = "off"
       | ^^^^^^^
       = help: did you mean `no-proof`?

    error: `windlass.toml` has a mistake
    --- exit 2
    "#);
    space.write("windlass.toml", "[lint]\nno-proof = \"warning\"\nWL0151 = \"off\"\n");
    insta::assert_snapshot!(space.run(&["check"]), @"
    error[WL0151]: `c` depends on `bb`, which is not in the plan
      --> plans/shop/tasks/c.md:4:17
       |
     4 | depends_on: [b, bb]
       |                 ^^

    warning[WL0301]: nothing verifies `c`
      --> plans/shop/tasks/c.md:8:3
       |
     8 | # Write the page
       |   ^^^^^^^^^^^^^^
       = help: give it a test file, a verification script, or one of the reasons for having no test

    plan `shop` (native, 3 tasks): 1 error, 1 warning
    for more on a finding: windlass explain WL0151
    --- exit 1
    ");
    insta::assert_snapshot!(space.run(&["explain", "WL0902"]), @"
    windlass.toml has a key that Windlass does not read. A key with a typing mistake would silently do nothing, so it is refused. `windlass explain windlass.toml` lists every key.
    --- exit 0
    ");
}
