//! Extracts files, edits or a refusal from an answer; the text around them is ignored.

use std::collections::BTreeMap;

use windlass_core::path_text::file_name;

use super::answer_blocks::{AnswerBlock, SEARCH, blocks};
use super::block_name::{BlockName, NameSource, OwnFiles, name};
use super::file_edit::{FileEdit, LineChange, files_of_diff};
use crate::agent::last_words::{asks, end_of};

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AnswerContent {
    /// What becomes of files, by path, and blocks for files that are not its own.
    Files { edits: BTreeMap<String, FileEdit>, ignored: Vec<String> },
    /// It says that it is blocked, and why.
    Blocked(String),
    /// It wants these files.
    Needs(Vec<String>),
    /// Only files that are not its own.
    Foreign(Vec<String>),
    /// It asks instead of answering, in these words.
    Asked(String),
    /// Nothing that can be used, and what is wrong with it.
    Nothing(String),
}

/// Reads an answer.
pub(super) fn read(answer: &str, own: &[String]) -> AnswerContent {
    let answer = without_thoughts(answer);
    let all = blocks(answer);
    let mut sorted = SortedBlocks::default();
    for block in &all {
        sorted.take(block, OwnFiles(own));
    }
    sorted.take_unnamed(own);
    if !sorted.edits.is_empty() {
        let edits = sorted.edits.into_iter().map(|(path, (_, edit))| (path, edit)).collect();
        return AnswerContent::Files { edits, ignored: sorted.foreign };
    }
    if let Some(said) = after_word(answer, "BLOCKED:") {
        return AnswerContent::Blocked(said);
    }
    if let Some(said) = after_word(answer, "NEEDS:") {
        let paths = said.split([',', ' ']).map(|p| p.trim_matches(['`', '"', '.'])).filter(|p| !p.is_empty());
        return AnswerContent::Needs(paths.map(str::to_owned).collect());
    }
    if !sorted.foreign.is_empty() {
        return AnswerContent::Foreign(sorted.foreign);
    }
    if all.is_empty() && asks(answer) {
        return AnswerContent::Asked(end_of(answer.trim()));
    }
    AnswerContent::Nothing(wrong(answer, &all))
}

/// Models that think aloud do so first; code in their thoughts is not meant.
fn without_thoughts(answer: &str) -> &str {
    answer.rsplit_once("</think>").map_or(answer, |(_, after)| after)
}

/// What follows a word at the beginning of a line.
fn after_word(answer: &str, word: &str) -> Option<String> {
    let plain = |line: &str| line.trim().trim_start_matches(['*', '`', '#', ' ']).to_owned();
    let mut lines = answer.lines().map(plain);
    let first = lines
        .find_map(|line| line.strip_prefix(word).map(|rest| rest.trim_matches(['*', '`', ' ']).to_owned()))?;
    let said = if first.is_empty() { lines.find(|l| !l.is_empty()).unwrap_or_default() } else { first };
    (!said.is_empty()).then_some(said)
}

