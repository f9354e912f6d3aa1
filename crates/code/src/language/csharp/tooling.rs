//! The tools around C#: the `dotnet` program.

use crate::detect::setup::{MANAGER, ManagerRow};
use crate::detect::tool_config::ToolConfig;
use crate::detect::{FormatterRow, dir_of, nearest, relative, upwards};
use crate::language::Tooling;
use crate::repo::Tree;

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["dotnet"],
    build_files: &["*.csproj"],
    lock_files: &[("*.csproj", &["packages.lock.json"])],
    managers: &[ManagerRow {
        name: "dotnet",
        program: "dotnet",
        versions: &[("dotnet", "--version")],
        locks: &["packages.lock.json"],
        command: |_, _| "dotnet restore --locked-mode".to_owned(),
        tool: Some(("dotnet", "dotnet-sdk")),
        outputs: &["obj"],
        ..MANAGER
    }],
    further_endings: &["fs", "vb"],
    // Knows projects, so its files are an option.
    formatters: &[FormatterRow::new("dotnet format", &["cs"], dotnet_format, "dotnet format {} --include")],
    ..Tooling::NONE
};

/// The nearest C# project at or above a path.
pub(crate) fn csharp_project(tree: &dyn Tree, file: &str) -> Option<String> {
    let projects: Vec<&String> = tree.paths().iter().filter(|path| path.ends_with(".csproj")).collect();
    upwards(file).find_map(|dir| projects.iter().find(|path| dir_of(path) == dir).map(|path| (*path).clone()))
}

/// `dotnet format` takes its rules from `.editorconfig`, and works on a project.
fn dotnet_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    nearest(tree, file, &[".editorconfig"])?;
    let config = ToolConfig::new(csharp_project(tree, file)?);
    let detail = relative(&config.dir, &config.from).to_owned();
    Some(ToolConfig { detail, ..config })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn a_file_is_formatted_with_its_project() {
        let tree = MemoryTree::new([("cs/.editorconfig", ""), ("cs/app/App.csproj", "")]);
        assert_eq!(dotnet_format(&tree, "cs/app/x/A.cs").unwrap().detail, "App.csproj");
        assert_eq!(dotnet_format(&tree, "cs/A.cs"), None);
    }
}
