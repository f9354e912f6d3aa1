//! Paths in running text: which words are files, and which full path a short name stands for.

use windlass_core::path_text::{FILE_ENDINGS, file_name};

/// Whether a file is binary, so that no text can be written into it.
pub(in crate::spec) fn is_binary(path: &str) -> bool {
    const BINARY: [&str; 22] = [
        "png", "jpg", "jpeg", "gif", "ico", "webp", "bmp", "mp3", "mp4", "wav", "pdf", "zip", "gz", "jar",
        "bin", "woff", "woff2", "ttf", "xlsx", "docx", "db", "sqlite",
    ];
    path.rsplit_once('.').is_some_and(|(_, ending)| BINARY.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Whether a name that begins with a dot is usually a folder.
pub(in crate::spec) fn is_dot_folder(name: &str) -> bool {
    matches!(
        name,
        ".github" | ".vscode" | ".idea" | ".git" | ".husky" | ".circleci" | ".devcontainer" | ".venv"
    )
}

/// Files without an ending.
const BARE: &str = "Makefile makefile GNUmakefile Dockerfile LICENSE Gemfile Rakefile Procfile Justfile justfile NOTICE CODEOWNERS \
                    Vagrantfile Jenkinsfile";

/// A path that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::spec) struct PathMention {
    pub(in crate::spec) path: String,
    /// Whether it is in backticks.
    pub(in crate::spec) quoted: bool,
}

/// The paths a text names, in order, each once. Names without a folder count too.
pub(in crate::spec) fn named_in(text: &str) -> Vec<String> {
    mentions(text).into_iter().map(|mention| mention.path).collect()
}

/// The same, with how each is written.
pub(in crate::spec) fn mentions(text: &str) -> Vec<PathMention> {
    let mut found: Vec<PathMention> = Vec::new();
    for (i, piece) in text.split('`').enumerate() {
        let quoted = i % 2 == 1;
        let has_group = quoted && piece.contains(")/");
        for word in piece.split(|c: char| {
            c.is_whitespace()
                || matches!(c, ',' | ';' | '|' | '"' | '\'')
                || (matches!(c, '(' | ')') && !has_group)
                || is_wide_sign(c)
        }) {
            let word = if quoted { word } else { word.trim_start_matches(is_wide).trim_end_matches(is_wide) };
            for part in word.split(" + ") {
                if let Some(path) = clean(part)
                    && !found.iter().any(|f| f.path == path)
                {
                    found.push(PathMention { path, quoted });
                }
            }
        }
    }
    found
}

/// Punctuation of scripts without spaces.
fn is_wide_sign(c: char) -> bool {
    matches!(c, '，' | '、' | '；' | '：' | '（' | '）' | '。' | '「' | '」' | '“' | '”' | '《' | '》')
}

/// Letters of scripts without spaces. Where they touch a path, they are prose.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Paths that lead out of the repository. No task may change them.
pub(in crate::spec) fn outside(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '`' | '"'));
    let drive = |w: &str| {
        w.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && w[1..].starts_with([':'])
            && w[2..].starts_with(['\\', '/'])
    };
    let away = words.filter(|w| {
        w.starts_with("../")
            || w.starts_with("..\\")
            || w.starts_with("~/")
            || w.starts_with('/')
            || w.contains("/../")
            || (w.len() > 3 && w.is_ascii() && drive(w))
    });
    const ROOTS: [&str; 9] = ["etc", "usr", "var", "home", "opt", "root", "tmp", "bin", "dev"];
    let of_a_machine = |w: &str| {
        w.strip_prefix('/').and_then(|rest| rest.split_once('/')).is_some_and(|(top, _)| ROOTS.contains(&top))
    };
    let named = |w: &str| w.rsplit('/').next().is_some_and(|n| n.contains('.') && !n.starts_with('.'));
    let named = |w: &str| named(&w.replace('\\', "/"));
    away.filter(|w| named(w) || of_a_machine(w)).collect()
}

/// Patterns that stand for several files, as `src/*.py`.
pub(in crate::spec) fn patterns(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '`'));
    let starred =
        words.filter(|w| w.contains('*') && w.contains('/') && !w.starts_with(['/', '~', '.', '*']));
    let named = starred
        .filter(|w| w.chars().all(|c| c.is_alphanumeric() || "/._-*".contains(c)) && !w.contains(".."));
    named.map(str::to_owned).collect()
}

