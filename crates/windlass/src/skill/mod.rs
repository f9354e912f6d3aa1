//! What an agent program gets to know of Windlass: a skill, commands, and manifests of plugins that carry both.
//!
//! The texts are part of the program, so that they describe the version that prints them. Knows nothing of files on disk.

use serde_json::json;

/// The skill, without the mark of its version.
const SKILL: &str = include_str!("SKILL.md");
/// Where the plugin lies; agents take it from there by a marketplace of the repository.
const PLUGIN: &str = ".agents/plugins/windlass";
/// Every written file says this, so that it can be replaced by a later version.
pub(crate) const MARK: &str = "written by `windlass init --skills`";

/// The commands: what people of other planning systems type.
const COMMANDS: [(&str, &str); 8] = [
    ("design", include_str!("commands/design.md")),
    ("rush", include_str!("commands/rush.md")),
    ("status", include_str!("commands/status.md")),
    ("homerun-plan", include_str!("commands/homerun-plan.md")),
    ("homerun-conduct", include_str!("commands/homerun-conduct.md")),
    ("tdd-plan", include_str!("commands/tdd-plan.md")),
    ("superplanner", include_str!("commands/superplanner.md")),
    ("contract", include_str!("commands/contract.md")),
];

/// A file for an agent program, by its path in the repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SkillFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A slash command.
struct SlashCommand {
    name: &'static str,
    description: &'static str,
    hint: &'static str,
    body: &'static str,
}

/// The skill of this version.
pub(crate) fn skill() -> String {
    format!("{SKILL}\n<!-- windlass {}, {MARK} -->\n", env!("CARGO_PKG_VERSION"))
}

/// Every file that `init --skills` writes.
pub(crate) fn files() -> Vec<SkillFile> {
    let file = |path: &str, text: String| SkillFile { path: path.to_owned(), text };
    let mut files = vec![
        file(".claude/skills/windlass/SKILL.md", skill()),
        file(".agents/skills/windlass/SKILL.md", skill()),
        file(&format!("{PLUGIN}/skills/windlass/SKILL.md"), skill()),
    ];
    for command in commands() {
        let name = command.name;
        files.push(file(&format!(".claude/commands/windlass/{name}.md"), command.markdown()));
        files.push(file(&format!(".opencode/commands/windlass-{name}.md"), command.markdown()));
        files.push(file(&format!(".gemini/commands/windlass/{name}.toml"), command.toml()));
        files.push(file(&format!(".qwen/commands/windlass/{name}.toml"), command.toml()));
        // None for Gemini CLI: it renames commands that both a repository and an extension have.
        files.push(file(&format!("{PLUGIN}/commands/{name}.md"), command.markdown()));
    }
    files.extend(manifests());
    files
}

/// The manifests of the plugin, and the marketplaces that lead to it.
fn manifests() -> Vec<SkillFile> {
    let about = format!("Specifications to verified commits with Windlass ({MARK})");
    let version = env!("CARGO_PKG_VERSION");
    let server = json!({ "windlass": { "command": "windlass", "args": ["mcp"] } });
    let source = format!("./{PLUGIN}");
    let all = [
        (
            format!("{PLUGIN}/.claude-plugin/plugin.json"),
            json!({ "name": "windlass", "version": version, "description": about, "author": { "name": "Windlass" },
                "license": "MIT OR Apache-2.0" }),
        ),
        (
            format!("{PLUGIN}/.codex-plugin/plugin.json"),
            json!({ "name": "windlass", "version": version, "description": about, "skills": "./skills/",
                "mcpServers": "./.mcp.json" }),
        ),
        (format!("{PLUGIN}/.mcp.json"), json!({ "mcpServers": server.clone() })),
        (
            format!("{PLUGIN}/gemini-extension.json"),
            json!({ "name": "windlass", "version": version, "description": about, "mcpServers": server }),
        ),
        (
            ".claude-plugin/marketplace.json".to_owned(),
            json!({ "name": "windlass-here", "owner": { "name": "this repository" },
                "metadata": { "description": about },
                "plugins": [{ "name": "windlass", "source": source, "description": about }] }),
        ),
        (
            ".agents/plugins/marketplace.json".to_owned(),
            json!({ "name": "windlass-here", "interface": { "displayName": about },
                "plugins": [{ "name": "windlass", "source": { "source": "local", "path": source },
                    "policy": { "installation": "AVAILABLE", "authentication": "ON_INSTALL" },
                    "category": "Productivity" }] }),
        ),
    ];
    let written = |(path, doc): (String, serde_json::Value)| SkillFile { path, text: format!("{doc:#}\n") };
    all.into_iter().map(written).collect()
}

fn commands() -> impl Iterator<Item = SlashCommand> {
    COMMANDS.iter().map(|(name, text)| {
        let (head, body) = text.split_once("---\n").unwrap_or(("", text));
        let of = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        SlashCommand { name, description: of("description:"), hint: of("hint:"), body }
    })
}

impl SlashCommand {
    /// For Claude Code and opencode.
    fn markdown(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        format!(
            "---\ndescription: {}\nargument-hint: {}\n---\n{}\n<!-- {MARK} -->\n",
            quoted(self.description),
            quoted(self.hint),
            self.body
        )
    }

    /// For Gemini CLI and Qwen Code.
    fn toml(&self) -> String {
        let prompt = self.body.replace("$ARGUMENTS", "{{args}}");
        let quoted = |text: &str| toml::Value::from(text).to_string();
        format!("# {MARK}\ndescription = {}\nprompt = {}\n", quoted(self.description), quoted(&prompt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_planner::tokens::estimate;

    #[test]
    fn the_skill_keeps_to_its_size_and_its_form() {
        let text = skill();
        assert!(estimate(&text) <= 2500, "{} tokens", estimate(&text));
        let head = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
        let description = head.lines().find_map(|l| l.strip_prefix("description: ")).unwrap();
        assert!(head.starts_with("name: windlass\n"));
        assert!(description.len() <= 1024 && !description.contains(": "), "YAML reads it as a plain text");
    }

    #[test]
    fn every_file_is_well_formed_and_can_be_replaced_later() {
        let files = files();
        for SkillFile { path, text } in &files {
            if path.ends_with(".json") {
                let _: serde_json::Value = serde_json::from_str(text).unwrap();
                assert!(text.contains(MARK) || path.ends_with(".mcp.json"), "{path}");
            } else if path.ends_with(".toml") {
                let table: toml::Table = text.parse().unwrap();
                assert!(table["prompt"].as_str().unwrap().len() > 40, "{path}");
                assert!(text.contains(MARK) && !text.contains("$ARGUMENTS"), "{path}");
            } else {
                assert!(text.starts_with("---\n") && text.contains(MARK), "{path}");
            }
        }
        let mut paths: Vec<&str> = files.iter().map(|f| f.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), files.len());
    }
}
