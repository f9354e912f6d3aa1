//! The set-up of Node packages: scripts around npm, pnpm, yarn and bun.
//!
//! Scripts of the package itself may fail while files of it are missing, so the second try leaves them out. A package manager
//! that is not installed is fetched by npm for the time of the set-up.

use serde_json::Value;

use super::package::package;
use crate::detect::setup::{DirTree, MANAGER, ManagerRow, PathPlace, SetupPlan, is_foreign};
use crate::detect::{in_dir, text};

const NODE: ManagerRow = ManagerRow {
    applies: |here| package(here.tree, here.dir).is_some(),
    inputs: &["package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs"],
    tool: Some(("npm", "npm")),
    outputs: &["node_modules"],
    bins: &[("node_modules/.bin", PathPlace::Behind)],
    named: |here| {
        let package = package(here.tree, here.dir)?;
        let stated = package.get("packageManager")?.as_str()?;
        stated.split('@').next().map(str::to_owned)
    },
    add_members,
    ..MANAGER
};

/// The package managers of Node; the first with a lock file is used.
pub(crate) const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        name: "npm",
        program: "npm",
        versions: &[("npm", "--version"), ("node", "--version")],
        locks: &["package-lock.json", "npm-shrinkwrap.json"],
        command: |_, _| "npm ci".to_owned(),
        script: npm_ci_script,
        ..NODE
    },
    ManagerRow {
        name: "pnpm",
        program: "pnpm",
        versions: &[("pnpm", "--version"), ("node", "--version")],
        locks: &["pnpm-lock.yaml"],
        command: |_, _| "pnpm install --frozen-lockfile".to_owned(),
        script: pnpm_script,
        ..NODE
    },
    ManagerRow {
        name: "yarn",
        program: "yarn",
        versions: &[("yarn", "--version"), ("node", "--version")],
        locks: &["yarn.lock"],
        // From version 2 on the option has another name.
        command: |here, _| {
            let option = if here.has(".yarnrc.yml") { "--immutable" } else { "--frozen-lockfile" };
            format!("yarn install {option}")
        },
        script: yarn_script,
        ..NODE
    },
    ManagerRow {
        name: "bun",
        program: "bun",
        versions: &[("bun", "--version")],
        locks: &["bun.lock", "bun.lockb"],
        command: |_, _| "bun install --frozen-lockfile".to_owned(),
        script: bun_script,
        ..NODE
    },
    // Its members name each other as `workspace:*`, which npm does not know.
    ManagerRow {
        name: "pnpm without a lock file",
        program: "pnpm",
        versions: &[("pnpm", "--version"), ("node", "--version")],
        locks: &["pnpm-workspace.yaml"],
        by_manifest: true,
        command: |_, _| "pnpm install --no-lockfile".to_owned(),
        script: pnpm_script,
        ..NODE
    },
    ManagerRow {
        name: "npm without a lock file",
        program: "npm",
        versions: &[("npm", "--version"), ("node", "--version")],
        locks: &["package.json"],
        by_manifest: true,
        command: |_, _| "npm install --no-package-lock --no-audit --no-fund".to_owned(),
        script: npm_install_script,
        applies: has_dependencies,
        ..NODE
    },
];

/// Whether a package without a lock file has something to install.
pub(super) fn has_dependencies(here: &DirTree<'_>) -> bool {
    let package = package(here.tree, here.dir).unwrap_or_default();
    let filled = |key: &str| package.get(key).and_then(Value::as_object).is_some_and(|list| !list.is_empty());
    ["dependencies", "devDependencies", "optionalDependencies"].into_iter().any(filled)
        || package.get("workspaces").is_some()
}

/// npm answers a lock file that it cannot read with its usage, so that is looked at first.
pub(super) fn npm_ci_script(here: &DirTree<'_>, command: &str) -> String {
    let locks = ["package-lock.json", "npm-shrinkwrap.json"].into_iter().filter(|lock| here.has(lock));
    let readable: String = locks
        .map(|lock| {
            format!(
                "node -e 'JSON.parse(require(\"fs\").readFileSync(\"{lock}\", \"utf8\"))' 2>/dev/null || {{\n\
                 \x20 echo 'error: `{lock}` cannot be read; `npm install` makes it anew' >&2; exit 1; }}\n"
            )
        })
        .collect();
    format!("{readable}{TRY}try {command} || {{ {UNREACHABLE}; try {command} --ignore-scripts; }}\n")
}

