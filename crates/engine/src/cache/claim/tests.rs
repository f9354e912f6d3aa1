//! Caches of other repositories, of other versions, and without an owner.

use std::fs;

use tempfile::TempDir;

use super::*;

/// A repository at a fixed path, and its cache.
struct Home {
    temp: TempDir,
}

impl Home {
    fn new() -> Self {
        Self { temp: tempfile::tempdir().unwrap() }
    }

    fn paths(&self) -> Paths {
        Paths::new(&self.temp.path().join("repo/.git"), &self.temp.path().join("cache"))
    }

    fn claim(&self) -> CacheClaim {
        CacheClaim::take(&self.paths()).unwrap()
    }

    /// Leaves something in the cache.
    fn fill(&self) {
        fs::create_dir_all(self.paths().slots().join("1")).unwrap();
    }

    fn is_filled(&self) -> bool {
        self.paths().slots().join("1").exists()
    }
}

#[test]
fn the_same_repository_finds_its_cache_again() {
    let home = Home::new();
    drop(home.claim());
    home.fill();
    drop(home.claim());
    assert!(home.is_filled());
    assert_eq!(note_in(home.paths().cache()).unwrap().git_dir, home.temp.path().join("repo/.git"));
}

#[test]
fn what_another_repository_or_version_left_is_removed() {
    type Change = fn(&Home);
    let changes: [(&str, Change); 4] = [
        ("a repository made anew at the same path", |home| fs::remove_dir_all(home.paths().state()).unwrap()),
        ("a cache of an older version", |home| fs::remove_file(home.paths().cache().join(NOTE)).unwrap()),
        ("half a note", |home| fs::write(home.paths().cache().join(NOTE), "{\"form\":").unwrap()),
        ("a cache of another form", |home| {
            let note = OwnerNote { form: FORM + 1, ..owner_of(&home.paths()).unwrap() };
            fs::write(home.paths().cache().join(NOTE), serde_json::to_vec(&note).unwrap()).unwrap();
        }),
    ];
    for (what, change) in changes {
        let home = Home::new();
        drop(home.claim());
        home.fill();
        change(&home);
        drop(home.claim());
        assert!(!home.is_filled(), "{what}");
        home.fill();
        drop(home.claim());
        assert!(home.is_filled(), "{what}: once is enough");
    }
}

#[test]
fn surveys_that_were_made_before_the_first_run_stay() {
    let home = Home::new();
    let survey = home.paths().cache().join("survey");
    fs::create_dir_all(&survey).unwrap();
    drop(home.claim());
    assert!(survey.exists());
}

#[test]
fn a_cache_in_use_is_never_emptied() {
    let home = Home::new();
    let first = home.claim();
    home.fill();
    fs::remove_dir_all(home.paths().state()).unwrap();
    drop(home.claim());
    assert!(home.is_filled());
    drop(first);
    drop(home.claim());
    assert!(!home.is_filled());
}

#[test]
fn an_empty_name_is_replaced_and_two_processes_agree_on_one() {
    let home = Home::new();
    let state = home.paths().state().to_owned();
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join(NAME), "").unwrap();
    let names: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| name_in(&state))).collect();
        all.into_iter().filter_map(|one| one.join().unwrap().ok()).collect()
    });
    let last = name_in(&state).unwrap();
    assert!(!last.is_empty());
    assert!(names.contains(&last), "{names:?}");
    assert_eq!(fs::read_dir(&state).unwrap().count(), 1, "no file is left over");
}
