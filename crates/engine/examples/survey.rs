//! How long a survey takes: `cargo run --release -p windlass-engine --example survey -- [FILES] [DIR]`.
//!
//! Makes a tree of files in five languages and in none, then reads them all, surveys them with nothing kept, and
//! surveys them again, each until everything that is kept lies in its files. With a directory, that one is surveyed
//! instead of a made one. Prints one line per figure. `floor` is what the system alone takes to name every file and to
//! say how it looks, asked by as many threads as there are cores.
//! With `0 DIR` it parses every file there and says which imports the index of words would miss.
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir};
use windlass_code::repo::Tree as _;
use windlass_code::survey::Survey;
use windlass_code::survey::{missed, worth_reading};
use windlass_engine::survey::{DiskTree, SurveyStore};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let files: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let given = arguments.next();
    let temp = tempfile::tempdir()?;
    let made = temp.path().join("tree");
    if given.is_none() && files > 0 {
        make(&made, files)?;
    }
    if files == 0 {
        compare(Path::new(given.as_deref().unwrap_or(".")));
        return Ok(());
    }
    let root = given.as_deref().map_or(made.as_path(), Path::new);

    // Once unmeasured: the first reader after the writer waits for the disk, and is not what is asked about.
    read_all(root);
    // A file that was just written may change without looking different, and is read again: not what is asked about.
    std::thread::sleep(Duration::from_secs(3));
    let (reading, (files, bytes)) = best(|_| read_all(root));
    let store = |round: usize| SurveyStore::at(&temp.path().join(format!("kept-{round}")));
    let (cold, (sources, answers)) = best(|round| ask(&store(round), root));
    let (warm, (_, again)) = best(|round| ask(&store(round), root));
    assert!(answers == again, "a warm survey says something else");
    let dirs = directories(root);
    let (floor, _) = best(|_| look_at_all(&dirs));
    println!("files           {files} ({:.0} MB), {sources} of them source", mega(bytes));
    println!("asked           {} answers", answers.len());
    let said = |took: Took| {
        format!("{:.3} s, {:.2} s of processor time", took.wall.as_secs_f64(), took.busy.as_secs_f64())
    };
    println!("reading         {}, one file after another", said(reading));
    println!("cold            {}, {:.2} × reading", said(cold), ratio(cold, reading));
    println!(
        "warm            {}, {:.1} % of cold, {:.1} % of reading, {:.2} × floor",
        said(warm),
        100.0 * ratio(warm, cold),
        100.0 * ratio(warm, reading),
        ratio(warm, floor)
    );
    println!("floor           {}, {:.1} % of cold", said(floor), 100.0 * ratio(floor, cold));
    Ok(())
}

/// Surveys a tree and asks it about every file (its importers) and about a hundred in particular.
fn ask(store: &SurveyStore, root: &Path) -> (usize, Vec<String>) {
    let (listing, tree) = timed(|| store.disk(root));
    let (habits, survey) = timed(|| store.of_disk(&tree));
    let first = survey.sources().next().unwrap_or_default();
    let (index, _) = timed(|| survey.importers_of(first, 5));
    let (questions, answers) = timed(|| questions(&survey));
    let sources = survey.sources.len();
    let (keeping, ()) = timed(|| drop((survey, tree)));
    let parts = [
        ("listing", listing),
        ("habits", habits),
        ("index", index),
        ("questions", questions),
        ("keeping", keeping),
    ];
    for (part, took) in parts {
        println!(
            "  {part:<13} {:.4} s, {:.2} s of processor time",
            took.wall.as_secs_f64(),
            took.busy.as_secs_f64()
        );
    }
    (sources, answers)
}

fn questions(survey: &Survey) -> Vec<String> {
    let mut answers: Vec<String> = survey.conventions.iter().map(|found| format!("{found:?}")).collect();
    let step = (survey.sources.len() / 100).max(1);
    for (n, path) in survey.sources().step_by(step).enumerate() {
        answers.extend(survey.interface(path, 40));
        answers.extend(survey.imported_by(path));
        if n % 10 == 0 {
            answers.extend(survey.importers_of(path, 5));
        }
    }
    answers
}

