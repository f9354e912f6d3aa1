//! What a package builds before its tests. Tests of projects in TypeScript, or under Babel, often import the result of the build,
//! which `npm test` makes and a runner by itself does not.

use serde_json::Value;

use super::command_line::{base_name, past_wrappers};
use crate::detect::{dir_of, in_dir, json, relative, text};
use crate::repo::Tree;
use crate::script::SimpleCommand;

/// How many test files beside one that is still to be written tell what it will import.
const BESIDE: usize = 5;

/// The commands that come before a test file, each followed by `&&`; empty if its tests import no result of a build.
pub(super) fn build_before(tree: &dyn Tree, dir: &str, file: &str) -> String {
    let Some(package) = json(tree, &in_dir(dir, "package.json")) else { return String::new() };
    let is_built = compiled_test(tree, dir, file).is_some() || imports_a_build(tree, dir, file);
    if !is_built {
        return String::new();
    }
    let script = |name: &str| package.get("scripts")?.get(name).and_then(Value::as_str);
    let named = |name: &&str| script(name).is_some();
    let commands = match script("pretest") {
        Some(pretest) if pretest.split("&&").all(is_build) => vec![run("pretest")],
        Some(pretest) => pretest.split("&&").filter(|part| is_build(part)).map(as_command).collect(),
        None => {
            ["build", "compile"].iter().find(|name| named(name)).map(|name| run(name)).into_iter().collect()
        }
    };
    commands.iter().map(|command| format!("{command} && ")).collect()
}

