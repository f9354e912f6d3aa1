//! Type checkers and linters that the repository is set up for.

use windlass_core::report::Runner;

use super::format::{RUFF, biome_config, eslint_config, has_typescript, is_script, python_config};
use super::manifest::{
    cargo_package, cargo_root, dir_of, has_key, in_dir, nearest, relative, text, toml, upwards,
};
use crate::repo::Tree;

/// One gate: a command that must exit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatePlan {
    /// The tool's name.
    pub name: String,
    /// The command, complete with its files where it takes them.
    pub argv: Vec<String>,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The configuration file that asked for it.
    pub why: String,
    /// Runners whose own run includes this check, so that it need not be made twice.
    pub covered_by: &'static [Runner],
}

/// Type checks for the changed `files`.
pub fn type_check(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    let mut gates = Gates::default();
    for file in files {
        match ending(file) {
            "ts" | "tsx" | "mts" | "cts" => {
                if let Some(config) =
                    nearest(tree, file, &["tsconfig.json"]).filter(|_| has_typescript(tree, file))
                {
                    gates.whole(
                        "tsc",
                        &["npx", "--no-install", "tsc", "--noEmit", "-p", "tsconfig.json"],
                        &config,
                        &[],
                    );
                }
            }
            "py" | "pyi" => {
                for tool in ["mypy", "pyright"] {
                    if let Some(config) = python_checker(tree, file, tool) {
                        gates.with_file(tool, &[tool], &config, file);
                    }
                }
            }
            "rs" => {
                rust(
                    tree,
                    file,
                    &mut gates,
                    "cargo check",
                    &["check"],
                    &[Runner::CargoTest, Runner::Nextest],
                );
            }
            "go" => go(tree, file, &mut gates, "go build", "build", &[Runner::GoTest]),
            "php" => {
                const PHPSTAN: [&str; 3] = ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"];
                if let Some(config) = nearest(tree, file, &PHPSTAN) {
                    gates.with_file(
                        "phpstan",
                        &["vendor/bin/phpstan", "analyse", "--no-progress", "--"],
                        &config,
                        file,
                    );
                }
            }
            _ => {}
        }
    }
    gates.plans
}

/// Linters for the changed `files`.
pub fn lint(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    let mut gates = Gates::default();
    for file in files {
        match ending(file) {
            "py" | "pyi" => {
                if let Some(config) = python_config(tree, file, "ruff", &RUFF) {
                    gates.with_file("ruff", &["ruff", "check", "--"], &config, file);
                }
            }
            "rs" if clippy_is_configured(tree, file) => {
                rust(tree, file, &mut gates, "clippy", &["clippy", "--all-targets"], &[]);
            }
            "go" => {
                go(tree, file, &mut gates, "go vet", "vet", &[]);
                if nearest(tree, file, &[".golangci.yml", ".golangci.yaml", ".golangci.toml"]).is_some() {
                    golangci(tree, file, &mut gates);
                }
            }
            "rb" => {
                if let Some(config) = nearest(tree, file, &[".rubocop.yml", ".rubocop.yaml"]) {
                    gates.with_file("rubocop", &["rubocop", "--force-exclusion", "--"], &config, file);
                }
            }
            other if is_script(other) => {
                if let Some(config) = biome_config(tree, file) {
                    gates.with_file("biome", &["npx", "--no-install", "biome", "lint"], &config, file);
                }
                if let Some(config) = eslint_config(tree, file) {
                    gates.with_file("eslint", &["npx", "--no-install", "eslint"], &config, file);
                }
            }
            _ => {}
        }
    }
    gates.plans
}