/// The directories of a tree.
fn directories(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut at = 0;
    while let Some(dir) = found.get(at).cloned() {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        found.extend(entries.filter(|e| e.file_type().is_ok_and(|kind| kind.is_dir())).map(|e| e.path()));
        at += 1;
    }
    found
}

/// Names every file of these directories and looks at it, with nothing else done.
fn look_at_all(dirs: &[PathBuf]) -> usize {
    let next = AtomicUsize::new(0);
    let files = AtomicUsize::new(0);
    let look = || {
        let mut buffer = vec![std::mem::MaybeUninit::<u8>::uninit(); 1 << 16];
        while let Some(dir) = dirs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let Ok(open) = rustix::fs::open(dir, flags, Mode::empty()) else { continue };
            let mut entries = RawDir::new(&open, &mut buffer);
            while let Some(Ok(entry)) = entries.next() {
                if entry.file_type() == FileType::RegularFile {
                    let found = rustix::fs::statat(&open, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
                    files.fetch_add(usize::from(found.is_ok()), Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(look);
        }
    });
    files.into_inner()
}

/// The shortest of three times: others on the machine only ever make it longer.
fn best<T>(work: impl Fn(usize) -> T) -> (Took, T) {
    let mut shortest = timed(|| work(0));
    for round in 1..3 {
        let next = timed(|| work(round));
        if next.0.wall < shortest.0.wall {
            shortest = next;
        }
    }
    shortest
}

/// Parses every source file of a directory and says which words of its imports the index does not have.
fn compare(root: &Path) {
    let tree = DiskTree::open(root);
    let (mut read, mut wrong) = (0, 0);
    for path in tree.paths().iter().filter(|path| worth_reading(path)) {
        let Some(bytes) = tree.read(path).filter(|bytes| bytes.len() < 1 << 20) else { continue };
        read += 1;
        let missed = missed(path, &bytes);
        if !missed.is_empty() {
            wrong += 1;
            println!("{path}: {}", missed.join(" "));
        }
    }
    println!("compared        {read} files, {wrong} with imports that the index misses");
}

fn ratio(a: Took, b: Took) -> f64 {
    a.wall.as_secs_f64() / b.wall.as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// How long something took, and how much processor time of all threads.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    busy: Duration,
}

fn timed<T>(work: impl FnOnce() -> T) -> (Took, T) {
    let (start, before) = (Instant::now(), busy());
    let made = work();
    (Took { wall: start.elapsed(), busy: busy().saturating_sub(before) }, made)
}

/// Processor time of this process so far, in steps of a hundredth of a second.
fn busy() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Lists and reads every file, one after the other.
fn read_all(root: &Path) -> (usize, u64) {
    let (mut files, mut bytes) = (0, 0);
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() => {
                    files += 1;
                    bytes += std::fs::read(entry.path()).map_or(0, |text| text.len() as u64);
                }
                _ => {}
            }
        }
    }
    (files, bytes)
}

