//! The default place of new code in a repository: language, folder, file ending and naming, from the code that exists.

use std::collections::{BTreeMap, HashSet};
use windlass_core::path_text::{dir_of, name_stem};

use super::DeriveOptions;
use super::new_project::PlannedProject;
use super::note::{Note, NoteKind};
use crate::file_kind::FileKind;
use crate::repository::Repository;
use crate::spec::Spec;
use crate::words::is_listed;
use windlass_code::survey::{Language, Naming, Survey};
use windlass_code::syntax::of_hint;

/// Where new files go and how they are named.
pub(super) struct FileLayout<'a> {
    /// Source files of the language, without tests.
    sources: Vec<&'a str>,
    naming: Naming,
    ending: &'a str,
    /// The folder for code of no particular kind.
    main: String,
    /// The project, if it does not exist yet.
    project: Option<PlannedProject>,
}

impl<'a> FileLayout<'a> {
    /// The layout of a repository. The language comes from the options, the code, a manifest or the documents, in this
    /// order; `None` if none of them names one. `subject` is what the documents are about.
    pub(super) fn of(
        spec: &Spec,
        subject: &str,
        repository: &'a Repository<'a>,
        options: &DeriveOptions,
        notes: &mut Vec<Note>,
    ) -> Option<Self> {
        let survey = repository.survey();
        let is_code =
            |path: &&str| !matches!(FileKind::of(path), FileKind::Configuration | FileKind::Manifest);
        let told =
            options.language.or_else(|| most(survey.sources().filter(is_code).filter_map(Language::of_path)));
        let language = match told.or_else(|| by_manifest(survey)) {
            Some(language) => language,
            None => guessed(spec, notes)?,
        };
        let kin = |path: &&str| Language::of_path(path).is_some_and(|l| l.same_family(language));
        let is_plain = |path: &&str| {
            matches!(FileKind::of(path), FileKind::Code | FileKind::Types) && !path.contains("test")
        };
        let sources: Vec<&str> = survey.sources().filter(kin).filter(is_plain).collect();
        let naming = survey.conventions.iter().find(|c| c.language == language).and_then(|c| c.file_names);
        let named = sources.iter().filter(|p| Language::of_path(p) == Some(language));
        let ending = most(named.filter_map(|p| p.rsplit_once('.')).map(|(_, ending)| ending));
        let ending = ending.unwrap_or(language.row().extensions[0]);
        let is_new = survey.sources().next().is_none() && survey.members.is_empty();
        let project = is_new.then(|| PlannedProject::of(spec, language, subject));
        let main = match &project {
            Some(project) => project.folder(),
            None => main_folder(&sources, repository, language),
        };
        Some(Self { naming: naming.unwrap_or(language.row().file_names), ending, main, project, sources })
    }

    /// The project, if it does not exist yet.
    pub(super) fn project(&self) -> Option<&PlannedProject> {
        self.project.as_ref()
    }

    /// Whether code is there, and no folder of it is for things of this kind.
    pub(super) fn is_open_for(&self, folder: &str) -> bool {
        let is_its = |path: &&str| !folder.is_empty() && dir_of(path).rsplit('/').next() == Some(folder);
        self.sources.iter().any(|path| !Language::marks_package(path)) && !self.sources.iter().any(is_its)
    }

    /// The only source file whose name consists of words of `name`.
    pub(super) fn existing(&self, name: &str) -> Option<String> {
        let wanted: HashSet<String> = split(name).into_iter().map(singular).collect();
        let about = |path: &&&str| {
            let own = split(name_stem(path));
            let plain = own.iter().any(|w| w.len() > 2 && !COMMON.contains(&w.as_str()));
            plain && own.into_iter().all(|word| wanted.contains(&singular(word)))
        };
        let mut found = self.sources.iter().filter(about);
        let first = found.next()?;
        found.next().is_none().then(|| (*first).to_owned())
    }

    /// A new path for a thing of this name, in the folder of its kind if the repository has one.
    pub(super) fn fresh(&self, name: &str, folder: &str, taken: &[String]) -> String {
        let folders = || self.sources.iter().map(|p| dir_of(p));
        let alike = folders().find(|d| !folder.is_empty() && d.rsplit('/').next() == Some(folder));
        let dir = alike.unwrap_or(&self.main);
        let at = |words: usize| {
            let file = file_name(name, self.naming, words);
            if dir.is_empty() {
                format!("{file}.{}", self.ending)
            } else {
                format!("{dir}/{file}.{}", self.ending)
            }
        };
        let free = |path: &String| !taken.contains(path) && !self.sources.contains(&path.as_str());
        if let Some(path) = self.in_named_folder(name).filter(free) {
            return path;
        }
        let longer = (3..8).map(at).find(free);
        longer.unwrap_or_else(|| {
            let base = at(3);
            let (stem, ending) = base.rsplit_once('.').unwrap_or((&base, self.ending));
            (2..1000).map(|n| format!("{stem}_{n}.{ending}")).find(free).unwrap_or_else(|| base.clone())
        })
    }

