//! The tools around Go: its module, gofmt, `go vet`, golangci-lint.

use windlass_core::report::Runner;

use crate::detect::setup::{MANAGER, ManagerRow};
use crate::detect::tool_config::{ToolConfig, own_file};
use crate::detect::{CheckerRow, CheckerTool, FormatterRow, SetupKind, dir_of, nearest, relative, text};
use crate::language::Tooling;
use crate::repo::Tree;

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["go"],
    homes: &[("GOPATH", "go")],
    registries: &["GOPROXY", "GOPRIVATE"],
    build_files: &["go.mod", "go.work"],
    lock_files: &[("go.mod", &["go.sum"]), ("go.work", &["go.work.sum"])],
    managers: &[ManagerRow {
        name: "go",
        program: "go",
        versions: &[("go", "version")],
        kind: SetupKind::Go,
        locks: &["go.sum", "go.mod"],
        command: |_, _| "go mod download".to_owned(),
        tool: Some(("go", "golang")),
        ..MANAGER
    }],
    formatters: &[
        FormatterRow::new("goimports", &["go"], goimports, "goimports -w"),
        FormatterRow::new("gofmt", &["go"], gofmt, "gofmt -w"),
    ],
    type_checkers: &[CheckerRow::of_projects("go build", &["go"], go, "go build {}")
        .known_as(CheckerTool::OfLanguage)
        .within(&[Runner::GoTest])],
    linters: &[
        CheckerRow::of_projects("go vet", &["go"], go, "go vet {}").known_as(CheckerTool::OfLanguage),
        CheckerRow::of_projects("golangci-lint", &["go"], golangci, "golangci-lint run {}"),
    ],
    project_name: |tree, path| {
        let text = text(tree, path)?;
        text.lines().find_map(|line| line.strip_prefix("module ")).map(|name| name.trim().to_owned())
    },
    packages: |name, text| if name == "go.mod" { in_go(text) } else { Vec::new() },
    likely_manifest: |_, project| Some(format!("module {}\n", project.name)),
    ..Tooling::NONE
};

fn in_go(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let rest = line.strip_prefix("require ").map(str::trim);
        match rest {
            Some("(") => inside = true,
            Some(one) => found.extend(one.split_whitespace().next().map(str::to_owned)),
            None if line == ")" => inside = false,
            None if inside && !line.starts_with("//") => {
                found.extend(line.split_whitespace().next().map(str::to_owned));
            }
            None => {}
        }
    }
    found
}

/// With the package of the file.
fn go(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    let config = own_file(tree, file, &["go.mod"])?;
    let package = match dir_of(relative(&config.dir, file)) {
        "" => ".".to_owned(),
        dir => format!("./{dir}"),
    };
    Some(ToolConfig { detail: package, ..config })
}

const GOLANGCI: [&str; 3] = [".golangci.yml", ".golangci.yaml", ".golangci.toml"];

fn golangci(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    go(tree, file).filter(|_| nearest(tree, file, &GOLANGCI).is_some())
}

fn wants_goimports(tree: &dyn Tree, file: &str) -> bool {
    let asking = [&GOLANGCI[..], &["tools.go", "tools/tools.go"]].concat();
    let config = nearest(tree, file, &asking).and_then(|path| text(tree, &path));
    config.is_some_and(|text| text.contains("goimports"))
}

/// Where golangci-lint or a tools file asks for it.
fn goimports(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["go.mod"]).filter(|_| wants_goimports(tree, file))
}

fn gofmt(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    own_file(tree, file, &["go.mod"]).filter(|_| !wants_goimports(tree, file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn a_file_is_checked_with_its_package() {
        let tree = MemoryTree::new([("go.mod", "")]);
        for (file, package) in [("a.go", "."), ("p/a.go", "./p"), ("p/q/a.go", "./p/q")] {
            assert_eq!(go(&tree, file).unwrap().detail, package);
        }
    }
}
