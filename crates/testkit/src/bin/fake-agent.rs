//! An agent that does what its script says: it works, lies, crashes, floods, and leaves daemons behind.
//!
//! ```text
//! fake-agent [SCRIPT]
//! ```
//!
//! Without an argument the script is the file named in `FAKE_AGENT_SCRIPT`, or `agent-script` in the home directory.
//!
//! A script is a list of sections. A section begins with `[TASK STEP TRY]`, where `*` stands for anything and what is
//! left out counts as `*`: `[a]`, `[* fix]`, `[b implement 2]`. The first section that fits the turn (`WINDLASS_TASK`,
//! `WINDLASS_STEP`, `WINDLASS_TRY`) is carried out, line by line; if none fits the agent fails with exit code 96. What
//! stands above the first section is carried out in every turn. Empty lines and lines that begin with `#` mean nothing.
//!
//! `{task}`, `{step}`, `{try}`, `{slot}` and `{home}` are replaced in every argument and text.
//!
//! | directive | what it does |
//! |---|---|
//! | `write PATH TEXT` | writes a file with this line; makes its directory |
//! | `write PATH <<END` | writes a file with the lines up to one that is `END` |
//! | `append PATH …` | as `write`, at the end of the file |
//! | `delete PATH` | deletes a file |
//! | `fill PATH BYTES` | writes a file of so many bytes; `K` and `M` may follow the number |
//! | `symlink TARGET PATH` | makes a symbolic link |
//! | `nested-repo PATH` | makes a git repository with a commit in a directory |
//! | `git-commit MESSAGE` | commits everything in the slot |
//! | `shell COMMAND` | runs a command with `sh`, whatever it ends with |
//! | `touch-outside PATH` | writes a file at an absolute path |
//! | `result JSON` | writes the answer file |
//! | `say TEXT` | prints a line |
//! | `flood BYTES` | prints so many bytes in lines of 80 |
//! | `long-line BYTES` | prints one line of so many bytes |
//! | `sleep MILLISECONDS` | sleeps |
//! | `wait-for PATH` | waits until a file exists, at most two minutes |
//! | `once PATH` | ends the turn well here if the file exists already, else makes it and goes on |
//! | `daemon PATH` | leaves a process in a session of its own that sleeps for ten minutes; its number goes to the file |
//! | `ignore-term` | from here on ignores the signals TERM and INT |
//! | `expect-brief TEXT` | fails with exit code 97 unless the brief contains this |
//! | `exit CODE` | ends with this code |
//! | `crash` | aborts |

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// No section fits the turn.
const NO_SECTION: u8 = 96;
/// The brief lacks what the script expects.
const NOT_IN_BRIEF: u8 = 97;
/// The script itself is wrong.
const BAD_SCRIPT: u8 = 98;

/// Tells a second start of this program that the signals are ignored already.
const DEAF: &str = "FAKE_AGENT_DEAF";

/// How a directive ends the turn before the script's end.
enum End {
    Exit(u8),
    Wrong(String),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        End::Wrong(error.to_string())
    }
}

fn main() -> ExitCode {
    let at_home = || Some(Path::new(&env::var_os("HOME")?).join("agent-script").into());
    let script = env::args_os().nth(1).or_else(|| env::var_os("FAKE_AGENT_SCRIPT")).or_else(at_home);
    let text = script.and_then(|path| fs::read_to_string(path).ok());
    let code = match text {
        Some(text) => match Turn::here().follow(&text) {
            Ok(()) => 0,
            Err(End::Exit(code)) => code,
            Err(End::Wrong(why)) => complain(BAD_SCRIPT, &why),
        },
        None => complain(BAD_SCRIPT, "no script can be read"),
    };
    ExitCode::from(code)
}

fn complain(code: u8, why: &str) -> u8 {
    let _ = writeln!(io::stderr(), "fake-agent: {why}");
    code
}

/// The turn this process was started for.
struct Turn {
    task: String,
    step: String,
    nth: String,
    slot: String,
    home: String,
    brief: String,
}

impl Turn {
    fn here() -> Self {
        let var = |name: &str| env::var(name).unwrap_or_default();
        let mut brief = String::new();
        let _ = io::stdin().read_to_string(&mut brief);
        Self {
            task: var("WINDLASS_TASK"),
            step: var("WINDLASS_STEP"),
            nth: var("WINDLASS_TRY"),
            slot: var("WINDLASS_SLOT"),
            home: var("HOME"),
            brief,
        }
    }