/// What a test file in TypeScript is compiled to, seen from the package, where the package runs the result of a build:
/// `node --test dist/test/*.js`.
pub(super) fn compiled_test(tree: &dyn Tree, dir: &str, file: &str) -> Option<String> {
    let (path, ending) = relative(dir, file).rsplit_once('.')?;
    let made = match ending {
        "ts" | "tsx" => "js",
        "mts" => "mjs",
        "cts" => "cjs",
        _ => return None,
    };
    let package = json(tree, &in_dir(dir, "package.json"))?;
    let script = package.get("scripts")?.get("test")?.as_str()?;
    let (own_dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    script.split_whitespace().find_map(|word| {
        let word = word.trim_matches(['"', '\'']).trim_start_matches("./");
        let fixed = word.split_once('*').map_or(word, |(front, _)| front);
        let (folder, _) = fixed.rsplit_once('/')?;
        let top = folder.split('/').next()?;
        if !word.ends_with(made) || !is_made(tree, dir, top) {
            return None;
        }
        let last = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let below = own_dir.strip_prefix("src").map(|rest| rest.trim_start_matches('/'));
        match below {
            _ if last(folder) == last(own_dir) => Some(format!("{folder}/{name}.{made}")),
            Some("") if folder == top => Some(format!("{top}/{name}.{made}")),
            Some(rest) if folder == top => Some(format!("{top}/{rest}/{name}.{made}")),
            Some(_) | None => None,
        }
    })
}

/// Whether a directory or a module of the package is ignored and not in the tree.
fn is_made(tree: &dyn Tree, dir: &str, name: &str) -> bool {
    let ignored = [in_dir(dir, ".gitignore"), ".gitignore".to_owned()].map(|path| text(tree, &path));
    let mut lines = ignored.iter().flatten().flat_map(|text| text.lines());
    let path = in_dir(dir, name);
    // `packages/*/dist`
    let leads_there = |pattern: &str| {
        let mut own = path.rsplit('/');
        let fits = |part: &str| own.next().is_some_and(|name| part == "*" || part == name);
        pattern.contains('/') && pattern.rsplit('/').all(fits)
    };
    let means = |line: &str| {
        let pattern = line.trim().trim_matches('/').trim_end_matches("/*");
        let front = pattern.strip_suffix('*').filter(|front| !front.is_empty());
        pattern == name
            || leads_there(pattern)
            || pattern.strip_suffix(".js") == Some(name)
            || front.is_some_and(|front| name.starts_with(front))
    };
    let is_it = |known: &String| {
        known.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
    };
    lines.any(means) && !tree.paths().iter().any(is_it)
}

fn run(script: &str) -> String {
    format!("npm run --silent {script}")
}

/// Whether a part of a script builds something, rather than check or format the sources.
fn is_build(part: &str) -> bool {
    const CHECKS: [&str; 11] = [
        "lint", "eslint", "prettier", "format", "check", "xo", "standard", "biome", "style", "types", "audit",
    ];
    let mut words =
        part.split_whitespace().filter(|word| !matches!(*word, "npm" | "pnpm" | "yarn" | "npx" | "run"));
    let named = words.find(|word| !word.starts_with('-')).unwrap_or_default();
    let checks = named.split([':', '-', '/']).any(|word| CHECKS.contains(&word));
    !named.is_empty() && !checks && !part.contains("--noEmit")
}

/// Whether a command is a part of a package's build and done when it ends: a script of the package, a program that compiles, or one
/// that moves files. A server that goes on in the background is none.
pub(crate) fn builds_package(command: &SimpleCommand) -> bool {
    const PROGRAMS: [&str; 17] = [
        "tsc",
        "babel",
        "rollup",
        "webpack",
        "esbuild",
        "swc",
        "tsup",
        "tshy",
        "unbuild",
        "coffee",
        "ncc",
        "rimraf",
        "rm",
        "mkdir",
        "cp",
        "shx",
        "copyfiles",
    ];
    const STAYS: [&str; 9] = ["start", "serve", "server", "dev", "watch", "up", "db", "docker", "daemon"];
    let words: Vec<&str> = command.argv().iter().map(|word| word.text.as_str()).collect();
    let program = command.words.get(past_wrappers(&command.words, 0)).map(base_name);
    let is_script = match words.as_slice() {
        ["npm" | "pnpm" | "yarn" | "bun", "run" | "run-script", ..] => true,
        ["node", file, ..] => {
            file.split(['/', '.', '-', '_']).any(|part| matches!(part, "build" | "compile"))
        }
        _ => program.is_some_and(|program| PROGRAMS.contains(&program)),
    };
    let stays =
        |word: &&str| word.trim_start_matches('-').split([':', '-']).any(|part| STAYS.contains(&part));
    is_script && !words.iter().any(stays) && is_build(&words.join(" "))
}

/// A part of a script as it is run from outside of npm.
fn as_command(part: &str) -> String {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words.as_slice() {
        ["npm" | "pnpm" | "yarn", "run", name] | ["yarn" | "pnpm", name] => run(name),
        ["npm" | "npx" | "node", ..] => part.trim().to_owned(),
        [program, ..] if program.starts_with("./") => part.trim().to_owned(),
        _ => format!("npx --no-install {}", part.trim()),
    }
}

/// Names of the members of a workspace that others find in what their build makes. None if the directory is no workspace.
fn built_members(tree: &dyn Tree, dir: &str) -> Vec<String> {
    let root = json(tree, &in_dir(dir, "package.json")).unwrap_or_default();
    if root.get("workspaces").is_none() && !tree.has(&in_dir(dir, "pnpm-workspace.yaml")) {
        return Vec::new();
    }
    let is_manifest = |path: &&String| path.ends_with("/package.json") && !path.contains("node_modules/");
    let built = |path: &String| {
        let package = json(tree, path)?;
        let mut entries =
            ["types", "main", "module"].into_iter().filter_map(|key| package.get(key)?.as_str());
        let is_made_one = |entry: &str| {
            let top = entry.trim_start_matches("./").split_once('/').map(|(top, _)| top);
            top.is_some_and(|top| is_made(tree, dir_of(path), top))
        };
        entries.any(is_made_one).then(|| package.get("name")?.as_str().map(str::to_owned)).flatten()
    };
    tree.paths().iter().filter(is_manifest).filter_map(built).collect()
}

/// Whether a test file, or one beside it, imports something of a directory that is ignored and not in the tree, or another member
/// of the workspace that has to be built first.
fn imports_a_build(tree: &dyn Tree, dir: &str, file: &str) -> bool {
    let ending = |path: &str| path.rsplit('.').next().map(str::to_owned);
    let beside = |path: &&String| dir_of(path) == dir_of(file) && ending(path) == ending(file);
    let others = tree.paths().iter().filter(beside).take(BESIDE).map(String::as_str);
    let mut texts = [file].into_iter().chain(others).filter_map(|path| text(tree, path));
    let leads_to_build =
        |import: &str| top_of(dir, dir_of(file), import).is_some_and(|top| is_made(tree, dir, &top));
    let members = built_members(tree, dir);
    let is_member = |import: &str| members.iter().any(|name| name == import);
    texts.any(|text| text.split(['"', '\'', '`']).any(|import| leads_to_build(import) || is_member(import)))
}

/// The first directory, seen from the package, of what a relative import leads to; the module itself if it is in none.
fn top_of(dir: &str, from: &str, import: &str) -> Option<String> {
    let plain =
        (import.starts_with("./") || import.starts_with("../")) && !import.contains(char::is_whitespace);
    let mut parts: Vec<&str> = from.split('/').filter(|part| plain && !part.is_empty()).collect();
    for part in import.split('/').filter(|_| plain) {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    let inside = parts.join("/");
    let inside =
        if dir.is_empty() { inside.as_str() } else { inside.strip_prefix(dir)?.strip_prefix('/')? };
    let top = inside.split_once('/').map_or(inside, |(top, _)| top);
    (plain && !top.is_empty()).then(|| top.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{build_before, compiled_test};
    use crate::repo::MemoryTree;

    fn before(scripts: &str, import: &str) -> String {
        let package = format!("{{\"scripts\": {{{scripts}}}}}");
        let test = format!("import parse from '{import}';\n");
        let files = [
            ("pkg/package.json", package.as_str()),
            ("pkg/.gitignore", "node_modules\n/build/\n/index.js\n"),
            ("pkg/lib/index.ts", ""),
            ("pkg/test/unit/old.mjs", test.as_str()),
        ];
        build_before(&MemoryTree::new(files), "pkg", "pkg/test/unit/new.mjs")
    }

    #[test]
    fn tests_of_a_build_come_after_it() {
        let built = "../../build/lib/index.js";
        for (scripts, wanted) in [
            (r#""pretest": "rimraf build && tsc -p .""#, "npm run --silent pretest && "),
            (r#""pretest": "npm run build && npm run lint""#, "npm run --silent build && "),
            (r#""pretest": "eslint . && tsc""#, "npx --no-install tsc && "),
            (r#""pretest": "xo", "build": "tsc""#, ""),
            (r#""build": "tsc", "test": "mocha""#, "npm run --silent build && "),
            (r#""test": "mocha""#, ""),
        ] {
            assert_eq!(before(scripts, built), wanted, "{scripts}");
        }
        assert_eq!(before(r#""pretest": "babel src -d .""#, "../../index"), "npm run --silent pretest && ");
        for import in ["../../lib/index.ts", "../../src/none.js", "build/x", "../../../build/x.js"] {
            assert_eq!(before(r#""pretest": "tsc""#, import), "", "{import}");
        }
    }

    #[test]
    fn members_of_a_workspace_that_are_built_come_first() {
        let root = r#"{"workspaces": ["packages/*"], "scripts": {"build": "tsc -b"}, "devDependencies": {"jest": "29"}}"#;
        let made = r#"{"name": "html", "main": "dist/index.js"}"#;
        let table = [
            (root, made, "html", "dist\n", "npm run --silent build && "),
            (root, made, "html", "packages/*/dist/\n", "npm run --silent build && "),
            (root, made, "html", "docs/*/dist/\n*/out\n", ""),
            (root, made, "other", "dist\n", ""),
            (root, r#"{"name": "html", "main": "lib/index.ts"}"#, "html", "dist\n", ""),
            (r#"{"scripts": {"build": "tsc -b"}}"#, made, "html", "dist\n", ""),
        ];
        for (root, member, import, ignored, wanted) in table {
            let test = format!("import * as it from '{import}';\n");
            let files = [
                ("package.json", root),
                (".gitignore", ignored),
                ("packages/html/package.json", member),
                ("packages/html/lib/index.ts", ""),
                ("packages/html/lib/a.test.ts", test.as_str()),
            ];
            let found = build_before(&MemoryTree::new(files), "", "packages/html/lib/a.test.ts");
            assert_eq!(found, wanted, "{root} {member} {import}");
        }
    }

    #[test]
    fn a_package_may_run_what_its_tests_are_compiled_to() {
        let compiled = |script: &str, file: &str| {
            let package = format!("{{\"scripts\": {{\"test\": \"{script}\"}}}}");
            let files =
                [("package.json", package.as_str()), (".gitignore", "dist-*/\nout/\n"), ("lib/a.js", "")];
            compiled_test(&MemoryTree::new(files), "", file)
        };
        let table = [
            ("node --test dist-node/test/*.js", "src/test/a.test.ts", Some("dist-node/test/a.test.js")),
            ("mocha './out/**/*.spec.mjs'", "src/deep/a.spec.mts", Some("out/deep/a.spec.mjs")),
            ("node --test out/*.js", "src/a.test.ts", Some("out/a.test.js")),
            ("node --test lib/test/*.js", "src/test/a.test.ts", None),
            ("node --test out/test/*.js", "src/test/a.test.js", None),
            ("mocha test/*.ts", "test/a.ts", None),
        ];
        for (script, file, wanted) in table {
            assert_eq!(compiled(script, file).as_deref(), wanted, "{script} {file}");
        }
    }
}