/// Without a lock file. Development dependencies that no longer resolve are left out one by one, but for those that the
/// tests need.
pub(super) fn npm_install_script(_: &DirTree<'_>, command: &str) -> String {
    format!(
        "{TRY}if try {command}; then exit 0; fi\n\
         {UNREACHABLE}\n\
         if try {command} --ignore-scripts; then exit 0; fi\n\
         if try {command} --ignore-scripts --legacy-peer-deps; then exit 0; fi\n\
         cp package.json \"$TMPDIR/package.json\"\n\
         trap 'cp \"$TMPDIR/package.json\" package.json' EXIT\n\
         node -e '{LEAVE_OUT}' || exit 1\n\
         {command} --ignore-scripts --legacy-peer-deps\n"
    )
}

/// Runs a command of npm and keeps what it complains about. npm waits ten seconds and then sixty before it asks again, so that
/// without a network three packages take minutes.
const TRY: &str = r#"export npm_config_fetch_retry_mintimeout=2000 npm_config_fetch_retry_maxtimeout=10000
try() {
  local code=0
  "$@" 2>"$TMPDIR/npm.err" || code=$?
  cat "$TMPDIR/npm.err" >&2
  return $code
}
"#;

/// Says so where the reason is that the registry cannot be reached; further tries would take minutes. npm names the reason by
/// a code, and a package of another host is told from the registry by a question that every registry answers.
const UNREACHABLE: &str = r#"if grep -qE '^npm (error|ERR!) code (ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|SELF_SIGNED|UNABLE_TO|CERT_|DEPTH_ZERO)' "$TMPDIR/npm.err" && ! npm view npm version --fetch-retries=0 >/dev/null 2>&1; then
  echo 'error: the package registry cannot be reached: no network, or a proxy or certificate is missing' >&2; exit 1
fi"#;

/// Removes the development dependencies that the registry cannot resolve; ends with an error at one that the test script
/// or a test file names. For `node -e` inside single quotes. npm fails on a prefix that is not there, so it is made.
const LEAVE_OUT: &str = r#"
const fs = require("fs"), { spawnSync } = require("child_process");
const p = JSON.parse(fs.readFileSync("package.json", "utf8"));
const walk = (dir, depth) => fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
  if (e.name === "node_modules" || e.name.startsWith(".") || depth > 6) return [];
  const path = dir + "/" + e.name;
  return e.isDirectory() ? walk(path, depth + 1) : [path];
});
const isTest = (f) => /\.[cm]?[jt]sx?$/.test(f) && /[/._-](tests?|specs?|__tests__)[/._-]/.test(f);
const text = walk(".", 0).filter(isTest).slice(0, 2000).map((f) => fs.readFileSync(f, "utf8")).join("\n");
const script = ((p.scripts || {}).test || "").split(/[\s;&|]+/).map((word) => word.split("/").pop().split("@")[0]);
const trial = process.env.TMPDIR + "/trial";
fs.mkdirSync(trial, { recursive: true });
const q = String.fromCharCode(39);
const needed = (n) => script.includes(n) || ["\"", q, "`"].some((m) => text.includes(m + n + m) || text.includes(m + n + "/"));
for (const [n, v] of Object.entries(p.devDependencies || {})) {
  const r = spawnSync("npm", ["install", "--dry-run", "--no-save", "--no-package-lock", "--ignore-scripts",
    "--legacy-peer-deps", "--prefix", trial, n + "@" + v], { encoding: "utf8" });
  if (r.status === 0) continue;
  const said = (r.stderr || "").split("\n").find((line) => /^npm (error|ERR!) (?!code )/.test(line)) || "";
  if (needed(n)) {
    console.error("error: `" + n + "@" + v + "` of devDependencies cannot be installed: " + said.replace(/^npm (error|ERR!) /, ""));
    process.exit(1);
  }
  console.error("warning: not installed: " + n + "@" + v);
  delete p.devDependencies[n];
}
fs.writeFileSync("package.json", JSON.stringify(p));
"#;