    /// Carries out what stands above the sections, then the first section that fits.
    fn follow(&self, script: &str) -> Result<(), End> {
        let lines: Vec<&str> = script.lines().collect();
        let heads = heads(&lines);
        let prelude = heads.first().copied().unwrap_or(lines.len());
        self.carry_out(&lines[..prelude])?;
        let Some(at) = heads.iter().position(|n| self.fits(lines[*n])) else {
            if heads.is_empty() {
                return Ok(());
            }
            let why = format!("no section fits [{} {} {}]", self.task, self.step, self.nth);
            return Err(End::Exit(complain(NO_SECTION, &why)));
        };
        let end = heads.get(at + 1).copied().unwrap_or(lines.len());
        self.carry_out(&lines[heads[at] + 1..end])
    }

    fn fits(&self, head: &str) -> bool {
        let inner = head.trim().trim_start_matches('[').trim_end_matches(']');
        let mut words = inner.split_whitespace();
        [&self.task, &self.step, &self.nth]
            .into_iter()
            .all(|own| words.next().is_none_or(|w| w == "*" || w == own))
    }

    fn carry_out(&self, lines: &[&str]) -> Result<(), End> {
        let mut rest = lines.iter();
        while let Some(line) = rest.next() {
            let line = line.trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (verb, argument) = line.split_once(' ').unwrap_or((line, ""));
            let (first, second) = argument.split_once(' ').unwrap_or((argument, ""));
            let text = match second.strip_prefix("<<") {
                Some(word) => {
                    rest.by_ref().take_while(|l| l.trim() != word).map(|l| format!("{l}\n")).collect()
                }
                None => format!("{second}\n"),
            };
            let directive = Directive {
                whole: self.filled(argument),
                first: self.filled(first),
                second: self.filled(second),
                text: self.filled(&text),
            };
            self.act(verb, &directive)?;
        }
        Ok(())
    }