    /// The file of a thing whose name is a folder: `internal/init` is `internal/init/init.go`.
    fn in_named_folder(&self, name: &str) -> Option<String> {
        let is_part = |part: &str| {
            !part.is_empty()
                && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        };
        let parts: Vec<&str> = name.trim_matches(['`', '/']).split('/').collect();
        let last = parts.last().filter(|_| parts.len() > 1 && parts.iter().all(|part| is_part(part)))?;
        Some(format!("{}/{last}.{}", parts.join("/"), self.ending))
    }
}

/// File names that do not describe their content.
const COMMON: [&str; 14] = [
    "index", "main", "app", "lib", "mod", "init", "utils", "util", "types", "common", "core", "server",
    "client", "config",
];

/// Keywords of common languages that are also the names of features.
const KEYWORDS: [&str; 12] = [
    "import", "export", "return", "class", "global", "match", "switch", "default", "yield", "async",
    "delete", "test",
];

/// Words left out of file names.
const SMALL: &str = include_str!("../words/small_words.txt");

/// Prepositions and conjunctions: the words after them are left out of file names.
const BEHIND: [&str; 16] = [
    "in", "on", "for", "with", "via", "from", "by", "using", "into", "across", "without", "between",
    "within", "at", "when", "so",
];

/// What is named most often; of several the first in their order.
fn most<T: Ord + Copy>(named: impl Iterator<Item = T>) -> Option<T> {
    let mut votes: BTreeMap<T, usize> = BTreeMap::new();
    for one in named {
        *votes.entry(one).or_default() += 1;
    }
    votes.into_iter().max_by_key(|(one, count)| (*count, std::cmp::Reverse(*one))).map(|(one, _)| one)
}

/// The language of a project with a manifest and no code.
fn by_manifest(survey: &Survey) -> Option<Language> {
    survey.members.iter().find_map(|member| {
        let language = Language::of_manifest(member.manifest.rsplit('/').next()?)?;
        let becomes = language.row().becomes.filter(|(file, _)| survey.has(file));
        Some(becomes.map_or(language, |(_, language)| language))
    })
}

/// The language of the code blocks in the documents, else the one they mention most; noted as an assumption.
fn guessed(spec: &Spec, notes: &mut Vec<Note>) -> Option<Language> {
    let code = spec.details.iter().flat_map(|d| &d.code).filter_map(|code| of_hint(&code.language));
    let texts = || spec.sources.files().iter().map(|file| file.text.as_str());
    let spoken = || {
        let words = texts().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !"+#".contains(c)));
        let named: Vec<Language> = words.filter_map(Language::of_prose).collect();
        // `Node` is said of both; TypeScript is only said of one.
        let typed = named.contains(&Language::TypeScript);
        let most =
            most(named.into_iter()).map(|l| if typed && l.is_script() { Language::TypeScript } else { l });
        most.or_else(|| texts().find_map(written_in))
    };
    let language = most(code).or_else(spoken)?;
    let text = format!("no code found; assuming {}, which the documents mention", language.fence());
    notes.push(Note::new(NoteKind::Assumed, text).help("`--language` sets another language"));
    Some(language)
}

/// The language of a phrase such as `written in Go`, for names that are also words.
fn written_in(text: &str) -> Option<Language> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && !"+#".contains(c)).filter(|w| !w.is_empty()).collect();
    words.windows(2).find_map(|pair| {
        let names = matches!(pair[0], "in" | "In" | "Language" | "language" | "using" | "Sprache");
        Language::named(&pair[1].to_lowercase()).filter(|_| names && pair[1].starts_with(char::is_uppercase))
    })
}

/// The folder with most code; without code, the usual one of the language.
fn main_folder(sources: &[&str], repository: &Repository<'_>, language: Language) -> String {
    let survey = repository.survey();
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for path in sources {
        *folders.entry(dir_of(path)).or_default() += 1;
    }
    let most = folders.iter().max_by_key(|(dir, count)| (**count, std::cmp::Reverse(dir.len())));
    if let Some((dir, _)) = most {
        return (*dir).to_owned();
    }
    let name = survey.members.first().and_then(|m| m.name.clone()).map(|name| name.replace('-', "_"));
    // Code is found in `src` only where a manifest says so.
    let manifests = language.row().manifests.iter().filter_map(|path| repository.text(path));
    let says_so = manifests.into_iter().any(|text| text.contains("src"));
    let usual = match language.row().new_project.folder {
        folder @ "{name}" if !says_so => folder,
        _ => language.row().source_folder,
    };
    match name.filter(|name| !name.is_empty()) {
        Some(name) => usual.replace("{name}", &name),
        // Without a name the top of the repository is where a test finds the code.
        None => usual.replace("{name}", "").trim_end_matches('/').to_owned(),
    }
}

/// A name as an identifier of at most three words.
pub(super) fn identifier(name: &str) -> String {
    file_name(name, Naming::Snake, 3)
}

