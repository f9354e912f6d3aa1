//! What a model is told that sees nothing but one text: the brief, and the files it needs, as far as they fit.

use std::path::Path;

use super::spec::{ApiSpec, BYTES_PER_TOKEN};
use super::workdir_files;

/// A file that is only to be read is not shown at all where less than this fits.
const WORTH_SHOWING: usize = 400;

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) system: String,
    pub(super) user: String,
}

/// The files a prompt is about.
pub(super) struct PromptFiles<'a> {
    /// Those it may change: they must fit whole.
    pub(super) own: &'a [String],
    /// Those it may look at, in the order of their use.
    pub(super) read: Vec<&'a str>,
}

const SYSTEM: &str =
    "You write code. You have no tools and cannot ask: your one answer is taken apart by a program.

Give every file you change, whole, in a fenced block whose opening line names it:

```LANGUAGE path=PATH
all of the file
```

For a small change in a long file you may give this in the block instead, as often as needed:

<<<<<<< SEARCH
lines exactly as they are now
=======
lines to put there
>>>>>>> REPLACE

Change only the files you may change. Leave nothing out, explain nothing.
If the tests contradict the description, answer only: BLOCKED: and why.
If you must change a file that is not yours, answer only: NEEDS: and its path.";

/// A model that sees no more than this is told less: it repeats what it was told instead of following it.
const LITTLE: u32 = 4096;

/// For a model that sees little: what the answer looks like, and nothing else. The brief has the rules.
const SHORT: &str =
    "You write files. Answer with one fenced block that holds the whole file, and nothing else, like this:

```sh path=greet.sh
echo good morning
```";

const JUDGE: &str = "You have no tools and cannot ask: your one answer is read by a program.

Answer with the JSON that is asked for, in one fenced block, and nothing else.";

/// The prompt of a turn that judges or plans and changes no file.
pub(super) fn to_judge(spec: &ApiSpec, brief: &str) -> Result<Prompt, String> {
    let room = spec.room_bytes();
    let size = JUDGE.len() + brief.len();
    if size > room {
        let (needs, has) = (size.div_ceil(BYTES_PER_TOKEN), room / BYTES_PER_TOKEN);
        return Err(too_large("the brief needs", needs, has));
    }
    Ok(Prompt { system: JUDGE.to_owned(), user: brief.trim_end().to_owned() })
}

/// Puts it together; how much too large it is, where it does not fit.
pub(super) fn put_together(
    spec: &ApiSpec,
    brief: &str,
    dir: &Path,
    shown: &PromptFiles<'_>,
) -> Result<Prompt, String> {
    let room = spec.room_bytes();
    let little = spec.context_tokens <= LITTLE;
    let system = if little { SHORT } else { SYSTEM };
    let mut user = brief.trim_end().to_owned();
    user.push_str("\n\n## Files as they are now\n");
    for path in shown.own {
        match workdir_files::read(dir, path) {
            Some(text) => user.push_str(&block(path, &text)),
            None => user.push_str(&format!("\n`{path}` is not there yet.\n")),
        }
    }
    let last = if little { what_is_wanted(shown.own) } else { String::new() };
    let size = system.len() + user.len() + last.len();
    if size > room {
        let (needs, has) = (size.div_ceil(BYTES_PER_TOKEN), room / BYTES_PER_TOKEN);
        return Err(too_large("the task and its files need", needs, has));
    }
    for path in shown.read.iter().filter(|p| !shown.own.iter().any(|o| o == *p)) {
        let left = room - system.len() - user.len() - last.len();
        // What stands in the brief already is not shown twice.
        if let Some(text) = workdir_files::read(dir, path).filter(|t| !user.contains(t.trim()))
            && let Some(part) = fitted(path, &text, left)
        {
            user.push_str(&part);
        }
    }
    user.push_str(&last);
    Ok(Prompt { system: system.to_owned(), user })
}

fn too_large(what: &str, needs: usize, has: usize) -> String {
    format!(
        "{what} about {needs} tokens, there is room for {has}: split the task, or give it to an agent with a larger `context`"
    )
}

/// The last words to a model that sees little: it follows those best.
fn what_is_wanted(own: &[String]) -> String {
    let files: Vec<String> = own.iter().map(|path| format!("`{path}`")).collect();
    let blocks = if files.len() == 1 { "in one block" } else { "each in a block of its own" };
    format!("\n## Your answer\nThe whole of {}, {blocks}:", files.join(" and "))
}

/// A file in a fence that nothing in it can close.
fn block(path: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("\n{fence} path={path}\n{text}{end}{fence}\n")
}

/// As many of its first lines as fit.
fn fitted(path: &str, text: &str, room: usize) -> Option<String> {
    let whole = block(path, text);
    if whole.len() <= room {
        return Some(whole);
    }
    const NOTE: &str = "(the rest is left out)\n";
    let room = room.checked_sub(block(path, "").len() + NOTE.len() + 16).filter(|r| *r >= WORTH_SHOWING)?;
    let mut part = String::new();
    for line in text.lines() {
        if part.len() + line.len() + 1 > room {
            break;
        }
        part.push_str(line);
        part.push('\n');
    }
    Some(format!("{}{NOTE}", block(path, &part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::api::spec::ApiDialect;

    fn spec(context_tokens: u32) -> ApiSpec {
        ApiSpec {
            endpoint: String::new(),
            dialect: ApiDialect::OpenAi,
            model: "m".into(),
            key: None,
            context_tokens,
            answer_tokens: 1000,
            timeout: None,
        }
    }

    #[test]
    fn own_files_come_whole_and_others_as_far_as_they_fit() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.md"), "x\n```\ny").unwrap();
        std::fs::write(dir.path().join("big.txt"), "line of text\n".repeat(1000)).unwrap();
        let own = ["a.md".to_owned(), "new.rs".to_owned()];
        let shown = || PromptFiles { own: &own, read: vec!["a.md", "big.txt"] };
        let prompt = put_together(&spec(3000), "# T-1\n", dir.path(), &shown()).unwrap();
        assert!(prompt.user.contains("```` path=a.md\nx\n```\ny\n````\n"), "{}", prompt.user);
        assert!(prompt.user.contains("`new.rs` is not there yet."));
        assert!(prompt.user.contains("(the rest is left out)"));
        assert!(prompt.system.len() + prompt.user.len() <= 2000 * BYTES_PER_TOKEN);
        assert!(
            prompt
                .user
                .ends_with("\n## Your answer\nThe whole of `a.md` and `new.rs`, each in a block of its own:")
        );
        let more = put_together(&spec(8192), "# T-1\n", dir.path(), &shown()).unwrap();
        assert!(more.system.contains("SEARCH") && !more.user.contains("## Your answer"), "{more:?}");
        let err = put_together(&spec(1100), "# T-1\n", dir.path(), &shown()).unwrap_err();
        assert!(err.starts_with("the task and its files need about "), "{err}");
    }
}