/// An ending, and the text of the n-th file that has it.
type Kind = (&'static str, fn(usize) -> String);

fn make(root: &Path, files: usize) -> std::io::Result<()> {
    let kinds: [Kind; 6] =
        [("py", python), ("ts", typescript), ("rs", rust), ("go", go), ("java", java), ("md", prose)];
    for n in 0..files {
        let (ending, text) = kinds[n % kinds.len()];
        let dir = root.join(format!("part_{:03}/area_{:02}", n / 1000, n / 50 % 20));
        if n % 50 < kinds.len() {
            std::fs::create_dir_all(&dir)?;
        }
        std::fs::write(dir.join(format!("module_{n}.{ending}")), text(n))?;
    }
    Ok(())
}

fn python(n: usize) -> String {
    let mut out = format!(
        "\"\"\"Module {n}.\"\"\"\nimport logging\nfrom dataclasses import dataclass\n\nfrom .module_{} import Thing{}\n\nlogger = logging.getLogger(__name__)\n\n\n",
        n.saturating_sub(6),
        n.saturating_sub(6)
    );
    let _ = write!(out, "@dataclass\nclass Thing{n}:\n    name: str\n    size: int = 0\n");
    for m in 0..4 + n % 7 {
        let _ = write!(
            out,
            "\n    def method_{m}(self, value: int, *, flag: bool = False) -> int:\n        \"\"\"Computes the value for the given input and flag.\"\"\"\n        total = 0\n        for item in range(value):\n            if flag and item % {} == 0:\n                logger.debug(\"item %s of %s\", item, value)\n                total += item * self.size\n            else:\n                total -= item\n        return total\n",
            m + 2
        );
    }
    out
}

fn typescript(n: usize) -> String {
    let mut out = format!(
        "import {{ helper }} from './module_{}';\n\nexport interface Options{n} {{ name: string; size?: number }}\n\n",
        n.saturating_sub(6)
    );
    for m in 0..5 + n % 6 {
        let _ = write!(
            out,
            "export async function action{n}x{m}(input: string, options: Options{n}): Promise<number> {{\n  const parts = input.split(',').map((part) => part.trim()).filter((part) => part.length > 0);\n  let total = options.size ?? 0;\n  for (const part of parts) {{\n    if (part.startsWith('x')) {{\n      total += await helper(part, {{ retry: true, label: `part ${{part}}` }});\n    }} else {{\n      total -= part.length;\n    }}\n  }}\n  return total;\n}}\n\n"
        );
    }
    out
}

fn rust(n: usize) -> String {
    let mut out = format!(
        "//! Module {n}.\n\nuse std::collections::HashMap;\n\n/// A thing.\n#[derive(Debug, Clone)]\npub struct Thing{n} {{\n    names: HashMap<String, u32>,\n}}\n\nimpl Thing{n} {{\n"
    );
    for m in 0..5 + n % 6 {
        let _ = write!(
            out,
            "    /// Does something with a name.\n    pub fn method_{m}(&mut self, name: &str, count: u32) -> Option<u32> {{\n        let known = self.names.get(name).copied().unwrap_or_default();\n        let next = match count {{\n            0 => return None,\n            1..=9 => known + count,\n            _ => known.saturating_mul(count),\n        }};\n        self.names.insert(name.to_owned(), next);\n        Some(next)\n    }}\n\n"
        );
    }
    out.push_str("}\n");
    out
}

fn go(n: usize) -> String {
    let mut out = format!(
        "package area\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\ntype Thing{n} struct {{\n\tName string\n\tSize int\n}}\n"
    );
    for m in 0..5 + n % 6 {
        let _ = write!(
            out,
            "\n// Method{m} works on a text.\nfunc (t *Thing{n}) Method{m}(text string, limit int) (string, error) {{\n\tparts := strings.Split(text, \",\")\n\tif len(parts) > limit {{\n\t\treturn \"\", fmt.Errorf(\"too many parts: %d\", len(parts))\n\t}}\n\tfor i, part := range parts {{\n\t\tparts[i] = strings.TrimSpace(part) + t.Name\n\t}}\n\treturn strings.Join(parts, \";\"), nil\n}}\n"
        );
    }
    out
}

fn java(n: usize) -> String {
    let mut out = format!(
        "package area;\n\nimport java.util.List;\nimport java.util.Map;\n\npublic class Module{n} extends Base implements Runnable {{\n    private final Map<String, Integer> sizes;\n\n    public Module{n}(Map<String, Integer> sizes) {{\n        this.sizes = sizes;\n    }}\n"
    );
    for m in 0..4 + n % 6 {
        let _ = write!(
            out,
            "\n    public int method{m}(List<String> names, int limit) {{\n        int total = 0;\n        for (String name : names) {{\n            if (sizes.containsKey(name) && total < limit) {{\n                total += sizes.get(name);\n            }} else {{\n                total -= name.length();\n            }}\n        }}\n        return total;\n    }}\n"
        );
    }
    out.push_str("}\n");
    out
}

fn prose(n: usize) -> String {
    format!(
        "# Page {n}\n\n{}",
        "Some words about how things are done here, and why they are done so.\n".repeat(20)
    )
}
