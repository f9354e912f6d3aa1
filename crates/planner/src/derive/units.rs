//! Units of work from the documents: from the tasks they name, else from the files they list; where they name no file,
//! from stories and requirements with assumed files.

use std::collections::{BTreeMap, HashMap, HashSet};
use windlass_core::path_text::{dir_of, file_name};

use super::note::{Note, NoteKind};
use super::serving_code::serving_code;
use super::unit::{Unit, UnitFile};
use super::words::words;
use super::{DeriveOptions, name};
use crate::file_kind::{self, FileKind};
use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::{Authority, FileRow, Operation, Spec, SpecCriterion, Story};
use windlass_code::survey::{Language, subject_stem};
use windlass_core::diagnostic::{FileIx, Span};

/// Every unit, in the order of the documents.
pub(super) fn units(
    spec: &Spec,
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) -> Vec<Unit> {
    let making = UnitBuilder { spec, repository };
    let rows = making.rows();
    let mut units = if rows.iter().any(|r| !r.tasks.is_empty()) {
        making.stated(&rows, notes)
    } else if !rows.is_empty() {
        let mut units = making.by_file(&rows);
        if let [only] = &mut units[..]
            && making.only_mentions(&rows)
        {
            only.title = super::assumed_files::whole_title(spec, options);
        }
        let left = if options.profile == Profile::Ccw {
            making.without_files(&rows)
        } else if making.is_thin(&rows) {
            spec.stories.clone()
        } else {
            Vec::new()
        };
        if !left.is_empty() {
            let left = Spec { stories: left, ..spec.clone() };
            let left = Spec { components: Vec::new(), models: Vec::new(), endpoints: Vec::new(), ..left };
            units.extend(super::assumed_files::units(&left, repository, options, notes));
        }
        units
    } else {
        super::assumed_files::units(spec, repository, options, notes)
    };
    if let Some(span) = spec.doubted_tick {
        let text = "boxes are ticked off as done, and there is no code here; they are planned".to_owned();
        notes.push(Note::new(NoteKind::Assumed, text).at(span));
    }
    super::uses::join_mutual(&mut units, spec);
    super::wanted_documents::own_documents(&mut units, spec);
    making.settle(&mut units, notes);
    for unit in &mut units {
        unit.title = name::unmarked(&unit.title).to_owned();
        unit.untitled = unit.title.trim().is_empty();
        if unit.untitled || is_short(&unit.title) {
            unit.title = name::title(unit, spec);
        }
    }
    super::module_declarations::glue(&mut units, repository, options, notes);
    super::cmake::declare(&mut units, repository);
    super::build_files::wire_entry(&mut units, repository);
    super::assumed_files::give_tests(&mut units, spec, repository, options);
    units
}

/// Whether two files are a source and its header.
fn is_pair(a: &str, b: &str) -> bool {
    let is_unit_of =
        |source: &str, header: &str| Language::is_compiled(source) && Language::is_header(header);
    (is_unit_of(a, b) || is_unit_of(b, a)) && name::stem(a) == name::stem(b)
}

/// Whether a file is the style sheet or page of the source file beside it: `Player.module.css` of `Player.tsx`.
fn dresses(path: &str, code: &str) -> bool {
    let (Some((dir, file)), Some((own, name))) = (path.rsplit_once('/'), code.rsplit_once('/')) else {
        return false;
    };
    let style = matches!(file.rsplit_once('.'), Some((_, "css" | "scss" | "less" | "html")));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    style
        && dir == own
        && Language::of_path(code).is_some()
        && file.split('.').next() == Some(stem)
        && !matches!(stem, "index" | "main")
}

/// Whether a title only names a thing, without a verb.
fn is_short(title: &str) -> bool {
    // Scripts without spaces between words: count letters.
    let wide = title.chars().filter(|c| *c >= '\u{3000}').count() > 4;
    title.split_whitespace().count() <= 3 && !wide && !name::begins_with_verb(title) && !name::is_order(title)
}