fn singular(word: String) -> String {
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        word[..word.len() - 1].to_owned()
    } else {
        word
    }
}

/// The words of a name, lower case.
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for c in name.chars().chain([' ']) {
        let plain = without_accent(c);
        let splits = !plain.is_ascii_alphanumeric() || (c.is_uppercase() && lower_before);
        // `users'` is one word: an apostrophe splits nothing.
        if splits && !word.is_empty() && c != '\'' && c != '’' {
            words.push(std::mem::take(&mut word));
        }
        if plain.is_ascii_alphanumeric() {
            word.push(plain.to_ascii_lowercase());
        }
        lower_before = c.is_lowercase();
    }
    words
}

/// A Latin letter without its accent: file names are written in ASCII.
fn without_accent(letter: char) -> char {
    const LETTERS: [(char, &str); 15] = [
        ('a', "áàâãäåāăą"),
        ('c', "çćč"),
        ('d', "ďđð"),
        ('e', "éèêëēėęě"),
        ('g', "ğģ"),
        ('i', "íìîïīı"),
        ('l', "łļľ"),
        ('n', "ñńňņ"),
        ('o', "óòôõöøōő"),
        ('r', "řŕ"),
        ('s', "śšşșß"),
        ('t', "ťțţ"),
        ('u', "úùûüūůű"),
        ('y', "ýÿ"),
        ('z', "źżž"),
    ];
    if letter.is_ascii() {
        return letter;
    }
    let lower = letter.to_lowercase().next().unwrap_or(letter);
    LETTERS.iter().find(|(_, accented)| accented.contains(lower)).map_or(letter, |(plain, _)| *plain)
}

/// A file name of at most `count` descriptive words.
fn file_name(name: &str, naming: Naming, count: usize) -> String {
    let bare = name.split(" (").next().unwrap_or(name);
    let all = split(bare);
    let telling = |words: &[String]| -> Vec<String> {
        words.iter().filter(|w| !is_listed(SMALL, w)).cloned().collect()
    };
    // Words after `in` or `without` describe circumstances.
    let ends = all.iter().position(|w| BEHIND.contains(&w.as_str()));
    let head = ends.map(|at| telling(&all[..at])).filter(|head| head.len() > 1 && count <= 3);
    let telling = head.unwrap_or_else(|| telling(&all));
    let mut words = if telling.is_empty() { all } else { telling };
    words.truncate(count);
    if words.is_empty() {
        words.push("feature".to_owned());
    }
    // Some languages cannot import a module whose name starts with a digit.
    if words[0].starts_with(|c: char| c.is_ascii_digit()) {
        words.insert(0, "feature".to_owned());
    }
    // A module called like a keyword cannot be imported.
    if let [only] = words.as_slice()
        && KEYWORDS.contains(&only.as_str())
    {
        words.push("feature".to_owned());
    }
    let capital = |w: &String| w[..1].to_ascii_uppercase() + &w[1..];
    match naming {
        Naming::Snake => words.join("_"),
        Naming::Kebab => words.join("-"),
        Naming::Pascal => words.iter().map(capital).collect(),
        Naming::Camel => words[0].clone() + &words[1..].iter().map(capital).collect::<String>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_can_in_few_words() {
        let table = [
            ("Start New Feature in Dedicated Worktree", Naming::Snake, "start_new_feature"),
            ("See other users’ cursors, names, and colors", Naming::Kebab, "see-other-cursors"),
            ("Result Reranking (Optional)", Naming::Camel, "resultReranking"),
            ("2FA for all", Naming::Pascal, "Feature2fa"),
            ("UserProfile editor", Naming::Snake, "profile_editor"),
            ("The", Naming::Snake, "the"),
            ("Contextual hints without explicit selection", Naming::Snake, "contextual_hints"),
            ("Launch directly into planning mode", Naming::Snake, "launch_planning_mode"),
            ("…", Naming::Snake, "feature"),
            ("Descrição do Órgão", Naming::Pascal, "DescricaoDoOrgao"),
        ];
        for (name, naming, expected) in table {
            assert_eq!(file_name(name, naming, 3), expected, "{name}");
        }
    }

    #[test]
    fn what_is_there_is_changed_and_what_is_not_is_made_beside_it() {
        let place = FileLayout {
            sources: vec!["src/shop/__init__.py", "src/shop/cart.py", "src/shop/user_profile.py"],
            naming: Naming::Snake,
            ending: "py",
            main: "src/shop".to_owned(),
            project: None,
        };
        assert_eq!(place.existing("Discounts in carts").as_deref(), Some("src/shop/cart.py"));
        assert_eq!(place.existing("Edit my user profile").as_deref(), Some("src/shop/user_profile.py"));
        assert_eq!(place.existing("Edit my profile"), None);
        assert_eq!(place.fresh("Gift cards", "", &[]), "src/shop/gift_cards.py");
        assert_eq!(
            place.fresh("Gift cards", "", &["src/shop/gift_cards.py".into()]),
            "src/shop/gift_cards_2.py"
        );
    }
}
