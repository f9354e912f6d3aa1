//! Orders that follow from the usual roles of files, where the documents state none: what is set up comes first, then
//! what others build on, then entry points, documentation and gates.

use super::name;
use super::order::Precedence;
use super::unit::Unit;
use crate::file_kind::{self, FileKind};
use crate::spec::Operation;
use windlass_code::survey::Language;

/// A unit that prepares modules is verified by a build, so it follows the units that create a manifest.
pub(super) fn by_preparation(units: &[Unit], before: &mut Precedence) {
    let makes =
        |unit: &Unit| unit.owned().any(|f| f.kind == FileKind::Manifest && f.operation == Operation::Create);
    for second in (0..units.len()).filter(|i| units[*i].prepares()) {
        for first in (0..units.len()).filter(|i| makes(&units[*i]) && *i != second) {
            before.join(first, second);
        }
    }
}

/// Units that set up manifests and tools precede units with code.
pub(super) fn by_manifest(units: &[Unit], before: &mut Precedence) {
    let sets_up = |unit: &Unit| {
        let tools = |path: &str| path.contains(".config.") || path.contains("tsconfig");
        unit.is_setup
            || (unit.only(&[FileKind::Manifest, FileKind::Configuration])
                && unit.owned().any(|f| f.kind == FileKind::Manifest || tools(&f.path)))
    };
    for first in (0..units.len()).filter(|i| sets_up(&units[*i])) {
        for second in (0..units.len()).filter(|i| units[*i].makes_code()) {
            before.join(first, second);
        }
    }
}

/// A unit of index files (`index.ts`, `__init__.py`) follows the units that create files in its folder or below.
pub(super) fn by_index(units: &[Unit], before: &mut Precedence) {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
    for (second, unit) in units.iter().enumerate() {
        let code: Vec<&str> = unit.of_kind(FileKind::Code).map(|f| f.path.as_str()).collect();
        if code.is_empty() || !code.iter().all(|path| Language::is_index(path)) {
            continue;
        }
        let folders: Vec<String> = code.into_iter().map(folder).collect();
        let makes = |u: &Unit| {
            let mut made = u.of_kind(FileKind::Code).filter(|f| f.operation == Operation::Create);
            made.any(|f| {
                !Language::is_index(&f.path)
                    && folders.iter().any(|own| !own.is_empty() && folder(&f.path).starts_with(own.as_str()))
            })
        };
        for first in (0..units.len()).filter(|n| *n != second && makes(&units[*n])) {
            before.join(first, second);
        }
    }
}

/// Lower layers precede higher ones: schema, model, service, endpoint, surface. Units without a layer are not ordered.
pub(super) fn by_layer(units: &[Unit], before: &mut Precedence) {
    let top = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let pages = units.iter().flat_map(Unit::owned).filter(|f| is_page_component(&f.path));
    let tops: Vec<String> = pages.map(|f| top(&f.path)).collect();
    let of_path = |path: &str| match file_kind::layer(path) {
        // The router of a user interface imports the pages it leads to; that of a server lies in another folder.
        Some(file_kind::ENDPOINTS) if is_router(path) && tops.contains(&top(path)) => {
            Some(file_kind::ROUTERS)
        }
        other => other,
    };
    let layer = |u: &Unit| {
        let files = u.of_kind(FileKind::Code).chain(u.of_kind(FileKind::Types));
        files.filter_map(|f| of_path(&f.path)).min()
    };
    let layers: Vec<Option<u32>> = units.iter().map(|u| if u.prepares() { None } else { layer(u) }).collect();
    let mut known: Vec<u32> = layers.iter().flatten().copied().collect();
    known.sort_unstable();
    known.dedup();
    for pair in known.windows(2) {
        for second in (0..units.len()).filter(|i| layers[*i] == Some(pair[1])) {
            for first in (0..units.len()).filter(|i| layers[*i] == Some(pair[0])) {
                before.join(first, second);
            }
        }
    }
}

/// Documentation and CI configuration follow the code.
pub(super) fn by_use(units: &[Unit], before: &mut Precedence) {
    let code = |u: &Unit| u.makes_code();
    let around = |u: &Unit| {
        u.only(&[FileKind::Documentation])
            || u.owned().any(|f| f.path.starts_with(".github/") || f.path.starts_with(".pre-commit"))
    };
    // `rush.core.md` is about `rush.py`, and waits for nothing else.
    let about = |document: &Unit, u: &Unit| {
        let called =
            |path: &str| path.rsplit('/').next().and_then(|n| n.split('.').next()).map(str::to_owned);
        let own: Vec<Option<String>> = document.owned().map(|f| called(&f.path)).collect();
        u.of_kind(FileKind::Code).any(|f| own.contains(&called(&f.path)))
    };
    for second in (0..units.len()).filter(|i| around(&units[*i])) {
        let own: Vec<usize> = (0..units.len()).filter(|i| about(&units[second], &units[*i])).collect();
        for first in (0..units.len()).filter(|i| code(&units[*i]) && (own.is_empty() || own.contains(i))) {
            before.join(first, second);
        }
    }
}

/// Whether a unit only shows how something is used: all its files lie in `examples/` or the like.
pub(super) fn is_shown(unit: &Unit) -> bool {
    let shows = |path: &str| {
        path.split('/')
            .rev()
            .skip(1)
            .any(|dir| matches!(dir, "examples" | "example" | "demo" | "demos" | "samples" | "sample"))
    };
    unit.owned().next().is_some() && unit.owned().all(|f| shows(&f.path))
}