/// Whether a test is of several parts together: it comes after their own tests, and is no part's own test.
pub(super) fn tests_the_whole(test: &str) -> bool {
    test.split(['/', '.', '_', '-'])
        .any(|word| matches!(word, "integration" | "e2e" | "acceptance" | "functional"))
}

/// Joins a file that only starts the program, and has no test of its own, with the commands that it starts: their tests call the
/// program by it.
fn join_entry(units: &mut Vec<Unit>) {
    let starts = |f: &UnitFile| name::stem(&f.path) == "__main__";
    let is_entry = |u: &Unit| {
        u.files.iter().any(starts) && u.files.iter().all(|f| starts(f) || Language::marks_package(&f.path))
    };
    let is_surface = |u: &Unit| {
        u.of_kind(FileKind::Code).any(|f| {
            let folder = f.path.rsplit('/').nth(1).unwrap_or_default();
            matches!(name::stem(&f.path), "cli" | "commands") || matches!(folder, "cli" | "commands")
        })
    };
    let entries: Vec<usize> = (0..units.len()).filter(|at| is_entry(&units[*at])).collect();
    let surfaces: Vec<usize> = (0..units.len()).filter(|at| is_surface(&units[*at])).collect();
    if let ([entry], [surface]) = (&entries[..], &surfaces[..]) {
        let started = units[*entry].clone();
        super::features::absorb(&mut units[*surface], &started);
        units.remove(*entry);
    }
}

/// Joins the units of a list of boxes that is about one new file: they would be a chain over that file.
fn join_around(units: Vec<Unit>, path: &str) -> Vec<Unit> {
    let is_part = |unit: &Unit| {
        unit.files.iter().all(|f| f.path == path || matches!(f.kind, FileKind::Test | FileKind::Manifest))
    };
    let (parts, mut others): (Vec<Unit>, Vec<Unit>) = units.into_iter().partition(is_part);
    let Some(at) = parts.iter().position(|unit| unit.owns(path)) else {
        others.extend(parts);
        return others;
    };
    let said = |unit: &Unit| format!("{}\n{}", unit.title, unit.text).trim().to_owned();
    let mut whole = Unit { title: String::new(), text: said(&parts[at]), ..parts[at].clone() };
    for (_, part) in parts.iter().enumerate().filter(|(n, _)| *n != at) {
        let part = Unit { text: said(part), ..part.clone() };
        super::features::absorb(&mut whole, &part);
    }
    // The file comes first: it names the unit.
    whole.files.sort_by_key(|f| f.path != path);
    others.insert(0, whole);
    others
}

struct UnitBuilder<'a> {
    spec: &'a Spec,
    repository: &'a Repository<'a>,
}

