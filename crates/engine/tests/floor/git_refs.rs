//! Refs: compare-and-swap, clashes, locks.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use windlass_engine::git::{ExpectedRef, GitError, RefMove};

use crate::place::{Place, commit_of};

const NAME: &str = "refs/heads/windlass/plan";

#[test]
fn a_ref_moves_only_from_what_it_was() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let one = place.tip();
    let two = place.commit(&[("a", "2")]);
    let mismatch = |actual| RefMove::Mismatch { actual };
    assert_eq!(repo.update_ref(NAME, &two, ExpectedRef::Is(one.clone()), "t").unwrap(), mismatch(None));
    assert_eq!(repo.update_ref(NAME, &one, ExpectedRef::Absent, "t").unwrap(), RefMove::Moved);
    assert_eq!(repo.update_ref(NAME, &two, ExpectedRef::Absent, "t").unwrap(), mismatch(Some(one.clone())));
    assert_eq!(repo.update_ref(NAME, &two, ExpectedRef::Is(one.clone()), "a\nb").unwrap(), RefMove::Moved);
    assert_eq!(
        repo.update_ref(NAME, &one, ExpectedRef::Is(one.clone()), "t").unwrap(),
        mismatch(Some(two.clone()))
    );
    assert_eq!(repo.refs("refs/heads/windlass/").unwrap(), [(NAME.to_owned(), two.clone())]);
    assert_eq!(repo.update_ref(NAME, &one, ExpectedRef::Anything, "t").unwrap(), RefMove::Moved);
    assert_eq!(repo.delete_ref(NAME, ExpectedRef::Absent).unwrap(), mismatch(Some(one.clone())));
    assert_eq!(repo.delete_ref(NAME, ExpectedRef::Is(two)).unwrap(), mismatch(Some(one.clone())));
    assert_eq!(repo.delete_ref(NAME, ExpectedRef::Is(one)).unwrap(), RefMove::Moved);
    assert_eq!(repo.delete_ref(NAME, ExpectedRef::Absent).unwrap(), RefMove::Moved);
    assert!(repo.refs("refs/windlass/").unwrap().is_empty());
}

#[test]
fn odd_names_are_refused_before_git_sees_them() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    for name in ["HEAD", "refs/heads/a..b", "refs/heads/--x y"] {
        let moved = repo.update_ref(name, &place.tip(), ExpectedRef::Anything, "t");
        assert!(matches!(moved, Err(GitError::BadRefName { .. })), "{name}");
    }
    assert_eq!(repo.resolve("--help").unwrap(), None);
    assert_eq!(repo.resolve("no such branch").unwrap(), None);
}

#[test]
fn a_branch_in_the_way_is_its_own_error() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    place.git(&["branch", "windlass"]);
    let error = repo.update_ref(NAME, &place.tip(), ExpectedRef::Absent, "t").unwrap_err();
    insta::assert_snapshot!(error, @"`refs/heads/windlass/plan` cannot be created while `refs/heads/windlass` exists");
    insta::assert_snapshot!(error.hint().unwrap(), @"rename it, for example `git branch -m windlass windlass-old`");
    place.git(&["branch", "-m", "windlass", "windlass/plan/deep"]);
    let error = repo.update_ref(NAME, &place.tip(), ExpectedRef::Absent, "t").unwrap_err();
    assert!(
        matches!(error, GitError::RefClash { existing, .. } if existing == "refs/heads/windlass/plan/deep")
    );
}

#[test]
fn of_many_swaps_from_the_same_tip_one_wins_each_round() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    let base = place.tip();
    let tree = repo.tree_of(&base).unwrap();
    repo.update_ref(NAME, &base, ExpectedRef::Absent, "t").unwrap();
    let moved = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (repo, tree, moved) = (&repo, &tree, &moved);
            scope.spawn(move || {
                let mut done = 0;
                while done < 5 {
                    let tip = repo.resolve(NAME).unwrap().unwrap();
                    let next = commit_of(repo, tree, &[&tip], &format!("{worker}-{done}"));
                    match repo.update_ref(NAME, &next, ExpectedRef::Is(tip), "t").unwrap() {
                        RefMove::Moved => {
                            done += 1;
                            moved.fetch_add(1, Ordering::Relaxed);
                        }
                        RefMove::Mismatch { .. } => {}
                    }
                }
            });
        }
    });
    let tip = repo.resolve(NAME).unwrap().unwrap();
    assert_eq!(repo.first_parents(&tip, Some(&base)).unwrap().len(), moved.load(Ordering::Relaxed));
    assert_eq!(moved.load(Ordering::Relaxed), 20);
}

#[test]
fn a_lock_of_the_users_git_is_waited_for() {
    let place = Place::with_files(&[("a", "1")]);
    let repo = place.repo();
    repo.update_ref(NAME, &place.tip(), ExpectedRef::Absent, "t").unwrap();
    let lock = place.user().join(".git").join(format!("{NAME}.lock"));
    fs::write(&lock, "").unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            fs::remove_file(&lock).unwrap();
        });
        let moved = repo.update_ref(NAME, &place.tip(), ExpectedRef::Anything, "t").unwrap();
        assert_eq!(moved, RefMove::Moved);
    });
}
