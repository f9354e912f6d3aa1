//! The rules that a repository writes down for agents: `AGENTS.md`, `CLAUDE.md` and `GEMINI.md`.
//!
//! Every program reads one of these names by itself and no other. A brief contains those that the agent's program does
//! not read.

use serde::Serialize;

/// The names of such files.
const NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];
/// How many characters of one file a brief has.
const ONE: usize = 6_000;
/// How many characters of all of them.
const ALL: usize = 12_000;

/// A file with rules, as far as the brief has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HouseRules {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The rules for work on these files that a program does not read by itself. `own` are the names it reads.
pub fn house_rules(read: &dyn Fn(&str) -> Option<String>, files: &[String], own: &[&str]) -> Vec<HouseRules> {
    let found: Vec<(&str, HouseRules)> = places(files)
        .iter()
        .flat_map(|dir| NAMES.map(|name| (name, format!("{dir}{name}"))))
        .filter_map(|(name, path)| Some((name, HouseRules { text: read(&path)?.trim().to_owned(), path })))
        .filter(|(_, rules)| !is_import(&rules.text))
        .collect();
    let mut known: Vec<&str> =
        found.iter().filter(|(name, _)| own.contains(name)).map(|(_, rules)| rules.text.as_str()).collect();
    let mut told: Vec<HouseRules> = Vec::new();
    let mut room = ALL;
    for (name, rules) in &found {
        // A file that another one repeats or takes in is read with it.
        let taken_in = known.iter().any(|text| *text == rules.text || imports(text, name));
        if own.contains(name) || taken_in {
            continue;
        }
        known.push(&rules.text);
        let text = cut(&rules.text, room.min(ONE), &rules.path);
        room = room.saturating_sub(text.len());
        told.push(HouseRules { path: rules.path.clone(), text });
    }
    told
}

/// The directories above the files, the outermost first, each with a slash at its end.
fn places(files: &[String]) -> Vec<String> {
    let mut all = vec![String::new()];
    for file in files {
        for (at, _) in file.match_indices('/') {
            all.push(file[..=at].to_owned());
        }
    }
    all.sort_by_key(|dir| (dir.matches('/').count(), dir.clone()));
    all.dedup();
    all
}

/// Whether a text only takes in other files.
fn is_import(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty() || line.trim().starts_with('@'))
}

/// Whether a text takes in the file of this name.
fn imports(text: &str, name: &str) -> bool {
    text.split_whitespace().any(|word| word.strip_prefix('@').is_some_and(|path| path.ends_with(name)))
}

fn cut(text: &str, most: usize, path: &str) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= most).last().unwrap_or(0);
    let whole_lines = text[..end].rfind('\n').unwrap_or(end);
    format!("{}\n(the rest is left out: read `{path}`)", &text[..whole_lines])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(files: &[(&str, &str)], owned: &[&str], own: &[&str]) -> Vec<String> {
        let read =
            |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        let owned: Vec<String> = owned.iter().map(|p| (*p).to_owned()).collect();
        house_rules(&read, &owned, own).into_iter().map(|rules| rules.path).collect()
    }

    #[test]
    fn what_a_program_reads_by_itself_is_not_told_again() {
        let all = [("AGENTS.md", "a"), ("CLAUDE.md", "c"), ("GEMINI.md", "g")];
        assert_eq!(paths(&all, &[], &[]), ["AGENTS.md", "CLAUDE.md", "GEMINI.md"]);
        assert_eq!(paths(&all, &[], &["CLAUDE.md"]), ["AGENTS.md", "GEMINI.md"]);
        let same = [("AGENTS.md", "a"), ("CLAUDE.md", "a\n")];
        assert_eq!(paths(&same, &[], &["CLAUDE.md"]), [""; 0]);
        assert_eq!(paths(&same, &[], &[]), ["AGENTS.md"]);
    }

    #[test]
    fn a_file_that_takes_another_in_is_no_second_text() {
        let import = [("AGENTS.md", "a"), ("CLAUDE.md", "@AGENTS.md\n")];
        assert_eq!(paths(&import, &[], &["GEMINI.md"]), ["AGENTS.md"]);
        let mixed = [("AGENTS.md", "a"), ("CLAUDE.md", "Be kind.\n@./AGENTS.md\n")];
        assert_eq!(paths(&mixed, &[], &["CLAUDE.md"]), [""; 0], "read with it");
    }

    #[test]
    fn rules_of_a_folder_count_for_its_files() {
        let all = [("AGENTS.md", "a"), ("web/AGENTS.md", "w"), ("api/AGENTS.md", "x")];
        assert_eq!(paths(&all, &["web/src/a.ts"], &[]), ["AGENTS.md", "web/AGENTS.md"]);
    }

    #[test]
    fn long_rules_are_cut_at_a_line() {
        let long = "a line of rules\n".repeat(1000);
        let read = |path: &str| (path == "AGENTS.md").then(|| long.clone());
        let told = house_rules(&read, &[], &[]);
        assert!(told[0].text.len() < ONE + 60 && told[0].text.ends_with("read `AGENTS.md`)"));
    }
}