pub(super) fn pnpm_script(here: &DirTree<'_>, command: &str) -> String {
    let lock = text(here.tree, &in_dir(here.dir, "pnpm-lock.yaml")).unwrap_or_default();
    let form = lock.lines().find_map(|line| line.strip_prefix("lockfileVersion:"));
    let version = match form.map(|value| value.trim().trim_matches(['\'', '"'])) {
        Some(form) if form.starts_with("5.") => "7",
        Some(form) if form.starts_with('6') => "8",
        // From version 10 on, a file of the workspace may hold settings alone.
        _ if states_no_members(here) => "10",
        _ => "9",
    };
    fetched_script(here, "pnpm", version, command)
}

fn states_no_members(here: &DirTree<'_>) -> bool {
    let workspace = text(here.tree, &in_dir(here.dir, "pnpm-workspace.yaml"));
    workspace.is_some_and(|text| !text.lines().any(|line| line.starts_with("packages:")))
}

/// From version 2 on, yarn has linkers without `node_modules/.bin`: only yarn itself finds programs there.
pub(super) fn yarn_script(here: &DirTree<'_>, command: &str) -> String {
    let package = package(here.tree, here.dir).unwrap_or_default();
    let named = package.get("packageManager").and_then(Value::as_str).unwrap_or_default();
    let is_new = named.strip_prefix("yarn@").is_some_and(|version| !version.starts_with("1."));
    if !here.has(".yarnrc.yml") && !is_new {
        return fetched_script(here, "yarn", "1", command);
    }
    let script = fetched_script(here, "yarn", "berry", command);
    format!(
        "export YARN_NODE_LINKER=node-modules\n{}",
        script.replace(" --ignore-scripts", " --mode=skip-build")
    )
}

pub(super) fn bun_script(here: &DirTree<'_>, command: &str) -> String {
    fetched_script(here, "bun", "1", command)
}

/// A command of a package manager that npm can fetch, in the version that the package names.
fn fetched_script(here: &DirTree<'_>, tool: &str, version: &str, command: &str) -> String {
    let package = package(here.tree, here.dir).unwrap_or_default();
    let named = package.get("packageManager").and_then(Value::as_str);
    let named = named.and_then(|text| text.strip_prefix(tool)?.strip_prefix('@')?.split('+').next());
    let plain = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
    let version = named.filter(plain).unwrap_or(version);
    // From version 2 on, yarn is published under another name.
    let source = if tool == "yarn" && !version.starts_with('1') { "@yarnpkg/cli-dist" } else { tool };
    let version = if version == "berry" { "4" } else { version };
    let rest = command.trim_start_matches(tool);
    format!(
        "tool={tool}\n\
         if ! command -v {tool} >/dev/null; then\n\
         \x20 npm install --silent --no-audit --no-fund --prefix \"$TMPDIR/tool\" {source}@{version} || {{\n\
         \x20   echo 'error: `{tool}` is not installed, and npm could not fetch it; install the package `{tool}`' >&2; exit 1; }}\n\
         \x20 tool=\"$TMPDIR/tool/node_modules/.bin/{tool}\"\n\
         fi\n\
         \"$tool\"{rest} || \"$tool\"{rest} --ignore-scripts\n"
    )
}

/// Members of a workspace have their own manifests and their own `node_modules`.
fn add_members(here: &DirTree<'_>, plan: &mut SetupPlan) {
    let Some(package) = package(here.tree, here.dir) else { return };
    if package.get("workspaces").is_none() && !here.has("pnpm-workspace.yaml") {
        return;
    }
    let locks = || MANAGERS.iter().filter(|row| !row.by_manifest).flat_map(|row| row.locks);
    let prefix = in_dir(here.dir, "");
    for path in here.tree.paths() {
        let inner = path.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix("/package.json"));
        let Some(member) = inner.filter(|member| !is_foreign(member)) else { continue };
        let dir = format!("{prefix}{member}");
        if !locks().any(|lock| here.tree.has(&in_dir(&dir, lock))) {
            plan.inputs.push(path.clone());
            plan.outputs.push(format!("{dir}/node_modules"));
        }
    }
}
