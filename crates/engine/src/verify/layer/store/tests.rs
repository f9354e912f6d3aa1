//! Tests: the store of dependency layers.

use super::*;

fn made(store: &LayerStore, name: &str) -> FinishedLayer {
    let part = store.begin(name).unwrap();
    fs::create_dir_all(part.join("files/node_modules/a")).unwrap();
    fs::write(part.join("files/node_modules/a/index.js"), "1").unwrap();
    let content = LayerContent { outputs: vec!["node_modules".into()], ..LayerContent::default() };
    store.finish(name, &part, content).unwrap()
}

#[test]
fn half_a_layer_and_a_changed_one_are_not_used() {
    let temp = tempfile::tempdir().unwrap();
    let store = LayerStore::new(temp.path().join("layers"));
    assert!(store.find("x").is_none());
    let part = store.begin("x").unwrap();
    fs::write(part.join("files/half"), "").unwrap();
    assert!(store.find("x").is_none(), "one that is being made");
    let ready = made(&store, "x");
    assert_eq!(store.find("x").unwrap().content, ready.content);
    fs::write(ready.dir.join("files/node_modules/a/index.js"), "changed").unwrap();
    assert!(store.find("x").is_none(), "one that somebody changed");
    assert!(!ready.dir.exists());
    made(&store, "x");
    fs::remove_file(temp.path().join("layers/x/layer.json")).unwrap();
    assert!(store.find("x").is_none(), "one without its mark");
}

#[test]
fn only_so_many_are_kept_but_none_that_is_in_use_goes() {
    let temp = tempfile::tempdir().unwrap();
    let many = KEPT + 3;
    let here = || fs::read_dir(temp.path()).unwrap().count();
    let age = |n: usize| {
        let mark = fs::File::options().append(true).open(temp.path().join(format!("layer-{n}")).join(MARK));
        let day = Duration::from_secs(48 * 60 * 60 - n as u64);
        mark.unwrap().set_modified(SystemTime::now() - day).unwrap();
    };
    let store = LayerStore::new(temp.path().to_owned());
    for n in 0..many {
        made(&store, &format!("layer-{n}"));
        age(n);
    }
    assert_eq!(here(), many, "this run uses all of them");
    let later = LayerStore::new(temp.path().to_owned());
    assert!(later.find("layer-0").is_some());
    made(&later, "new");
    assert_eq!(here(), KEPT);
    for gone in 1..5 {
        assert!(later.find(&format!("layer-{gone}")).is_none(), "{gone} was not used for longest");
    }
    assert!(later.find("layer-0").is_some() && later.find("layer-5").is_some());
    for n in 0..many {
        made(&LayerStore::new(temp.path().to_owned()), &format!("other-{n}"));
    }
    let others = (0..many).filter(|n| later.find(&format!("other-{n}")).is_some()).count();
    assert_eq!(others, many, "other runs may be using them");
}

#[test]
fn a_copy_keeps_links_and_modes() {
    use std::os::unix::fs::PermissionsExt as _;
    let temp = tempfile::tempdir().unwrap();
    let (from, to) = (temp.path().join("a"), temp.path().join("b/c"));
    fs::create_dir_all(from.join("bin")).unwrap();
    fs::write(from.join("bin/x"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(from.join("bin/x"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("bin/x", from.join("link")).unwrap();
    copy(&from, &to).unwrap();
    assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("bin/x"));
    assert_eq!(fs::metadata(to.join("bin/x")).unwrap().permissions().mode() & 0o777, 0o755);
}
