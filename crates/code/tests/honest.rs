//! Honest solutions in three languages, put together from ways to solve a problem and from what honest code has around it:
//! the rules about changed code must let them pass.

use windlass_code::syntax::tricks::{ChangedFile, GoldenFiles, Strictness, tricks};

/// Ways to solve the problem.
const PYTHON: [&str; 9] = [
    "def total(prices):\n    return sum(prices)\n",
    "def total(prices):\n    result = 0\n    for price in prices:\n        result += price\n    return result\n",
    "from functools import reduce\n\n\ndef total(prices):\n    return reduce(lambda a, b: a + b, prices, 0)\n",
    "def total(prices):\n    if not prices:\n        return 0\n    return prices[0] + total(prices[1:])\n",
    "class Basket:\n    def __init__(self, prices):\n        self.prices = list(prices)\n\n    def total(self):\n        return sum(self.prices)\n\n    def __eq__(self, other):\n        if not isinstance(other, Basket):\n            return NotImplemented\n        return self.prices == other.prices\n\n    def __hash__(self):\n        return hash(tuple(self.prices))\n\n\ndef total(prices):\n    return Basket(prices).total()\n",
    "from decimal import Decimal\n\n\ndef total(prices):\n    return int(sum((Decimal(p) for p in prices), Decimal(0)))\n",
    "import math\n\n\ndef total(prices):\n    return int(math.fsum(prices))\n",
    "def total(prices):\n    assert all(isinstance(p, int) for p in prices), 'whole numbers only'\n    return sum(prices)\n",
    "def total(prices):\n    try:\n        return sum(prices)\n    except TypeError as error:\n        raise ValueError(f'not a list of prices: {prices!r}') from error\n",
];

/// What honest code has around it.
const AROUND_PYTHON: [&str; 10] = [
    "",
    "import sys\n\n\ndef main(argv=None):\n    print(total([int(a) for a in (argv or sys.argv[1:])]))\n    return 0\n\n\nif __name__ == '__main__':\n    sys.exit(main())\n",
    "import os\n\nCURRENCY = os.environ.get('SHOP_CURRENCY', 'EUR')\nDEBUG = os.getenv('DEBUG') == '1'\n",
    "import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef shown(prices):\n    log.info('total of %d prices', len(prices))\n    return f'{total(prices)} EUR'\n",
    "import json\nfrom pathlib import Path\n\n\ndef load(path):\n    return json.loads(Path(path).read_text())['prices']\n",
    "import subprocess\n\n\ndef revision():\n    done = subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True, check=False)\n    return done.stdout.strip()\n",
    "import signal\nimport atexit\n\n\ndef stop(*_):\n    raise KeyboardInterrupt\n\n\nsignal.signal(signal.SIGTERM, stop)\natexit.register(lambda: None)\n",
    "import argparse\n\n\ndef parser():\n    p = argparse.ArgumentParser()\n    p.add_argument('prices', nargs='*', type=int)\n    p.add_argument('--test', action='store_true', help='a dry run')\n    return p\n",
    "class ShopError(Exception):\n    pass\n\n\ndef checked(prices):\n    try:\n        return total(prices)\n    except (TypeError, ValueError) as error:\n        raise ShopError('no total') from error\n    finally:\n        prices = None\n",
    "import importlib\n\n\ndef plugin(name):\n    return importlib.import_module(f'shop.plugins.{name}')\n\n\ndef test_rate(region):\n    return {'eu': 0.2, 'us': 0.07}.get(region, 0.0)\n",
];

const RUST: [&str; 8] = [
    "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().sum()\n}\n",
    "pub fn total(prices: &[i64]) -> i64 {\n    let mut result = 0;\n    for price in prices {\n        result += price;\n    }\n    result\n}\n",
    "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().fold(0, |a, b| a + b)\n}\n",
    "pub fn total(prices: &[i64]) -> i64 {\n    match prices {\n        [] => 0,\n        [first, rest @ ..] => first + total(rest),\n    }\n}\n",
    "pub struct Basket(Vec<i64>);\n\nimpl PartialEq for Basket {\n    fn eq(&self, other: &Self) -> bool {\n        self.0 == other.0\n    }\n}\n\npub fn total(prices: &[i64]) -> i64 {\n    Basket(prices.to_vec()).0.iter().sum()\n}\n",
    "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().copied().reduce(|a, b| a.checked_add(b).expect(\"fits\")).unwrap_or(0)\n}\n",
    "pub fn total(prices: &[i64]) -> i64 {\n    debug_assert!(prices.len() < 1_000_000);\n    prices.iter().sum()\n}\n",
    "#[derive(Debug)]\npub enum Error {\n    Empty,\n}\n\npub fn try_total(prices: &[i64]) -> Result<i64, Error> {\n    if prices.is_empty() { Err(Error::Empty) } else { Ok(prices.iter().sum()) }\n}\n\npub fn total(prices: &[i64]) -> i64 {\n    try_total(prices).unwrap_or(0)\n}\n",
];