/// What is told to the next attempt.
fn wrong(answer: &str, blocks: &[AnswerBlock<'_>]) -> String {
    if answer.trim().is_empty() {
        "the agent sent no answer".into()
    } else if blocks.is_empty() {
        "its answer has no file: give each one in a fenced block that begins with ```LANGUAGE path=PATH"
            .into()
    } else {
        format!(
            "its answer has {} block(s) and none names its file: begin each with ```LANGUAGE path=PATH",
            blocks.len()
        )
    }
}

#[derive(Default)]
struct SortedBlocks<'a> {
    edits: BTreeMap<String, (NameSource, FileEdit)>,
    foreign: Vec<String>,
    unnamed: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> SortedBlocks<'a> {
    fn take(&mut self, block: &AnswerBlock<'a>, own: OwnFiles<'_>) {
        let files = files_of_diff(&block.lines, block.info);
        if files.is_empty() {
            let before_edit = |l: &&&str| !l.trim_start().starts_with(SEARCH);
            // Inside a fence, an edit's path may stand on the line above its mark.
            let named = match name(block, own) {
                BlockName::Nothing if block.lines.iter().any(|l| l.trim_start().starts_with(SEARCH)) => {
                    let above =
                        block.lines.iter().take_while(before_edit).filter(|l| !l.trim().is_empty()).last();
                    name(&AnswerBlock { info: "", above: above.copied(), lines: Vec::new() }, own)
                }
                named => named,
            };
            self.sort(named, block.info, block.lines.clone());
            return;
        }
        for (path, lines) in files {
            let named = name(&AnswerBlock { info: path, above: None, lines: Vec::new() }, own);
            self.sort(named, "diff", lines);
        }
    }

    fn sort(&mut self, named: BlockName, info: &'a str, mut lines: Vec<&'a str>) {
        match named {
            BlockName::Foreign(path) => self.foreign.push(path),
            BlockName::Nothing => self.unnamed.push((info, lines)),
            BlockName::Own { path, how: NameSource::Mentioned } if is_other(info, &path) => {
                let _ = path;
            }
            BlockName::Own { path, how } => {
                if how == NameSource::FirstLine {
                    lines.remove(0);
                }
                self.put(path, how, FileEdit::of(&lines, info));
            }
        }
    }

    /// The clearer name wins, then the later block; edits of one file add up.
    fn put(&mut self, path: String, how: NameSource, edit: FileEdit) {
        match (self.edits.get_mut(&path), edit) {
            (Some((_, FileEdit::Changes(all))), FileEdit::Changes(more)) => {
                all.extend::<Vec<LineChange>>(more);
            }
            (Some((before, _)), _) if *before > how => {}
            (_, edit) => {
                self.edits.insert(path, (how, edit));
            }
        }
    }

    /// With one file to write and nothing named, the longest block that is no command is it.
    fn take_unnamed(&mut self, own: &[String]) {
        let [path] = own else { return };
        if !self.edits.is_empty() || !self.foreign.is_empty() {
            return;
        }
        let fitting =
            self.unnamed.drain(..).filter(|(info, lines)| !lines.is_empty() && !is_other(info, path));
        if let Some((info, lines)) = fitting.max_by_key(|(_, lines)| lines.len()) {
            self.put(path.clone(), NameSource::Mentioned, FileEdit::of(&lines, info));
        }
    }
}

/// Languages of data, and how the names of their files end: an answer in one of them is not a source file.
const DATA: [(&str, &[&str]); 6] = [
    ("json", &["json", "jsonc", "json5", "ipynb", "webmanifest"]),
    ("jsonc", &["json", "jsonc", "json5"]),
    ("yaml", &["yaml", "yml"]),
    ("yml", &["yaml", "yml"]),
    ("toml", &["toml", "lock"]),
    ("xml", &["xml", "html", "xhtml", "svg", "csproj", "xaml"]),
];

