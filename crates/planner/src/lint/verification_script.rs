//! What a verification script says about itself: whether it can fail, whether it hides an exit code, which paths it names.
//!
//! Works on the commands that the shell lexer of `code` finds. For a compound script (loops, conditions, subshells)
//! the answers are "no finding".

use windlass_code::script::{Separator, ShellScript, ShellWord, SimpleCommand};

/// A script, read for lints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerificationScript {
    shell: ShellScript,
    /// Whether a pipe fails when any of its commands does.
    pipefail: bool,
}

/// Commands that succeed whatever happened before them, or only prepare.
const HARMLESS: [&str; 12] =
    ["echo", "printf", "true", ":", "cd", "set", "export", "mkdir", "sleep", "source", "touch", "unset"];

/// Commands that pass text on and hide the exit code of the command in front of them in a pipe.
const FILTERS: [&str; 14] =
    ["tail", "head", "cat", "tee", "wc", "less", "more", "sed", "tr", "cut", "sort", "uniq", "nl", "column"];

/// Commands that only inspect files.
const LOOKS: [&str; 12] =
    ["grep", "egrep", "fgrep", "rg", "test", "[", "ls", "cat", "wc", "find", "stat", "head"];

impl VerificationScript {
    /// Reads a script.
    pub(super) fn parse(text: &str) -> Self {
        let shell = ShellScript::parse(text);
        let sets = |c: &SimpleCommand| program(c) == "set" && c.words.iter().any(|w| w.text == "pipefail");
        let pipefail = shell.commands.iter().any(sets);
        Self { shell, pipefail }
    }

    /// The commands of each line.
    fn lines(&self) -> impl Iterator<Item = &[SimpleCommand]> {
        self.shell.commands.chunk_by(|_, next| next.before != Separator::Line)
    }

    /// Whether nothing in it can make it fail.
    pub(super) fn never_fails(&self) -> bool {
        !self.shell.is_compound && !self.lines().any(line_can_fail)
    }

    /// A filter that hides an exit code, if there is one.
    pub(super) fn mask(&self) -> Option<&str> {
        if self.pipefail || self.shell.is_compound {
            return None;
        }
        let filter = |command: &&SimpleCommand| FILTERS.contains(&program(command));
        self.lines().find_map(|line| {
            let mut piped = line.iter().filter(|c| c.before == Separator::Pipe && c.after != Separator::Pipe);
            let shown_after = line.last().filter(|c| c.before == Separator::Semicolon);
            piped.find(filter).or(shown_after.filter(filter)).map(program)
        })
    }

    /// Whether a command is left running, its exit code unseen.
    pub(super) fn leaves_running(&self) -> bool {
        let last = |line: &[SimpleCommand]| {
            let pipeline = line.iter().rev().find(|c| c.before != Separator::Pipe);
            line.last().is_some_and(|c| c.after == Separator::Background)
                || pipeline.is_some_and(|c| c.before == Separator::Background)
        };
        !self.shell.is_compound && self.lines().any(last)
    }

    /// Whether it only looks for files and words in them.
    pub(super) fn only_looks(&self) -> bool {
        let mut programs = self.shell.commands.iter().map(program).filter(|name| !name.is_empty()).peekable();
        !self.shell.is_compound
            && programs.peek().is_some()
            && programs.all(|name| LOOKS.contains(&name) || HARMLESS.contains(&name))
    }

    /// Every word that could be a path, seen from the directory the script has changed to.
    pub(super) fn paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        for command in self.shell.commands.iter().filter(|command| program(command) != "cd") {
            let Some((program, args)) = command.argv().split_first() else { continue };
            let dir = command.dir.as_deref().unwrap_or_default();
            let named = args.iter().filter_map(path_in);
            // `./run.sh` is a file, `run.sh` is searched for on the path.
            let named = named.chain(path_in(program).filter(|_| program.text.contains('/')));
            found.extend(named.map(|path| joined(dir, path)));
        }
        found
    }
}

/// The program of a command; empty where it only assigns.
fn program(command: &SimpleCommand) -> &str {
    command.argv().first().map_or("", |word| word.text.as_str())
}

fn line_can_fail(line: &[SimpleCommand]) -> bool {
    let last = |command: &&SimpleCommand| command.after != Separator::Pipe;
    let mut join = Separator::Line;
    let mut fails = false;
    for command in line {
        if command.before != Separator::Pipe {
            join = command.before;
        }
        if !last(&command) {
            continue;
        }
        let this = command_can_fail(command);
        fails = match join {
            Separator::And => fails || this,
            Separator::Or => fails && this,
            Separator::Line
            | Separator::Semicolon
            | Separator::Background
            | Separator::Pipe
            | Separator::Group => this,
        };
    }
    fails && line.last().is_some_and(|command| command.after != Separator::Background)
}

fn command_can_fail(command: &SimpleCommand) -> bool {
    match program(command) {
        "" => false,
        "exit" | "return" => command.argv().get(1).is_some_and(|code| code.text != "0"),
        name => !HARMLESS.contains(&name),
    }
}

/// A word that could be a path: `./`, `--option=` and a test's name behind `::` are taken off.
fn path_in(word: &ShellWord) -> Option<&str> {
    let text = word.text.as_str();
    let text = if text.starts_with('-') { text.split_once('=').map(|(_, value)| value)? } else { text };
    let path = text.split("::").next().unwrap_or_default();
    let path = path.strip_prefix("./").unwrap_or(path);
    let odd = |c: char| "$*?{}()<>\"'`|;&".contains(c) || c.is_ascii_whitespace();
    (path.contains(['/', '.']) && !path.contains("://") && !path.contains(odd)).then_some(path)
}

fn joined(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
