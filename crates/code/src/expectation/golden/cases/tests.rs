//! Tables of cases in files, and what becomes of their values.

use super::super::super::{GoldenFile, GoldenUse, altered_golden, expectations};

fn altered(file: GoldenFile, text: &str) -> Option<String> {
    let used = GoldenUse { file, line: 1, denial: None };
    altered_golden(&used, "test_a", text.as_bytes(), 3).map(|(bytes, ..)| String::from_utf8(bytes).unwrap())
}

#[test]
fn every_entry_of_the_key_is_changed_and_no_other() {
    let keyed = |file: &str| GoldenFile::Keyed(file.into(), "want".into());
    let csv = altered(keyed("cases.csv"), "in,want,note\n1 2,3,three\n4,4,four\n").unwrap();
    let cells: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(cells[0], ["in", "want", "note"]);
    assert!(cells[1][0] == "1 2" && cells[1][1] != "3" && cells[1][2] == "three", "{csv}");
    assert!(cells[2][0] == "4" && cells[2][1] != "4" && cells[2][2] == "four", "{csv}");
    let yaml = altered(keyed("a.yaml"), "- in: [1, 2]\n  want: 3\n- {in: [4], want: abc}\n").unwrap();
    assert!(yaml.starts_with("- in: [1, 2]\n  want: ") && !yaml.contains("want: 3\n"), "{yaml}");
    assert!(yaml.contains("{in: [4], want: ") && !yaml.contains("abc"), "{yaml}");
    let toml = altered(keyed("a.toml"), "[[case]]\nunwanted = 3\nwant = true\n").unwrap();
    assert_eq!(toml, "[[case]]\nunwanted = 3\nwant = false\n");
    assert_eq!(altered(keyed("a.csv"), "in,out\n1,2\n"), None);
    let column = |at| GoldenFile::Column("a.tsv".into(), '\t', at);
    let tsv = altered(column(1), "in\twant\n1 2\t3\n").unwrap();
    assert!(tsv.starts_with("in\twant\n1 2\t") && !tsv.ends_with("\t3\n"), "{tsv}");
}

fn used(path: &str, text: &str) -> Vec<GoldenFile> {
    let all = expectations(path, text.as_bytes(), &|_| true, 1);
    all.into_iter().flat_map(|test| test.goldens).map(|used| used.file).collect()
}

#[test]
fn tables_of_cases_in_files() {
    let keyed = |file: &str| vec![GoldenFile::Keyed(file.into(), "want".into())];
    let head = "def rows():\n    return list(csv.DictReader(open('cases.csv')))\n\n\n";
    let test = format!(
        "{head}@pytest.mark.parametrize('row', rows())\ndef test_a(row):\n    assert f(row['in']) == int(row['want'])\n"
    );
    assert_eq!(used("tests/test_a.py", &test), keyed("cases.csv"));
    let given = test.replace("f(row['in'])", "f(row['want'])");
    assert_eq!(used("tests/test_a.py", &given), []);
    let loaded = "PATH = 'a.csv'\n\n\ndef test_a():\n    db = load(PATH)\n    for row in csv.DictReader(open(PATH)):\n        assert db.get(row['in']) == row['want']\n";
    assert_eq!(used("tests/test_a.py", loaded), []);
    let yaml = "CASES = yaml.safe_load(open('a.yaml'))\n\n\ndef test_a():\n    for case in CASES:\n        assert f(case['in']) == case['want'], case\n";
    assert_eq!(used("tests/test_a.py", yaml), keyed("a.yaml"));
    // Rows that stand in the test are no rows of a file, and of two files it is not known which is meant.
    let own = "def test_a():\n    open('a.yaml')\n    for case in [{'in': 1, 'want': 22}]:\n        assert f(case['in']) == case['want']\n";
    assert_eq!(used("tests/test_a.py", own), []);
    assert_eq!(used("tests/test_a.py", &yaml.replace("CASES =", "OTHER = open('b.yaml')\nCASES =")), []);
    let column = |file: &str, mark| vec![GoldenFile::Column(file.into(), mark, 1)];
    let lines = "def test_a():\n    for line in open('a.txt'):\n        given, want = line.split(';')\n        assert f(given) == int(want)\n";
    assert_eq!(used("tests/test_a.py", lines), column("a.txt", ';'));
    let rust = "#[test]\nfn a() {\n    for line in include_str!(\"a.csv\").lines() {\n        let (given, want) = line.split_once(',').unwrap();\n        assert_eq!(f(given), want.parse::<i64>().unwrap());\n    }\n}\n";
    assert_eq!(used("tests/a.rs", rust), column("a.csv", ','));
    let script = "test('a', () => {\n  for (const row of fs.readFileSync('a.tsv', 'utf8').split('\\n')) {\n    const [given, want] = row.split('\\t');\n    assert.equal(f(given), Number(want));\n  }\n});\n";
    assert_eq!(used("test/a.test.js", script), column("a.tsv", '\t'));
}

#[test]
fn a_file_that_the_test_writes_for_the_comparison_holds_its_value() {
    let was = |body: &str| -> Vec<String> {
        let text = format!("def test_a(tmp_path):\n{body}");
        let all = expectations("test_a.py", text.as_bytes(), &|_| true, 1);
        let equal = all.iter().flat_map(|test| &test.mutants).filter(|m| m.kind.as_str() == "equality");
        equal.map(|mutant| mutant.was.clone()).collect()
    };
    let write = "    want = tmp_path / 'b'\n    want.write_text('66')\n";
    assert_eq!(was(&format!("{write}    assert f(tmp_path / 'a') == want.read_text()\n")), ["66"]);
    // A file that is written twice holds either value.
    let twice =
        format!("{write}    want.write_text('77')\n    assert f(tmp_path / 'a') == want.read_text()\n");
    assert_eq!(was(&twice), [] as [&str; 0]);
    // The code is given the file, or its directory.
    assert_eq!(was(&format!("{write}    assert f(want) == want.read_text()\n")), [] as [&str; 0]);
    assert_eq!(was(&format!("{write}    assert f(tmp_path) == want.read_text()\n")), [] as [&str; 0]);
}