/// Whether a block is something else than the file: something to type, what comes of it, or data around it.
fn is_other(info: &str, path: &str) -> bool {
    let language = info.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let name = file_name(path);
    // A name without an ending, or one that is all ending (`.eslintrc`), tells nothing.
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let data = DATA.iter().find(|(data, _)| *data == language);
    if let (Some((_, endings)), Some(ending)) = (data, ending) {
        return !endings.contains(&ending);
    }
    let shell =
        matches!(language.as_str(), "bash" | "sh" | "shell" | "zsh" | "console" | "text" | "txt" | "output");
    let script =
        path.ends_with(".sh") || path.ends_with(".bash") || path.ends_with(".txt") || !path.contains('.');
    shell && !script
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|p| (*p).to_owned()).collect()
    }

    fn whole(answer: &str, paths: &[&str]) -> Vec<(String, String)> {
        match read(answer, &own(paths)) {
            AnswerContent::Files { edits, .. } => {
                edits.into_iter().map(|(path, edit)| (path, edit.apply(None).unwrap())).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn pair(path: &str, text: &str) -> (String, String) {
        (path.into(), text.into())
    }

    #[test]
    fn files_are_taken_out_of_chatter() {
        let answer = "Sure! Here you go.\n\n```python path=a.py\nx = 1\n```\n\nAnd the other:\n\n**b.py**\n```py\ny = 2\n```\n\nRun it with:\n```bash\npython a.py\n```\nHope this helps!";
        assert_eq!(whole(answer, &["a.py", "b.py"]), [pair("a.py", "x = 1\n"), pair("b.py", "y = 2\n")]);
        let answer = "<think>\nmaybe\n```py path=a.py\nwrong\n```\n</think>\n```py path=a.py\nright\n```";
        assert_eq!(whole(answer, &["a.py"]), [pair("a.py", "right\n")]);
        let answer = "```py\n# a.py\nx\n```";
        assert_eq!(whole(answer, &["a.py"]), [pair("a.py", "x\n")]);
    }

    #[test]
    fn one_unnamed_block_is_the_one_file() {
        let answer = "Here:\n```\nx = 1\ny = 2\n```\nUse it so:\n```python\nx\n```\n```bash\npython a.py\npython a.py\npython a.py\n```";
        assert_eq!(whole(answer, &["a.py"]), [pair("a.py", "x = 1\ny = 2\n")]);
        assert!(matches!(read(answer, &own(&["a.py", "b.py"])), AnswerContent::Nothing(_)));
    }

    #[test]
    fn a_later_mention_does_not_replace_what_was_named() {
        let answer = "```py path=a.py\nreal\n```\nNow call `a.py` like this:\n```py\nimport a\n```";
        assert_eq!(whole(answer, &["a.py"]), [pair("a.py", "real\n")]);
    }

    #[test]
    fn edits_of_one_file_add_up() {
        let answer = "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n\n```python\na.py\n<<<<<<< SEARCH\nz\n=======\nw\n>>>>>>> REPLACE\n```";
        let AnswerContent::Files { edits, .. } = read(answer, &own(&["a.py", "b.py"])) else { panic!() };
        assert_eq!(edits["a.py"].apply(Some("x\nz\n")).unwrap(), "y\nw\n");
        let diff = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n--- a/c.py\n+++ b/c.py\n@@ -1 +1 @@\n-x\n+y\n```";
        let AnswerContent::Files { edits, ignored } = read(diff, &own(&["a.py", "b.py"])) else { panic!() };
        assert_eq!(
            (edits["a.py"].apply(Some("x\n")).unwrap(), ignored),
            ("y\n".into(), vec!["c.py".to_owned()])
        );
    }

    #[test]
    fn data_in_a_fence_is_no_source_file() {
        let json = "```json\n{\"path\": \"a.py\", \"content\": \"x = 1\"}\n```";
        for (answer, path) in [(json, "a.py"), (&json.replace("json\n", "yaml\n"), "a.py")] {
            assert!(matches!(read(answer, &own(&[path])), AnswerContent::Nothing(_)), "{answer}");
        }
        let mentioned = format!("This is `a.py`:\n{json}");
        assert!(matches!(read(&mentioned, &own(&["a.py"])), AnswerContent::Nothing(_)));
        assert_eq!(whole("```json\n{}\n```", &["a.json"]), [pair("a.json", "{}\n")]);
        assert_eq!(whole("```json\n{}\n```", &[".eslintrc"]), [pair(".eslintrc", "{}\n")]);
    }

    #[test]
    fn what_is_no_file_is_told_apart() {
        for (answer, wanted) in [
            (
                "BLOCKED: the test wants 5, the text says 4",
                AnswerContent::Blocked("the test wants 5, the text says 4".into()),
            ),
            ("**BLOCKED:**\n\nno such thing", AnswerContent::Blocked("no such thing".into())),
            (
                "I think\nNEEDS: `src/b.py`, c.py",
                AnswerContent::Needs(vec!["src/b.py".into(), "c.py".into()]),
            ),
            ("```py path=other.py\nx\n```", AnswerContent::Foreign(vec!["other.py".into()])),
            (" \n", AnswerContent::Nothing("the agent sent no answer".into())),
        ] {
            assert_eq!(read(answer, &own(&["a.py"])), wanted);
        }
        let asked = "It depends. Which Python do you use? Tell me.";
        assert_eq!(read(asked, &own(&["a.py"])), AnswerContent::Asked(asked.into()));
        let AnswerContent::Nothing(why) = read("It is done.", &own(&["a.py"])) else { panic!() };
        assert!(why.contains("no file"), "{why}");
    }
}
