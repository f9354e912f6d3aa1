//! Tests of `sandbox/dir_setup`.

use super::*;

#[test]
fn what_is_set_up_around_a_directory_stays_until_it_is_replaced() {
    let setups = DirSetups::default();
    let dir = Path::new("/w");
    let layer = Layer::ReadOnly { from: "/l".into(), to: "/t".into() };
    setups.lay(dir, vec![layer.clone()], vec![("A".into(), "1".into())]);
    setups.share(dir, Some(7), Some("/shared".into()));
    let around = setups.of(dir);
    assert_eq!((around.layers, around.env.len(), around.network), (vec![layer], 1, Some(7)));
    setups.lay(dir, Vec::new(), Vec::new());
    let around = setups.of(dir);
    assert!(around.layers.is_empty() && around.env.is_empty());
    assert_eq!(around.tmp.as_deref(), Some(Path::new("/shared")), "the network is another matter");
    setups.share(dir, None, None);
    assert_eq!((setups.of(dir).network, setups.of(dir).tmp), (None, None));
    assert_eq!(setups.of(Path::new("/other")).network, None);
}

#[test]
fn a_path_is_looked_for_in_the_directory_and_in_its_base() {
    let temp = tempfile::tempdir().unwrap();
    let (dir, base) = (temp.path().join("dir"), temp.path().join("base"));
    std::fs::create_dir_all(dir.join("own")).unwrap();
    std::fs::create_dir_all(base.join("below")).unwrap();
    std::os::unix::fs::symlink("/etc", base.join("link")).unwrap();
    let setups = DirSetups::default();
    assert!(setups.has(&dir, "own") && !setups.has(&dir, "below"));
    assert!(setups.is_straight(&dir, Path::new("link/x")));
    setups.stand_on(&dir, Some(&base));
    assert!(setups.has(&dir, "own") && setups.has(&dir, "below") && !setups.has(&dir, "none"));
    assert!(!setups.is_straight(&dir, Path::new("link/x")), "the base has a link there");
    setups.stand_on(&dir, None);
    assert!(!setups.has(&dir, "below"));
}
