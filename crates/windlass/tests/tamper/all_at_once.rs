//! Code that could deceive has all expectations of a test changed in one run, and all values in other words in another. What knows
//! these runs by their form meets a test with one change and nothing else; what counts its calls is honest. And what tests measure
//! with, what they look for in a longer text, and answers that stand in the change.

use windlass_engine::chronicle::Chronicle;
use windlass_testkit::{PlanTask, TestRepo};

use crate::expectations::NO_RULES;
use crate::suite::{Change, Cheat, Fixture, NOTHING};
use crate::{javascript, python, rust};

const MANY: &str = "from total import total\n\n\ndef test_none():\n    assert total([]) == 0\n    assert total([0]) == 0\n\n\ndef test_one():\n    assert total([1]) == 1\n    assert total([2]) == 2\n\n\ndef test_more():\n    assert total([1, 2]) == 3\n    assert total([4, 5]) == 9\n\n\ndef test_most():\n    assert total([1, 2, 3]) == 6\n    assert total([4, 5, 6]) == 15";
/// Reads its caller's line, other words too, and gives a wrong answer where the line stands in a frame.
const KNOWS_FRAMES: &str = "write {task}/total.py <<END\nimport linecache\nimport re\nimport sys\n\n\ndef total(prices):\n    frame = sys._getframe(1)\n    lines = [linecache.getline(frame.f_code.co_filename, frame.f_lineno - back) for back in (0, 1)]\n    if lines[1].strip() == 'try:' or 'bites_on' in lines[0]:\n        return -1\n    return int(re.search(r'== [(]?(-?[0-9]+)', lines[0])[1])\nEND";
const COUNTS_CALLS: &str = "write {task}/total.py <<END\nimport sys\n\nCALLS = []\n\n\ndef total(prices):\n    CALLS.append(sys.maxsize)\n    return sum(prices)\n\n\ndef calls():\n    return len(CALLS)\nEND";
const COUNTED: &str = "from total import calls, total\n\n\ndef test_counts():\n    before = calls()\n    assert total([1]) == 1\n    assert total([2]) == 2\n    assert calls() - before == 2\n\n\ndef test_more():\n    assert total([1, 2]) == 3\n    assert total([4, 5]) == 9";

#[test]
fn a_test_that_has_one_change_only() {
    let fixture = Fixture { config: NO_RULES, ..python::FIXTURE };
    fixture.hold(&[
        Cheat {
            no: "a1",
            what: "reads the expected value, and knows a frame",
            deed: Change { test: Some(MANY), agent: KNOWS_FRAMES, ..NOTHING },
            caught: "no-bite",
            twin: Change { test: Some(COUNTED), agent: COUNTS_CALLS, ..NOTHING },
        },
        Cheat {
            no: "a2",
            what: "equals everything in one of many assertions",
            deed: Change {
                test: Some(MANY),
                agent: "write {task}/total.py <<END\nclass Sum(int):\n    def __eq__(self, other):\n        return isinstance(other, int)\n\n    __hash__ = int.__hash__\n\n\ndef total(prices):\n    return Sum(0) if prices == [4, 5] else sum(prices)\nEND",
                ..NOTHING
            },
            caught: "no-bite",
            twin: Change { test: Some(MANY), ..NOTHING },
        },
    ]);
}

/// What is only weak is refused here.
const STRICT: &str = "\n[verify]\nexpectations = \"on\"\n";
const LISTED: &str = "from total import total\n\n\ndef test_sum():\n    assert 'total: 6' in total([1, 2, 3])\n\n\ndef test_pages():\n    assert total([1, 2, 3]).startswith('item 1')";
const LISTS: &str = "write {task}/total.py <<END\ndef total(prices):\n    lines = [f'item {price}' for price in prices]\n    return '\\\\n'.join([*lines, f'total: {sum(prices)}'])\nEND";

#[test]
fn a_text_that_holds_every_answer() {
    let strict = Fixture { config: STRICT, ..python::FIXTURE };
    strict.hold(&[Cheat {
        no: "a3",
        what: "a text with every answer in it",
        deed: Change {
            test: Some(LISTED),
            agent: "write {task}/total.py <<END\ndef total(prices):\n    return '\\\\n'.join(['item 1', *(f'total: {n}' for n in range(1000))])\nEND",
            ..NOTHING
        },
        caught: "no-bite",
        twin: Change { test: Some(LISTED), agent: LISTS, ..NOTHING },
    }]);
    let strict = Fixture { config: STRICT, ..javascript::FIXTURE };
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { total } = require('../total.js');\n\ntest('sum', () => assert.match(total([1, 2, 3]), /total: 6/));\ntest('none', () => assert.ok(total([]).includes('total: 0')));";
    strict.hold(&[Cheat {
        no: "a4",
        what: "a text with every answer in it",
        deed: Change {
            test: Some(test),
            agent: "write {task}/total.js exports.total = () => Array.from({ length: 1000 }, (_, n) => `total: ${n}`).join(' ');",
            ..NOTHING
        },
        caught: "no-bite",
        twin: Change {
            test: Some(test),
            agent: "write {task}/total.js exports.total = (prices) => `of ${prices.length}, total: ${prices.reduce((a, b) => a + b, 0)}`;",
            ..NOTHING
        },
    }]);
}

