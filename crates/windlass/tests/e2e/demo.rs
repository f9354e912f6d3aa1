//! The first thing a new user tries.

use windlass_testkit::TestRepo;

use crate::world::evidence;

#[test]
fn the_demo_ends_well_for_a_user_git_knows_nothing_about() {
    let repo = TestRepo::without_git(env!("CARGO_BIN_EXE_windlass"));
    repo.windlass(&["demo", "--dir", "."]).ends(0).says("bug-hunter 1");
    let subjects = repo.subjects("windlass/till");
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    let records = evidence(&repo, "windlass/till");
    let red: Vec<usize> = records.iter().map(|r| r.red.as_ref().map_or(0, |red| red.tests.len())).collect();
    assert_eq!(red.iter().sum::<usize>(), 7, "every test of the sample was seen red by its name: {red:?}");
    assert_eq!(repo.left_behind(), []);
    repo.windlass(&["demo", "--dir", "."]).ends(2).says("is not empty");
}
