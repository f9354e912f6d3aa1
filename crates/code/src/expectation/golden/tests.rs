//! Which files hold what a test expects, and how one entry of them is changed.

use super::*;
use crate::expectation::expectations;

fn used(path: &str, text: &str) -> Vec<GoldenFile> {
    let all = expectations(path, text.as_bytes(), &|_| true, 1);
    all.into_iter().flat_map(|test| test.goldens).map(|used| used.file).collect()
}

#[test]
fn a_file_counts_if_it_is_read_for_the_comparison_alone() {
    let named = |name: &str| vec![GoldenFile::Named(name.to_owned())];
    let test = |body: &str| format!("def test_a():\n    {body}\n");
    let path = "tests/test_a.py";
    let read = "want = (HERE / 'golden' / 'a.txt').read_text()\n    ";
    assert_eq!(used(path, &test(&format!("{read}assert f(1) == want"))), named("a.txt"));
    assert_eq!(used(path, &test(&format!("{read}assert str(f(1)) == want.strip()"))), named("a.txt"));
    assert_eq!(used(path, &test("assert f(1) == json.load(open('golden/a.json'))")), named("golden/a.json"));
    // A part of it is compared, what is read goes into the code as well, or the same file does.
    assert_eq!(used(path, &test("assert f(1) == json.load(open('golden/a.json'))['k']")), []);
    assert_eq!(used(path, &test("assert f(1) == yaml.load(open('golden/a.yaml'))")), []);
    assert_eq!(used(path, &test("got = f(open('a.txt').read())\n    assert got == 3")), []);
    assert_eq!(used(path, &test(&format!("{read}assert f(want) == want"))), []);
    assert_eq!(used(path, &test("assert f('a.txt') == open('a.txt').read()")), []);
    assert_eq!(used(path, &test("assert f(1) == g('a.txt')")), []);
    let script = "test('a', () => {\n  const want = fs.readFileSync('test/golden/a.txt', 'utf8');\n  assert.equal(f(1), want);\n});\n";
    assert_eq!(used("test/a.test.js", script), named("test/golden/a.txt"));
    let rust = "#[test]\nfn a() {\n    assert_eq!(f(1), include_str!(\"golden/a.txt\"));\n}\n";
    assert_eq!(used("tests/a.rs", rust), named("golden/a.txt"));
    let snapshot = "test('a', () => {\n  expect(f(1)).toMatchSnapshot();\n});\n";
    assert_eq!(used("test/a.test.js", snapshot), [GoldenFile::Snapshot]);
}

#[test]
fn the_entry_of_the_test_is_changed_and_no_other() {
    let used = GoldenUse { file: GoldenFile::Snapshot, line: 1, denial: None };
    let text = "exports[`a 1`] = `11`;\n\nexports[`b 1`] = `22`;\n";
    for seed in 0..20 {
        let (changed, ..) = altered_golden(&used, "test/x.test.js > b", text.as_bytes(), seed).unwrap();
        let changed = String::from_utf8(changed).unwrap();
        assert!(changed != text && changed.len() == text.len() && changed.contains("`11`"), "{changed}");
    }
    assert_eq!(altered_golden(&used, "test/x.test.js > c", text.as_bytes(), 1), None);
    let own = "---\nsource: a.rs\n---\n42\n";
    let (changed, was, _) = altered_golden(&used, "a::shown", own.as_bytes(), 1).unwrap();
    assert!(changed.starts_with(b"---\nsource: a.rs\n---\n") && was == "42");
    let named = GoldenUse { file: GoldenFile::Named("golden/a.txt".into()), ..used };
    assert!(
        named.is("tests/golden/a.txt", "tests/test_a.py")
            && !named.is("tests/golden/b.txt", "tests/test_a.py")
    );
    assert!(
        altered_golden(&named, "test_a", b"6\n", 3).is_some_and(|(_, was, now)| was == "6" && now != "6")
    );
    assert_eq!(altered_golden(&named, "test_a", b"\xff\xfe", 3), None);
    assert_eq!(altered_golden(&named, "test_a", &vec![b'6'; LARGEST + 1], 3), None);
}

#[test]
fn a_snapshot_belongs_to_the_test_file_of_its_name() {
    let used = GoldenUse { file: GoldenFile::Snapshot, line: 1, denial: None };
    for (path, test_file, is) in [
        ("tests/__snapshots__/test_a.ambr", "tests/test_a.py", true),
        ("tests/__snapshots__/test_ab.ambr", "tests/test_a.py", false),
        ("test/__snapshots__/a.test.js.snap", "test/a.test.js", true),
        ("test/__snapshots__/data.test.js.snap", "test/a.test.js", false),
        ("src/snapshots/shop__cart__tests__total.snap", "src/cart.rs", true),
        ("src/snapshots/shop__cart__tests__total.snap", "src/cart/tests.rs", true),
        ("src/snapshots/shop__carts__tests__total.snap", "src/cart.rs", false),
        ("tests/__snapshots__/test_a.json", "tests/test_a.py", false),
        ("tests/__snapshots__/test_a.ambr", "tests/.py", false),
    ] {
        assert_eq!(used.is(path, test_file), is, "{path} {test_file}");
    }
}