/// Whether a path fits a pattern; `*` stays inside a folder, `**` does not.
pub(crate) fn fits(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('/').peekable(), path.split('/').peekable());
    while let Some(part) = pattern.next() {
        if part == "**" {
            let rest: Vec<&str> = pattern.collect();
            let left: Vec<&str> = path.collect();
            let rest = rest.join("/");
            return rest.is_empty() || (0..left.len()).any(|i| fits(&rest, &left[i..].join("/")));
        }
        if !path.next().is_some_and(|name| fits_name(part, name)) {
            return false;
        }
    }
    path.next().is_none()
}

fn fits_name(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

/// A word as a path, if it is one.
pub(in crate::spec) fn clean(word: &str) -> Option<String> {
    let word = word.trim_matches(['*', '"', '\'', '`', '<', '>', '—', '–', '→', '+', '!', '?']);
    let word = word.trim_end_matches(['.', ':']).trim_start_matches("./");
    let word = without_position(word);
    if word.is_empty() || word.contains("://") || word.starts_with(['/', '~', '-', '@', '$', '#', '{']) {
        return None;
    }
    let allowed = |c: char| c.is_alphanumeric() || "/._-+@[]$~:".contains(c);
    // Some frameworks group folders in brackets: `app/(shop)/page.tsx`.
    let is_group = |part: &str| {
        part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        })
    };
    let plain = word.split('/').all(|part| part.chars().all(allowed) || is_group(part))
        && !word.contains("//")
        && word.len() <= 255;
    let inside = !word.split('/').any(|part| matches!(part, "" | "." | ".." | ".git"));
    let drive = word.get(1..3).is_some_and(|sign| matches!(sign, ":/" | ":\\"));
    (plain && inside && !drive && is_file(word)).then(|| word.to_owned())
}

fn is_file(word: &str) -> bool {
    let name = file_name(word);
    if name.starts_with("..") {
        return false;
    }
    let dotfile = name.starts_with('.') && !name[1..].starts_with(|c: char| c.is_ascii_digit());
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return BARE.split(' ').any(|bare| bare == name);
    };
    let known = FILE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    let folder = word.contains('/') && !ending.is_empty() && ending.len() <= 8;
    let lettered =
        ending.bytes().all(|b| b.is_ascii_alphanumeric()) && ending.bytes().any(|b| b.is_ascii_alphabetic());
    // `Node.js`, `e.g`, `self.name` and `console.log` are not files.
    let product = ending == "js" && stem.starts_with(|c: char| c.is_ascii_uppercase());
    let prose =
        !word.contains('/') && (product || name == "node.js" || (ending == "env" && !stem.is_empty()));
    let named = known && !stem.is_empty() && (!dotfile || word.contains('/'));
    (named || (folder && lettered && !stem.is_empty()) || (dotfile && lettered_dotfile(word))) && !prose
}

/// `.gitignore` and `.github/x` are files; `.md` and `.core.md` are endings.
fn lettered_dotfile(word: &str) -> bool {
    let name = file_name(word).trim_start_matches('.');
    let ending = name.rsplit('.').next().unwrap_or(name);
    let is_settings = name.split('.').next().is_some_and(|stem| stem.ends_with("rc") && stem.len() > 3);
    if !is_settings
        && !word.contains('/')
        && name.contains('.')
        && matches!(ending, "md" | "txt" | "py" | "ts" | "js")
    {
        return false;
    }
    let only_endings =
        name.split('.').all(|p| FILE_ENDINGS.contains(&p)) || name == ending && FILE_ENDINGS.contains(&name);
    !only_endings && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() >= 3
}

/// The path without a line number or symbol behind it: `cli.py:44,49`, `state.py:claim_task()`.
fn without_position(word: &str) -> &str {
    let Some((head, tail)) = word.rsplit_once(':') else { return word };
    let place = tail.trim_start_matches('~').starts_with(|c: char| c.is_ascii_digit());
    let symbol = head.contains('.') && !tail.contains('.');
    if place || symbol || tail.is_empty() { without_position(head) } else { word }
}

/// The one known path that a short name stands for, if exactly one fits.
pub(in crate::spec) fn expand<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut fits =
        known.filter(|k| *k != name && k.strip_suffix(name).is_some_and(|head| head.ends_with('/')));
    let first = fits.next()?;
    fits.all(|other| other == first).then_some(first)
}