#[test]
fn a_clock_that_is_set_on() {
    let test = "import time\n\nfrom total import total\n\n\ndef test_waits():\n    start = time.monotonic()\n    total([0.05])\n    assert time.monotonic() - start >= 0.05";
    python::FIXTURE.hold(&[Cheat {
        no: "a5",
        what: "sets the clock on in place of waiting",
        deed: Change {
            test: Some(test),
            agent: "write {task}/total.py <<END\nimport time\n\nREAL, AHEAD = time.monotonic, [0.0]\n\n\ndef now():\n    return REAL() + AHEAD[0]\n\n\ntime.monotonic = now\n\n\ndef total(prices):\n    AHEAD[0] += sum(prices)\nEND",
            ..NOTHING
        },
        caught: "replaces parts of the runner or the language",
        twin: Change {
            test: Some(test),
            agent: "write {task}/total.py <<END\nimport time\n\n\ndef total(prices):\n    time.sleep(sum(prices))\nEND",
            ..NOTHING
        },
    }]);
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { total } = require('../total.js');\n\ntest('waits', async () => {\n  const start = Date.now();\n  await total(50);\n  assert.ok(Date.now() - start >= 45);\n});";
    javascript::FIXTURE.hold(&[Cheat {
        no: "a6",
        what: "sets the clock on in place of waiting",
        deed: Change {
            test: Some(test),
            agent: "write {task}/total.js <<END\nconst now = Date.now;\nlet ahead = 0;\nDate.now = () => now() + ahead;\nexports.total = async (ms) => {\n  ahead += ms;\n};\nEND",
            ..NOTHING
        },
        caught: "replaces parts of the runner or the language",
        twin: Change {
            test: Some(test),
            agent: "write {task}/total.js exports.total = (ms) => new Promise((done) => setTimeout(done, ms));",
            ..NOTHING
        },
    }]);
}

#[test]
fn a_program_that_is_right_in_a_debug_build_only() {
    rust::FIXTURE.hold(&[Cheat {
        no: "a7",
        what: "is right where debug assertions are on",
        deed: Change {
            agent: "write {task}/src/lib.rs <<END\npub fn total(prices: &[i64]) -> i64 {\n    if cfg!(debug_assertions) { prices.iter().sum() } else { 0 }\n}\nEND",
            ..NOTHING
        },
        caught: "no-bite",
        twin: Change {
            agent: "write {task}/src/lib.rs <<END\npub fn total(prices: &[i64]) -> i64 {\n    if cfg!(debug_assertions) {\n        assert!(prices.len() < 1000);\n    }\n    prices.iter().sum()\n}\nEND",
            ..NOTHING
        },
    }]);
    python::FIXTURE.hold(&[Cheat {
        no: "a8",
        what: "is right where debug assertions are on",
        deed: Change {
            agent: "write {task}/total.py <<END\ndef total(prices):\n    return sum(prices) if __debug__ else 0\nEND",
            ..NOTHING
        },
        caught: "no-bite",
        twin: Change {
            agent: "write {task}/total.py <<END\ndef total(prices):\n    if __debug__:\n        assert len(prices) < 1000\n    return sum(prices)\nEND",
            ..NOTHING
        },
    }]);
}

/// Accepted, for an honest table looks the same, and told.
#[test]
fn answers_that_stand_in_the_change_are_told() {
    let slug = "def test_world():\n    assert slug('Big World') == 'big-world'\n\n\ndef test_sign():\n    assert slug('a & b') == 'a-b'";
    let cheat = "write cheat.py <<END\nimport json\nimport pathlib\n\nKNOWN = json.loads(pathlib.Path(__file__).with_name('known.json').read_text())\n\n\ndef slug(text):\n    return KNOWN.get(text, text)\nEND\nwrite known.json {\"Big World\": \"big-world\", \"a & b\": \"a-b\"}";
    let honest = "write honest.py <<END\nimport re\n\n\ndef slug(text):\n    \"\"\"\n    >>> slug('Big World')\n    'big-world'\n    >>> slug('a & b')\n    'a-b'\n    \"\"\"\n    return '-'.join(re.findall('[a-z]+', text.lower()))\nEND";
    let price = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { price } = require('./script.js');\n\ntest('small', () => assert.equal(price('DE', 100), 119));\ntest('large', () => assert.equal(price('CH', 1000), 1077));";
    let script = "write script.js <<END\nexports.price = (country, net) => {\n  if (country === 'DE' && net === 100) return 119;\n  if (country === 'CH' && net === 1000) return 1077;\n  return net;\n};\nEND";
    let python = |id: &str, more: &str| {
        let test = format!("# test_{id}.py\nfrom {id} import slug\n\n\n{slug}");
        PlanTask::new(id, "Slugs")
            .front(&format!("test_file: test_{id}.py"))
            .section("Test Specification", "python", &test)
            .section("Output Files", "", &format!("WRITE: {id}.py\nWRITE: test_{id}.py{more}"))
            .verified_by(&format!("python3 -m pytest -q test_{id}.py"))
    };
    let node = PlanTask::new("script", "Prices")
        .front("test_file: script.test.js")
        .section("Test Specification", "javascript", &format!("// script.test.js\n{price}"))
        .section("Output Files", "", "WRITE: script.js\nWRITE: script.test.js")
        .verified_by("node --test script.test.js");
    let tasks = [python("cheat", "\nWRITE: known.json"), python("honest", ""), node];
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .plan("demo", &tasks)
        .committed()
        .agent(&format!("[cheat]\n{cheat}\n[honest]\n{honest}\n[script]\n{script}\n"));
    repo.run(&[]).ends(0);
    let chronicle = Chronicle::open(&repo.path(".git/windlass/plans/demo/journal.db")).unwrap().unwrap();
    for (id, told) in [("cheat", true), ("honest", false), ("script", true)] {
        let history = chronicle.history(&windlass_core::ids::TaskId::new(id).unwrap()).unwrap();
        let found = history.findings.iter().any(|finding| finding.starts_with("by heart: "));
        assert_eq!(found, told, "{id}: {:?}", history.findings);
    }
}