    fn filled(&self, text: &str) -> String {
        let values = [
            ("{task}", &self.task),
            ("{step}", &self.step),
            ("{try}", &self.nth),
            ("{slot}", &self.slot),
            ("{home}", &self.home),
        ];
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    fn act(&self, verb: &str, d: &Directive) -> Result<(), End> {
        match verb {
            "write" | "touch-outside" => Ok(write(&d.first, &d.text)?),
            "append" => Ok(append(&d.first, &d.text)?),
            "delete" => Ok(fs::remove_file(&d.first)?),
            "fill" => fill(&d.first, bytes(&d.second)?),
            "symlink" => Ok(std::os::unix::fs::symlink(&d.first, &d.second)?),
            "nested-repo" => nested_repo(&d.first),
            "git-commit" => git(".", &["add", "-A"]).and_then(|()| commit(".", &d.whole)),
            "shell" => {
                Command::new("sh").args(["-c", &d.whole]).stdin(Stdio::null()).status()?;
                Ok(())
            }
            "result" => Ok(write(&env::var("WINDLASS_RESULT").unwrap_or_default(), &d.whole)?),
            "say" => Ok(writeln!(io::stdout(), "{}", d.whole)?),
            "flood" => Ok(flood(bytes(&d.first)?, 80)?),
            "long-line" => Ok(flood(bytes(&d.first)?, u64::MAX)?),
            "sleep" => {
                sleep(Duration::from_millis(bytes(&d.first)?));
                Ok(())
            }
            "wait-for" => wait_for(&d.first),
            "once" if Path::new(&d.first).exists() => Err(End::Exit(0)),
            "once" => Ok(write(&d.first, "")?),
            "daemon" => daemon(&d.first),
            "ignore-term" => ignore_term(),
            "expect-brief" => self.expect_brief(&d.whole),
            "exit" => Err(End::Exit(d.first.parse().map_err(|_| wrong("a code", &d.first))?)),
            "crash" => std::process::abort(),
            other => Err(wrong("a directive", other)),
        }
    }

    /// The brief comes twice, on standard input and as a file, and both say the same.
    fn expect_brief(&self, text: &str) -> Result<(), End> {
        let file = fs::read_to_string(env::var("WINDLASS_BRIEF").unwrap_or_default()).unwrap_or_default();
        // A second start of this program has nothing left to read.
        let same = file == self.brief || env::var_os(DEAF).is_some();
        if same && file.contains(text) {
            return Ok(());
        }
        Err(End::Exit(complain(NOT_IN_BRIEF, &format!("the brief does not say {text:?}"))))
    }
}

/// The lines that begin sections; a text that a directive writes may hold lines that look like one.
fn heads(lines: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut inside: Option<&str> = None;
    for (n, line) in lines.iter().enumerate() {
        match inside {
            Some(end) if line.trim() == end => inside = None,
            Some(_) => {}
            None if line.starts_with('[') && line.trim_end().ends_with(']') => found.push(n),
            None => inside = line.rsplit_once(" <<").map(|(_, end)| end.trim()),
        }
    }
    found
}

/// One line of a script, taken apart.
struct Directive {
    whole: String,
    first: String,
    second: String,
    text: String,
}

fn wrong(expected: &str, found: &str) -> End {
    End::Wrong(format!("expected {expected}, found {found:?}"))
}

/// A number of bytes or milliseconds.
fn bytes(text: &str) -> Result<u64, End> {
    let (digits, times) = match text.strip_suffix('M') {
        Some(digits) => (digits, 1 << 20),
        None => text.strip_suffix('K').map_or((text, 1), |digits| (digits, 1 << 10)),
    };
    digits.parse::<u64>().map(|n| n * times).map_err(|_| wrong("a number", text))
}

fn write(path: &str, text: &str) -> io::Result<()> {
    make_parent(path)?;
    fs::write(path, text)
}

fn append(path: &str, text: &str) -> io::Result<()> {
    make_parent(path)?;
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

fn make_parent(path: &str) -> io::Result<()> {
    Path::new(path).parent().map_or(Ok(()), fs::create_dir_all)
}

fn fill(path: &str, bytes: u64) -> Result<(), End> {
    make_parent(path)?;
    let mut file = fs::File::create(path)?;
    Ok(spill(&mut file, bytes, 80)?)
}

fn flood(bytes: u64, width: u64) -> io::Result<()> {
    spill(&mut io::stdout().lock(), bytes, width)
}

/// Writes so many bytes in lines of this width, in pieces: the agent's own memory must not be what is tested.
fn spill(out: &mut impl io::Write, bytes: u64, width: u64) -> io::Result<()> {
    let line = usize::try_from(width.min(1 << 16)).unwrap_or(1 << 16);
    let mut piece = "x".repeat(line - 1).into_bytes();
    piece.push(if width <= 1 << 16 { b'\n' } else { b'x' });
    let piece = piece.repeat((1 << 16) / line);
    let mut left = bytes;
    while left > 0 {
        let n = usize::try_from(left).unwrap_or(usize::MAX).min(piece.len());
        out.write_all(&piece[..n])?;
        left -= n as u64;
    }
    out.write_all(b"\n")
}

fn wait_for(path: &str) -> Result<(), End> {
    let since = Instant::now();
    while !Path::new(path).exists() {
        if since.elapsed() > Duration::from_mins(2) {
            return Err(End::Wrong(format!("waited in vain for {path}")));
        }
        sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn nested_repo(dir: &str) -> Result<(), End> {
    fs::create_dir_all(dir)?;
    git(dir, &["init", "-q"])?;
    write(&format!("{dir}/hidden.txt"), "hidden\n")?;
    git(dir, &["add", "-A"])?;
    commit(dir, "hidden")
}

fn commit(dir: &str, message: &str) -> Result<(), End> {
    git(dir, &["-c", "user.name=Agent", "-c", "user.email=agent@example.org", "commit", "-q", "-m", message])
}

fn git(dir: &str, args: &[&str]) -> Result<(), End> {
    let status = Command::new("git").args(args).current_dir(dir).status()?;
    if status.success() { Ok(()) } else { Err(End::Wrong(format!("git {args:?}: {status}"))) }
}

/// Starts a process that belongs to no parent, no group and no session of ours, and waits until it has said its number.
fn daemon(path: &str) -> Result<(), End> {
    make_parent(path)?;
    let inner = format!("echo $$ > '{path}'; exec sleep 600");
    let outer =
        ["setsid", "sh", "-c", &inner].map(|word| format!("'{}'", word.replace('\'', r"'\''"))).join(" ");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{outer} &")]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    wait_for(path)
}

/// A signal that is ignored stays ignored when a program is replaced; a shell can ignore one, this program cannot.
fn ignore_term() -> Result<(), End> {
    use std::os::unix::process::CommandExt as _;
    if env::var_os(DEAF).is_some() {
        return Ok(());
    }
    let own = env::current_exe()?;
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' TERM INT; exec \"$0\" \"$@\""]).arg(own).args(env::args_os().skip(1));
    Err(command.env(DEAF, "1").exec().into())
}