/// Examples follow the code that they show.
pub(super) fn by_example(units: &[Unit], before: &mut Precedence) {
    for second in (0..units.len()).filter(|at| is_shown(&units[*at])) {
        for first in (0..units.len()).filter(|at| !is_shown(&units[*at])) {
            if units[first].makes_code() {
                before.join(first, second);
            }
        }
    }
}

/// Gates, the changelog and work that concerns every part come last, unless they are ordered otherwise.
pub(super) fn by_ending(units: &[Unit], before: &mut Precedence) {
    for rest in (0..units.len()).filter(|at| units[*at].is_rest) {
        for first in (0..units.len()).filter(|at| !units[*at].is_rest) {
            before.add(first, rest);
        }
    }
    let last =
        |u: &Unit| !u.is_open && u.owned().all(|f| name::stem(&f.path).eq_ignore_ascii_case("changelog"));
    let ends: Vec<usize> = (0..units.len()).filter(|i| last(&units[*i])).collect();
    for at in &ends {
        let waits = !before.direct[*at].is_empty();
        let waited_for = before.direct.iter().any(|d| d.contains(at));
        for first in (0..units.len()).filter(|f| !waits && !waited_for && !ends.contains(f)) {
            before.add(first, *at);
        }
    }
}

fn is_page_component(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    Language::ALL.iter().any(|language| language.row().component_endings.contains(&ending))
}

fn is_router(path: &str) -> bool {
    path.split(['/', '.', '_', '-']).any(|word| matches!(word, "router" | "routes" | "routing"))
}

/// How far down a file is by its name alone: 0 for types and constants, 1 for helpers, 2 for the rest.
fn depth(path: &str) -> u32 {
    let stem = name::stem(path).to_lowercase();
    let words: Vec<&str> = stem.split(['_', '-', '.']).collect();
    // `user_types` belongs to users; `types` belongs to all.
    match words.as_slice() {
        [
            "types" | "type" | "constants" | "consts" | "common" | "defs" | "globals" | "errors"
            | "exceptions" | "config" | "settings" | "enums",
        ] => 0,
        ["utils" | "util" | "helpers" | "helper" | "utilities"] => 1,
        _ => 2,
    }
}

/// Files that the rest builds on by their names (`types`, `utils`) precede the other code of the same stack.
pub(super) fn by_foundation(units: &[Unit], before: &mut Precedence) {
    let lowest =
        |u: &Unit| u.of_kind(FileKind::Code).chain(u.of_kind(FileKind::Types)).map(|f| depth(&f.path)).min();
    let depths: Vec<Option<u32>> =
        units.iter().map(|u| if u.prepares() { None } else { lowest(u) }).collect();
    for (first, low) in depths.iter().enumerate().filter(|(_, depth)| depth.is_some_and(|d| d < 2)) {
        for (second, high) in depths.iter().enumerate() {
            if high.is_some() && low < high && share_stack(&units[first], &units[second]) {
                before.join(first, second);
            }
        }
    }
}

fn share_stack(one: &Unit, other: &Unit) -> bool {
    let stacks = |u: &Unit| -> Vec<&'static str> {
        u.of_kind(FileKind::Code)
            .chain(u.of_kind(FileKind::Types))
            .filter_map(|f| file_kind::stack(&f.path))
            .collect()
    };
    let theirs = stacks(other);
    stacks(one).iter().any(|stack| theirs.contains(stack))
}

/// Whether a file is where a program starts.
pub(super) fn is_entry(path: &str) -> bool {
    let stem = name::stem(path);
    let shallow = matches!(path.rsplit_once('/'), None | Some(("src", _)));
    matches!(stem, "main" | "Main" | "__main__" | "Program")
        || (shallow && stem == "index" && Language::of_path(path).is_some_and(Language::is_script))
}

/// The entry point follows the code that it starts.
pub(super) fn by_entry(units: &[Unit], before: &mut Precedence) {
    let is_code = |u: &Unit| !u.prepares() && u.makes_code();
    let starts =
        |u: &Unit| u.of_kind(FileKind::Code).any(|f| is_entry(&f.path) && f.operation == Operation::Create);
    for second in (0..units.len()).filter(|at| starts(&units[*at])) {
        for first in (0..units.len()).filter(|at| *at != second && is_code(&units[*at])) {
            let also_starts = starts(&units[first]);
            let is_index = units[first].of_kind(FileKind::Code).all(|f| name::stem(&f.path) == "__init__");
            let is_shown = is_shown(&units[first]);
            if !also_starts && !is_index && !is_shown && share_stack(&units[first], &units[second]) {
                before.join(first, second);
            }
        }
    }
}

/// A makefile lists what it compiles, so it follows the code.
pub(super) fn by_makefile(units: &[Unit], before: &mut Precedence) {
    let builds =
        |u: &Unit| u.owned().any(|f| file_kind::is_makefile(&f.path) && f.operation == Operation::Create);
    for second in (0..units.len()).filter(|at| builds(&units[*at])) {
        for first in (0..units.len()).filter(|at| *at != second) {
            if units[first].makes_code() {
                before.join(first, second);
            }
        }
    }
}

/// A unit of tests that belongs to no single source follows all code: tests of the whole.
pub(super) fn by_whole_test(units: &[Unit], before: &mut Precedence) {
    for second in 0..units.len() {
        if !units[second].only(&[FileKind::Test]) || !before.is_first(second) {
            continue;
        }
        for first in (0..units.len()).filter(|at| units[*at].makes_code()) {
            before.join(first, second);
        }
    }
}