impl UnitBuilder<'_> {
    /// Stories that no word connects with a file, where other stories have files: each is a feature of its own all the
    /// same.
    fn without_files(&self, rows: &[FileRow]) -> Vec<Story> {
        let spec = self.spec;
        let mut known: HashSet<String> = HashSet::new();
        for row in rows {
            known.extend(words(&format!("{} {}", row.path, row.note)));
            let of_file = spec.components.iter().filter(|c| c.files.contains(&row.path));
            known.extend(of_file.flat_map(|c| words(&format!("{} {}", c.name, c.responsibility))));
        }
        let is_known = |story: &&Story| {
            let criteria = spec.criteria.iter().filter(|c| c.story.as_ref() == Some(&story.id));
            let said = criteria.fold(story.title.clone(), |all, c| all + " " + &c.text);
            let named = rows.iter().any(|row| row.note.contains(&story.id) || story.text.contains(&row.path));
            named || words(&said).iter().any(|word| known.contains(word))
        };
        let (served, left): (Vec<&Story>, Vec<&Story>) = spec.stories.iter().partition(is_known);
        if served.is_empty() { Vec::new() } else { left.into_iter().cloned().collect() }
    }

    /// Whether the files that the documents name cannot be all there is: they are no code, or far fewer than the stories that
    /// have criteria. Then each story is a unit of its own beside them.
    fn is_thin(&self, rows: &[FileRow]) -> bool {
        let is_code = |row: &&FileRow| matches!(FileKind::of(&row.path), FileKind::Code | FileKind::Types);
        let code = rows.iter().filter(is_code).map(|row| &row.path).collect::<HashSet<_>>().len();
        let has_criteria =
            |story: &&Story| self.spec.criteria.iter().any(|c| c.story.as_ref() == Some(&story.id));
        let stories = self.spec.stories.iter().filter(has_criteria).count();
        stories > 1 && stories >= code * 3 && self.program().is_none()
    }

    /// The file that is all there is to make: the only one that sentences call the program, where nothing else names code.
    fn program(&self) -> Option<&FileRow> {
        let (first, others) = self.spec.programs.split_first()?;
        let is_code = |row: &&FileRow| FileKind::of(&row.path) == FileKind::Code;
        let mut named = self.spec.files.iter().chain(&self.spec.mentions).filter(is_code).chain(others);
        named.all(|row| row.path == first.path).then_some(first)
    }

    /// The rows that assign files: those of the highest authority that name at least two files.
    fn rows(&self) -> Vec<FileRow> {
        if let Some(program) = self.program() {
            return vec![program.clone()];
        }
        // A tree that adds only documents, some of which exist, shows the surroundings of the work.
        let is_made = |r: &FileRow| file_kind::is_source(&r.path) || Language::is_manifest(&r.path);
        let is_there = |r: &FileRow| self.is_document(r) || self.repository.survey().has(&r.path);
        let drawn = self.spec.files.iter().filter(|r| r.authority == Authority::Tree);
        let only_documents = !drawn.clone().any(is_made)
            && drawn.clone().all(|r| r.path.ends_with(".md"))
            && drawn.clone().any(is_there);
        let of = |most: Authority| -> Vec<FileRow> {
            let fits = |r: &&FileRow| {
                let is_around = (r.authority == Authority::Tree && only_documents)
                    || (r.tasks.is_empty() && self.is_document(r));
                r.authority <= most && r.operation != Operation::Read && !is_around
            };
            self.spec.files.iter().filter(fits).cloned().collect()
        };
        let distinct = |rows: &[FileRow]| rows.iter().map(|r| &r.path).collect::<HashSet<_>>().len();
        let ladder = [Authority::Ownership, Authority::Task, Authority::Tree, Authority::Component];
        let mut rows = Vec::new();
        for authority in ladder {
            rows = of(authority);
            if distinct(&rows) >= 2 {
                break;
            }
        }
        if distinct(&rows) < 2 {
            rows.extend(self.mentioned());
            // A table that begins with files says what is made, where nothing says it more plainly.
            let is_told = |r: &&FileRow| r.authority == Authority::Mention && r.operation != Operation::Read;
            rows.extend(self.spec.files.iter().filter(is_told).filter(|r| !self.is_document(r)).cloned());
        }
        // Sentences name files in passing: they are all there is only if they name enough for every story.
        let named = distinct(&self.spec.mentions);
        let is_faint = rows.iter().all(|row| row.authority == Authority::Mention) && distinct(&rows) < 2;
        if is_faint
            && named > distinct(&rows)
            && named >= self.spec.stories.len()
            && self.are_about_mentions()
            && !self.things_name_files()
        {
            rows.clone_from(&self.spec.mentions);
        }
        // One file that is named in passing is not the place of several components.
        let components = &self.spec.components;
        if is_faint && components.len() > 2 && components.iter().all(|c| c.files.is_empty()) {
            rows.clear();
        }
        let mut seen = HashSet::new();
        rows.retain(|r| seen.insert((r.path.clone(), r.tasks.clone(), r.operation)));
        rows
    }

    /// Whether the things of the documents divide the files that sentences name: each file that is named with a folder stands in what is
    /// said of one thing, and most things name a file. Then a thing is a task with its files.
    fn things_name_files(&self) -> bool {
        const FEWEST: usize = 3;
        let spec = self.spec;
        let mut owners: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
        for row in spec.mentions.iter().filter(|row| row.path.contains('/')) {
            let says = |c: &&SpecCriterion| {
                c.span.file == row.span.file && c.span.start < row.span.end && row.span.start < c.span.end
            };
            let things = spec.criteria.iter().filter(says).filter_map(|c| c.story.as_deref());
            owners.entry(&row.path).or_default().extend(things);
        }
        let things: HashSet<&str> = owners.values().flatten().copied().collect();
        let alone = owners.values().filter(|things| things.len() == 1).count();
        spec.stories.len() >= FEWEST && things.len() * 2 > spec.stories.len() && alone * 4 >= owners.len() * 3
    }

    /// Whether the criteria are about the files that sentences name: at least half of them name one, or stand under a heading
    /// with one that does. One file that a document mentions is not the thing that it asks for.
    fn are_about_mentions(&self) -> bool {
        let distinct: HashSet<&String> = self.spec.mentions.iter().map(|row| &row.path).collect();
        if distinct.len() < 2 {
            return true;
        }
        let names = |c: &SpecCriterion| {
            let said = |row: &FileRow| {
                row.span.file == c.span.file && row.span.start < c.span.end && c.span.start < row.span.end
            };
            self.spec.mentions.iter().any(said)
        };
        let named: HashSet<&[String]> =
            self.spec.criteria.iter().filter(|c| names(c)).map(|c| c.headings.as_slice()).collect();
        let about = |c: &&SpecCriterion| {
            names(c) || (!c.headings.is_empty() && named.contains(c.headings.as_slice()))
        };
        self.spec.criteria.iter().filter(about).count() * 2 >= self.spec.criteria.len()
    }

    /// Whether one file is mentioned, and most criteria do not speak of it: the work is not called by it.
    fn only_mentions(&self, rows: &[FileRow]) -> bool {
        let names = |c: &&SpecCriterion| rows.iter().any(|row| c.text.contains(&row.path));
        rows.iter().all(|row| row.authority == Authority::Mention)
            && self.spec.title.is_some()
            && self.spec.criteria.len() > 2
            && self.spec.criteria.iter().any(|c| names(&c))
            && self.spec.criteria.iter().filter(names).count() * 2 < self.spec.criteria.len()
    }

    /// Files mentioned by components and code sections.
    fn mentioned(&self) -> Vec<FileRow> {
        let components = self
            .spec
            .components
            .iter()
            .flat_map(|c| c.files.iter().map(move |f| (f, &c.responsibility, c.span)));
        let details = self.spec.details.iter().filter(|d| !d.code.is_empty());
        // The file of a section is the one its heading or its code names; others are data, examples, references.
        let details = details.flat_map(|d| {
            let of_code = d.code.iter().filter_map(|code| code.path.as_ref());
            // A file in an example is not a file to make.
            let is_prompt = |line: &str| line.starts_with("$ ") || line.starts_with(">>> ");
            let is_example = d.code.iter().any(|code| code.text.lines().any(is_prompt));
            let first = d.paths.first().filter(|path| file_kind::is_source(path) && !is_example);
            let own = of_code.chain(&d.subject).chain(first);
            own.take(1).map(move |f| (f, &d.heading, d.span))
        });
        let row = |(path, note, span): (&String, &String, _)| FileRow {
            path: path.clone(),
            operation: Operation::Unsaid,
            tasks: Vec::new(),
            note: note.clone(),
            lines: None,
            authority: Authority::Mention,
            span,
        };
        components.chain(details).map(row).filter(|r| !self.is_document(r)).collect()
    }

    /// Whether a file is one of the documents that are planned from.
    fn is_document(&self, row: &FileRow) -> bool {
        self.spec.documents.iter().any(|d| {
            let end = d.path.strip_suffix(row.path.as_str());
            end.is_some_and(|head| head.is_empty() || head.ends_with('/'))
        })
    }

    /// One unit per task of the documents.
    fn stated(&self, rows: &[FileRow], notes: &mut Vec<Note>) -> Vec<Unit> {
        let mut ids: Vec<String> = self.spec.tasks.iter().map(|t| t.id.clone()).collect();
        for id in rows.iter().flat_map(|r| &r.tasks) {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let ends = self.spec.edges.iter().flat_map(|e| [&e.before, &e.after]);
        for id in ends {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        }
        let only = self.only_new_file(rows);
        let mut units: Vec<Unit> = ids.iter().map(|id| self.of_id(id, rows, only.is_none())).collect();
        if let Some(path) = only {
            units = join_around(units, path);
        }
        let homeless: Vec<FileRow> = rows
            .iter()
            .filter(|r| r.tasks.is_empty() && !units.iter().any(|u| u.owns(&r.path)))
            .cloned()
            .collect();
        for row in &homeless {
            let text = format!("`{}` is listed without a task", row.path);
            notes.push(
                Note::new(NoteKind::Assumed, text).at(row.span).help("give it to one in the ownership table"),
            );
        }
        units.extend(self.by_file(&homeless));
        units
    }

    /// The file that a whole list of boxes is about: the only code that its boxes name, and it is not there yet.
    fn only_new_file<'r>(&self, rows: &'r [FileRow]) -> Option<&'r str> {
        let spec = self.spec;
        let listed = !spec.tasks.is_empty() && spec.tasks.iter().all(|task| task.listed);
        let is_code = |row: &&FileRow| matches!(FileKind::of(&row.path), FileKind::Code | FileKind::Types);
        let mut code = rows.iter().filter(is_code).map(|row| row.path.as_str());
        let first = code.next().filter(|_| listed)?;
        (code.all(|path| path == first) && !self.repository.survey().has(first)).then_some(first)
    }

    /// The unit of a stated task. `may_find`: whether code that serves it is looked for where it names no file.
    fn of_id(&self, id: &str, rows: &[FileRow], may_find: bool) -> Unit {
        let stated = self.spec.tasks.iter().find(|t| t.id == id);
        let own: Vec<&FileRow> = rows.iter().filter(|r| r.tasks.iter().any(|t| t == id)).collect();
        let weaker = || -> Vec<&FileRow> {
            let named = |r: &&FileRow| r.tasks.iter().any(|t| t == id) && r.operation != Operation::Read;
            let full = |r: &&FileRow| r.path.contains('/') || self.repository.survey().has(&r.path);
            self.spec.files.iter().filter(named).filter(full).collect()
        };
        let own = if own.is_empty() { weaker() } else { own };
        let mut unit = Unit {
            stated: id.to_owned(),
            title: stated.map(|t| t.title.clone()).unwrap_or_default(),
            text: stated.map(|t| t.text.clone()).unwrap_or_default(),
            level: stated.and_then(|t| t.level),
            phase: stated.and_then(|t| t.phase.clone()),
            span: stated.map(|t| t.span).or_else(|| own.first().map(|r| r.span)),
            ..Unit::default()
        };
        for row in own {
            Self::add(&mut unit, row);
        }
        if unit.files.is_empty() && may_find && stated.is_some_and(|task| task.listed) {
            self.find_files(&mut unit);
        }
        unit
    }

    /// A box that names no file changes the code that serves it; where nothing here does, its files are left to its tests.
    fn find_files(&self, unit: &mut Unit) {
        let served = serving_code(&format!("{} {}", unit.title, unit.text), self.repository);
        let paths = served.map(|found| found.files).unwrap_or_default();
        let code = paths.into_iter().filter(|path| FileKind::of(path) == FileKind::Code);
        unit.files.extend(code.map(|path| UnitFile {
            kind: FileKind::Code,
            path,
            operation: Operation::Unsaid,
            note: String::new(),
            lines: None,
        }));
        unit.is_open = unit.files.is_empty();
        unit.is_assumed = !unit.is_open;
    }

    fn add(unit: &mut Unit, row: &FileRow) {
        if let Some(known) = unit.files.iter_mut().find(|f| f.path == row.path) {
            if known.operation == Operation::Unsaid {
                known.operation = row.operation;
            }
            return;
        }
        unit.files.push(UnitFile {
            path: row.path.clone(),
            operation: row.operation,
            kind: FileKind::of(&row.path),
            note: row.note.clone(),
            lines: row.lines,
        });
    }

    /// One unit per source file with its test; documentation, configuration and assets are grouped by kind.
    fn by_file(&self, rows: &[FileRow]) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        let mut groups: BTreeMap<FileKind, usize> = BTreeMap::new();
        let (mut tests, mut others): (Vec<&FileRow>, Vec<&FileRow>) =
            rows.iter().partition(|r| FileKind::of(&r.path) == FileKind::Test);
        others.sort_by_key(|r| Language::marks_package(&r.path));
        tests.sort_by_key(|r| (Language::marks_package(&r.path), tests_the_whole(&r.path)));
        for row in others {
            let kind = FileKind::of(&row.path);
            let own = units.iter().position(|u| {
                u.files
                    .iter()
                    .any(|f| f.path == row.path || is_pair(&f.path, &row.path) || dresses(&row.path, &f.path))
            });
            let heading = self.heading_line(row.span).filter(|_| kind == FileKind::Code);
            let is_there =
                |u: &Unit| heading.is_some() && u.span.and_then(|s| self.heading_line(s)) == heading;
            let beside = || units.iter().position(is_there);
            let own = own.or_else(beside).or_else(|| Self::packaged(&units, &row.path));
            let grouped = match kind {
                FileKind::Configuration if file_kind::is_makefile(&row.path) => None,
                FileKind::Documentation | FileKind::Configuration | FileKind::Manifest | FileKind::Asset => {
                    groups.get(&kind).copied().filter(|at| units[*at].files.len() < 4)
                }
                FileKind::Code | FileKind::Types | FileKind::Test => None,
            };
            let at = own.or(grouped).unwrap_or_else(|| {
                units.push(Unit { span: Some(row.span), ..Unit::default() });
                units.len() - 1
            });
            if !file_kind::is_makefile(&row.path) {
                groups.insert(kind, at);
            }
            Self::add(&mut units[at], row);
        }
        // What is no code among tests is data for them.
        let (data, tests): (Vec<&FileRow>, Vec<&FileRow>) =
            tests.into_iter().partition(|row| !file_kind::is_source(&row.path));
        for row in tests {
            let package = Language::marks_package(&row.path);
            let dir = dir_of(&row.path);
            let inside =
                |u: &Unit| u.files.iter().any(|f| f.path.rsplit_once('/').is_some_and(|(own, _)| own == dir));
            // `__init__.py` in a test folder is not a unit of its own.
            let beside = if package { units.iter().position(inside) } else { None };
            let at = beside.or_else(|| Self::tested(&units, &row.path)).unwrap_or_else(|| {
                units.push(Unit { span: Some(row.span), ..Unit::default() });
                units.len() - 1
            });
            Self::add(&mut units[at], row);
        }
        for row in data {
            let about = words(name::stem(&row.path));
            let is_tested = |u: &&Unit| u.of_kind(FileKind::Test).any(|f| file_kind::is_source(&f.path));
            let shares = |u: &Unit| {
                u.of_kind(FileKind::Code)
                    .any(|f| words(name::stem(&f.path)).iter().any(|w| about.contains(w)))
            };
            let at = units.iter().position(|u| is_tested(&u) && shares(u));
            let at = at.or_else(|| units.iter().position(|u| is_tested(&u))).unwrap_or_else(|| {
                units.push(Unit { span: Some(row.span), ..Unit::default() });
                units.len() - 1
            });
            Self::add(&mut units[at], row);
        }
        join_entry(&mut units);
        for unit in &mut units {
            let mut said: Vec<&str> = Vec::new();
            for file in unit.files.iter().filter(|f| !f.note.is_empty()) {
                if !said.contains(&name::unmarked(&file.note)) {
                    said.push(name::unmarked(&file.note));
                }
            }
            unit.text = said.join("; ");
        }
        units
    }

    /// The line of a heading that a place is in: files that one heading names are made together.
    fn heading_line(&self, span: Span) -> Option<(FileIx, u32)> {
        let (line, text) = (self.spec.sources.position(span).line, &self.spec.sources.file(span.file).text);
        text.lines().nth(line as usize - 1)?.starts_with('#').then_some((span.file, line))
    }

    /// The unit that makes a folder a package: that of the module with the folder's name, else of its first module.
    fn packaged(units: &[Unit], path: &str) -> Option<usize> {
        let (folder, _) = path.rsplit_once('/').filter(|_| Language::marks_package(path))?;
        let named = file_name(folder);
        let inside = |f: &&UnitFile| {
            f.kind == FileKind::Code && f.path.rsplit_once('/').is_some_and(|(own, _)| own == folder)
        };
        let holds = |u: &Unit| u.files.iter().any(|f| inside(&f) && name::stem(&f.path) == named);
        units.iter().position(holds).or_else(|| units.iter().position(|u| u.files.iter().any(|f| inside(&f))))
    }

    /// The unit whose source a test file tests.
    fn tested(units: &[Unit], test: &str) -> Option<usize> {
        let stem = subject_stem(test)?;
        let free = |u: &Unit| u.of_kind(FileKind::Test).next().is_none();
        if tests_the_whole(test) {
            // `tests/integration/test_cli.py` is the only test of what is alone in the folder `cli`.
            let folder = |f: &UnitFile| f.path.rsplit('/').nth(1).is_some_and(|folder| folder == stem);
            let mut inside = (0..units.len()).filter(|at| units[*at].of_kind(FileKind::Code).any(folder));
            let only = inside.next().filter(|_| inside.next().is_none());
            return only.filter(|at| free(&units[*at]));
        }
        let about =
            |u: &Unit| u.of_kind(FileKind::Code).any(|f| name::stem(&f.path).trim_matches('_') == stem);
        units.iter().position(|u| about(u) && free(u))
    }

    /// Settles the operation on each file where the documents name none, or an impossible one.
    fn settle(&self, units: &mut Vec<Unit>, notes: &mut Vec<Note>) {
        let survey = self.repository.survey();
        // Without surveyed code, existence of a file cannot be judged.
        let here = !survey.sources.is_empty();
        let mut made: HashMap<String, usize> = HashMap::new();
        for (at, unit) in units.iter_mut().enumerate() {
            let who = |does: &str| match unit.stated.as_str() {
                "" => format!("it is {does}d"),
                id => format!("`{id}` {does}s it"),
            };
            let (creates, changes) = (who("create"), who("change"));
            let span = unit.span;
            for file in &mut unit.files {
                let exists = survey.has(&file.path);
                let before = made.get(&file.path).copied();
                let said = file.operation;
                file.operation = match said {
                    Operation::Unsaid if exists || before.is_some() => Operation::Modify,
                    Operation::Unsaid => Operation::Create,
                    Operation::Create if exists || before.is_some_and(|b| b != at) => Operation::Modify,
                    Operation::Modify if here && !exists && before.is_none() => Operation::Create,
                    other => other,
                };
                if said == Operation::Modify && file.operation == Operation::Create {
                    let text = format!("`{}` is to be changed and is not there; {creates}", file.path);
                    notes.push(Note { span, ..Note::new(NoteKind::Assumed, text) });
                }
                if said == Operation::Create && before.is_some_and(|b| b != at) {
                    let text = format!("`{}` is created twice; {changes} instead", file.path);
                    let note =
                        Note::new(NoteKind::Contradiction, text).help("say `modify` for the later task");
                    notes.push(Note { span, ..note });
                }
                made.entry(file.path.clone()).or_insert(at);
            }
        }
        units.retain(|u| !(u.stated.is_empty() && u.files.is_empty() && u.title.is_empty()));
    }
}