fn ending(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Plans under construction: one per tool and configuration.
#[derive(Default)]
struct Gates {
    plans: Vec<GatePlan>,
}

impl Gates {
    /// A check of the whole project that a configuration describes.
    fn whole(&mut self, name: &str, argv: &[&str], why: &str, covered_by: &'static [Runner]) {
        self.push(GatePlan {
            name: name.to_owned(),
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            dir: dir_of(why).to_owned(),
            why: why.to_owned(),
            covered_by,
        });
    }

    /// A check of single files.
    fn with_file(&mut self, name: &str, argv: &[&str], why: &str, file: &str) {
        let known = self.plans.iter().position(|plan| plan.name == name && plan.why == why);
        if known.is_none() {
            self.whole(name, argv, why, &[]);
        }
        let index = known.unwrap_or(self.plans.len() - 1);
        let plan = &mut self.plans[index];
        let file = relative(&plan.dir, file).to_owned();
        plan.argv.push(file);
    }

    fn push(&mut self, plan: GatePlan) {
        if !self.plans.contains(&plan) {
            self.plans.push(plan);
        }
    }
}

fn python_checker(tree: &dyn Tree, file: &str, tool: &str) -> Option<String> {
    let own: &[&str] = if tool == "mypy" { &["mypy.ini", ".mypy.ini"] } else { &["pyrightconfig.json"] };
    python_config(tree, file, tool, own).or_else(|| {
        let config = nearest(tree, file, &["setup.cfg"])?;
        (tool == "mypy" && text(tree, &config)?.contains("[mypy]")).then_some(config)
    })
}

fn clippy_is_configured(tree: &dyn Tree, file: &str) -> bool {
    nearest(tree, file, &["clippy.toml", ".clippy.toml"]).is_some()
        || upwards(file).filter_map(|dir| toml(tree, &in_dir(dir, "Cargo.toml"))).any(|table| {
            has_key(&table, &["lints", "clippy"]) || has_key(&table, &["workspace", "lints", "clippy"])
        })
}

fn rust(
    tree: &dyn Tree,
    file: &str,
    gates: &mut Gates,
    name: &str,
    command: &[&str],
    covered_by: &'static [Runner],
) {
    let (Some(package), Some(root)) = (cargo_package(tree, file), cargo_root(tree, file)) else { return };
    let argv: Vec<&str> =
        ["cargo"].iter().chain(command).chain(&["-p", package.name.as_str()]).copied().collect();
    gates.push(GatePlan {
        name: name.to_owned(),
        argv: argv.into_iter().map(str::to_owned).collect(),
        dir: root,
        why: in_dir(&package.dir, "Cargo.toml"),
        covered_by,
    });
}

fn go(
    tree: &dyn Tree,
    file: &str,
    gates: &mut Gates,
    name: &str,
    command: &str,
    covered_by: &'static [Runner],
) {
    let Some(module) = nearest(tree, file, &["go.mod"]) else { return };
    let inner = relative(dir_of(&module), file);
    let package = match dir_of(inner) {
        "" => ".".to_owned(),
        dir => format!("./{dir}"),
    };
    gates.whole(name, &["go", command, &package], &module, covered_by);
}

/// The package of the file, as golangci-lint takes directories.
fn golangci(tree: &dyn Tree, file: &str, gates: &mut Gates) {
    let Some(module) = nearest(tree, file, &["go.mod"]) else { return };
    let package = match dir_of(relative(dir_of(&module), file)) {
        "" => ".".to_owned(),
        dir => format!("./{dir}"),
    };
    gates.whole("golangci-lint", &["golangci-lint", "run", &package], &module, &[]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn gates_follow_the_configuration() {
        let tree = MemoryTree::new([
            ("package.json", r#"{"devDependencies":{"typescript":"5"}}"#),
            ("eslint.config.js", ""),
            ("tsconfig.json", "{}"),
            ("web/tsconfig.json", "{}"),
            ("py/pyproject.toml", "[tool.mypy]\nstrict = true\n[tool.ruff]\n"),
            ("py2/setup.cfg", "[mypy]\n"),
            ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n[workspace.lints.clippy]\nall = \"warn\"\n"),
            ("a/Cargo.toml", "[package]\nname = \"a-crate\"\n"),
            ("plain/Cargo.toml", "[package]\nname = \"plain\"\n"),
            ("go/go.mod", ""),
            ("goi/go.mod", ""),
            ("goi/.golangci.yml", ""),
            ("rb/.rubocop.yml", ""),
            ("php/phpstan.neon", ""),
        ]);
        let files = [
            "src/a.ts",
            "src/b.ts",
            "web/c.ts",
            "py/x.py",
            "py/y.py",
            "py2/z.py",
            "a/src/lib.rs",
            "a/src/b.rs",
            "go/calc/a.go",
            "go/main.go",
            "goi/cart/cart.go",
            "rb/lib/a.rb",
            "php/src/A.php",
        ]
        .map(str::to_owned);
        let shown = |plans: Vec<GatePlan>| -> String {
            plans
                .iter()
                .map(|plan| {
                    format!(
                        "{} in {:?} ({}) {:?}\n",
                        plan.argv.join(" "),
                        plan.dir,
                        plan.why,
                        plan.covered_by
                    )
                })
                .collect::<Vec<_>>()
                .concat()
        };
        insta::assert_snapshot!(shown(type_check(&tree, &files)), @r#"
        npx --no-install tsc --noEmit -p tsconfig.json in "" (tsconfig.json) []
        npx --no-install tsc --noEmit -p tsconfig.json in "web" (web/tsconfig.json) []
        mypy x.py y.py in "py" (py/pyproject.toml) []
        mypy z.py in "py2" (py2/setup.cfg) []
        cargo check -p a-crate in "" (a/Cargo.toml) [CargoTest, Nextest]
        go build ./calc in "go" (go/go.mod) [GoTest]
        go build . in "go" (go/go.mod) [GoTest]
        go build ./cart in "goi" (goi/go.mod) [GoTest]
        vendor/bin/phpstan analyse --no-progress -- src/A.php in "php" (php/phpstan.neon) []
        "#);
        insta::assert_snapshot!(shown(lint(&tree, &files)), @r#"
        npx --no-install eslint src/a.ts src/b.ts web/c.ts in "" (eslint.config.js) []
        ruff check -- x.py y.py in "py" (py/pyproject.toml) []
        cargo clippy --all-targets -p a-crate in "" (a/Cargo.toml) []
        go vet ./calc in "go" (go/go.mod) []
        go vet . in "go" (go/go.mod) []
        go vet ./cart in "goi" (goi/go.mod) []
        golangci-lint run ./cart in "goi" (goi/go.mod) []
        rubocop --force-exclusion -- lib/a.rb in "rb" (rb/.rubocop.yml) []
        "#);
    }
}