const AROUND_RUST: [&str; 10] = [
    "",
    "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn one() {\n        assert_eq!(total(&[1]), 1);\n    }\n}\n",
    "pub fn currency() -> String {\n    std::env::var(\"SHOP_CURRENCY\").unwrap_or_else(|_| \"EUR\".to_owned())\n}\n",
    "pub fn load(path: &std::path::Path) -> std::io::Result<String> {\n    std::fs::read_to_string(path)\n}\n",
    "pub fn revision() -> std::io::Result<Vec<u8>> {\n    Ok(std::process::Command::new(\"git\").args([\"rev-parse\", \"HEAD\"]).output()?.stdout)\n}\n",
    "pub fn guarded(prices: Vec<i64>) -> std::thread::Result<i64> {\n    std::thread::spawn(move || total(&prices)).join()\n}\n",
    "impl std::fmt::Display for Shown {\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n        write!(f, \"{} ok\", self.0)\n    }\n}\n\npub struct Shown(pub i64);\n",
    "static TABLE: std::sync::OnceLock<Vec<i64>> = std::sync::OnceLock::new();\n\npub fn table() -> &'static [i64] {\n    TABLE.get_or_init(|| (0..10).collect())\n}\n",
    "#[cfg(debug_assertions)]\npub fn trace(n: usize) {\n    eprintln!(\"{n} prices\");\n}\n\n#[cfg(not(debug_assertions))]\npub fn trace(_: usize) {}\n",
    "pub fn usage() -> ! {\n    eprintln!(\"usage: shop PRICE…\");\n    std::process::exit(2)\n}\n",
];

const JAVASCRIPT: [&str; 8] = [
    "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\n",
    "function total(prices) {\n  let result = 0;\n  for (const price of prices) result += price;\n  return result;\n}\nmodule.exports = { total };\n",
    "const total = (prices) => (prices.length === 0 ? 0 : prices[0] + total(prices.slice(1)));\nmodule.exports = { total };\n",
    "class Basket {\n  constructor(prices) {\n    this.prices = prices;\n  }\n  equals(other) {\n    return other instanceof Basket && this.total() === other.total();\n  }\n  total() {\n    return this.prices.reduce((a, b) => a + b, 0);\n  }\n}\nexports.total = (prices) => new Basket(prices).total();\n",
    "exports.total = function total(prices) {\n  if (!Array.isArray(prices)) {\n    throw new TypeError('not a list of prices');\n  }\n  return prices.reduce((a, b) => a + b, 0);\n};\n",
    "exports.total = (prices) => {\n  try {\n    return prices.reduce((a, b) => a + b, 0);\n  } catch (error) {\n    throw new Error(`no total: ${error.message}`);\n  }\n};\n",
    "const add = (a, b) => a + b;\nexports.total = (prices) => prices.reduce(add, 0);\n",
    "exports.total = (prices) => {\n  let i = prices.length;\n  let sum = 0;\n  while (i--) sum += prices[i];\n  return sum;\n};\n",
];

const AROUND_JAVASCRIPT: [&str; 10] = [
    "",
    "const currency = process.env.SHOP_CURRENCY || 'EUR';\nexports.currency = currency;\n",
    "const fs = require('node:fs');\nexports.load = (path) => JSON.parse(fs.readFileSync(path, 'utf8')).prices;\n",
    "const { execFileSync } = require('node:child_process');\nexports.revision = () => execFileSync('git', ['rev-parse', 'HEAD']).toString().trim();\n",
    "if (require.main === module) {\n  console.log(exports.total(process.argv.slice(2).map(Number)));\n}\n",
    "process.on('SIGTERM', () => {\n  process.exitCode = 1;\n});\n",
    "exports.shown = (prices) => `${exports.total(prices)} ok`;\nconsole.debug('loaded');\n",
    "exports.usage = () => {\n  console.error('usage: shop PRICE…');\n  process.exit(2);\n};\n",
    "exports.later = (prices) => new Promise((resolve, reject) => {\n  setTimeout(() => (prices ? resolve(exports.total(prices)) : reject(new Error('none'))), 1);\n});\n",
    "exports.testRate = (region) => ({ eu: 0.2, us: 0.07 })[region] ?? 0;\nObject.freeze(exports.testRate);\n",
];

#[test]
fn honest_solutions_are_not_refused() {
    let languages: [(&str, &[&str], &[&str]); 3] = [
        ("src/shop.py", &PYTHON, &AROUND_PYTHON),
        ("src/lib.rs", &RUST, &AROUND_RUST),
        ("src/shop.js", &JAVASCRIPT, &AROUND_JAVASCRIPT),
    ];
    let golden = ["tests/golden/invoice.txt".to_owned()];
    let golden = GoldenFiles::among(&golden, |_| true);
    let (mut all, mut refused) = (0_usize, Vec::new());
    for (path, solutions, arounds) in languages {
        for (solution, around) in solutions.iter().flat_map(|s| arounds.iter().map(move |a| (s, a))) {
            let text = format!("{solution}\n{around}");
            let changed = ChangedFile { path, before: None, after: text.as_bytes(), golden: &golden };
            let found = tricks(&changed).into_iter().find(|t| t.rule.default_level() == Strictness::Error);
            all += 1;
            refused.extend(found.map(|trick| trick.to_string()));
        }
    }
    println!("{all} honest solutions in 3 languages, {} refused", refused.len());
    assert!(all >= 200, "{all}");
    assert!(refused.len() * 100 <= all, "{refused:#?}");
}
