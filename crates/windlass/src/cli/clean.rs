//! `windlass clean`: shows what is kept on disk besides the repository, and frees it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use serde::Serialize;
use windlass_engine::cache::{KeptCache, free_cache, free_journal, kept_caches, kept_journals};
use windlass_engine::lock::CoordinatorLock;
use windlass_engine::paths::Paths;

use super::{CliError, Exit};
use crate::input::locate;
use crate::render::pad;
use crate::world::World;

/// Show what Windlass keeps on disk, and free it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CleanArgs {
    /// The caches of all repositories, not only of this one.
    #[arg(long)]
    all: bool,

    /// Only what was not used for this long, such as `7d` or `12h`.
    #[arg(long, value_name = "TIME", value_parser = crate::config::parse_time)]
    older_than: Option<Duration>,

    /// Only show what would be freed.
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Remove the journals and outputs of this repository's plans, too. Branches and evidence stay.
    #[arg(long, conflicts_with = "all")]
    journals: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass clean --dry-run             what is kept, and how large it is
  windlass clean --older-than 7d
  windlass clean --all                 the caches of every repository";

/// What happens to something that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Fate {
    /// It is removed.
    Freed,
    /// It would be removed.
    WouldBeFreed,
    /// A process is using it.
    InUse,
    /// It was used too recently.
    Recent,
    /// It was not asked for.
    NotAsked,
}

/// A cache or a journal, and what happens to it.
#[derive(Debug, Serialize)]
struct KeptItem {
    /// The repository's git directory, or the plan.
    of: String,
    dir: String,
    bytes: u64,
    /// In seconds since the epoch.
    last_used: u64,
    fate: Fate,
    /// Whether the repository is no longer there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    orphaned: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<(String, u64)>,
}

/// Frees caches.
pub(crate) fn cmd_clean(world: &World, args: &CleanArgs) -> Result<Exit, CliError> {
    let here = locate(&world.cwd).map(|located| world.paths(&located.common_dir)).transpose()?;
    let caches = if args.all { all_caches(world, args)? } else { own_cache(world, args, here.as_ref())? };
    let journals = match &here {
        Some(paths) if !args.all => journals(world, args, paths)?,
        _ => Vec::new(),
    };
    if args.json {
        let freed: u64 =
            caches.iter().chain(&journals).filter(|i| i.fate == Fate::Freed).map(|i| i.bytes).sum();
        let doc = serde_json::json!({
            "schema": "windlass.clean/1", "freed_bytes": freed, "caches": caches, "journals": journals,
        });
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
    } else {
        world.print(&human(world, args, &caches, &journals))?;
    }
    Ok(Exit::Fine)
}

fn all_caches(world: &World, args: &CleanArgs) -> Result<Vec<KeptItem>, CliError> {
    let home = world.cache_home.as_deref().unwrap_or(Path::new("/"));
    kept_caches(home).iter().map(|cache| item(world, args, cache)).collect()
}

fn own_cache(world: &World, args: &CleanArgs, here: Option<&Paths>) -> Result<Vec<KeptItem>, CliError> {
    let Some(paths) = here else {
        return Err(CliError::usage(format!("`{}` is not inside a git repository", world.cwd.display()))
            .hint("`windlass clean --all` frees the caches of all repositories"));
    };
    KeptCache::at(paths.cache()).iter().map(|cache| item(world, args, cache)).collect()
}

fn item(world: &World, args: &CleanArgs, cache: &KeptCache) -> Result<KeptItem, CliError> {
    let parts: Vec<(String, u64)> = cache.parts().into_iter().map(|p| (p.name, p.bytes)).collect();
    let mut fate = if cache.in_use { Fate::InUse } else { fate_by_age(world, args, cache.last_used) };
    if fate == Fate::Freed && !removed(&cache.dir, free_cache(&cache.dir))? {
        fate = Fate::InUse;
    }
    let unknown = || "an older version of Windlass".to_owned();
    Ok(KeptItem {
        of: cache.git_dir.as_ref().map_or_else(unknown, |dir| dir.display().to_string()),
        dir: cache.dir.display().to_string(),
        bytes: parts.iter().map(|(_, bytes)| bytes).sum(),
        last_used: seconds(cache.last_used),
        fate,
        orphaned: cache.is_orphaned(),
        parts,
    })
}

/// The journals of this repository; removed only if they were asked for and no run is at work.
fn journals(world: &World, args: &CleanArgs, paths: &Paths) -> Result<Vec<KeptItem>, CliError> {
    let kept = kept_journals(paths);
    let lock = if args.journals && !args.dry_run && !kept.is_empty() {
        Some(CoordinatorLock::acquire(&paths.lock(), "windlass clean").map_err(|e| {
            CliError::environment("the coordinator's lock cannot be taken").because_of(Some(&e))
        })?)
    } else {
        None
    };
    let mut items = Vec::new();
    for journal in kept {
        let fate = match (&lock, args.journals) {
            (_, false) => Fate::NotAsked,
            (Some(Err(_)), true) => Fate::InUse,
            (Some(Ok(_)) | None, true) => fate_by_age(world, args, journal.last_used),
        };
        if fate == Fate::Freed {
            removed(&journal.dir, free_journal(&journal.dir))?;
        }
        items.push(KeptItem {
            of: journal.plan,
            dir: journal.dir.display().to_string(),
            bytes: journal.bytes,
            last_used: seconds(journal.last_used),
            fate,
            orphaned: false,
            parts: Vec::new(),
        });
    }
    Ok(items)
}

fn fate_by_age(world: &World, args: &CleanArgs, last_used: SystemTime) -> Fate {
    let young = args.older_than.is_some_and(|age| age_of(world, seconds(last_used)) < age);
    match (young, args.dry_run) {
        (true, _) => Fate::Recent,
        (false, true) => Fate::WouldBeFreed,
        (false, false) => Fate::Freed,
    }
}

fn removed<T>(path: &Path, result: std::io::Result<T>) -> Result<T, CliError> {
    result.map_err(|e| CliError::file("cannot remove", path, &e))
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn age_of(world: &World, last_used: u64) -> Duration {
    let now = u64::try_from(world.now() / 1000).unwrap_or_default();
    Duration::from_secs(now.saturating_sub(last_used))
}

fn human(world: &World, args: &CleanArgs, caches: &[KeptItem], journals: &[KeptItem]) -> String {
    let mut text = String::new();
    if caches.is_empty() {
        text.push_str("nothing is cached\n");
    }
    for item in caches {
        line(world, &mut text, item, if item.orphaned { " (the repository is gone)" } else { "" });
        if !args.all {
            for (name, bytes) in &item.parts {
                let _ = writeln!(text, "    {} {name}", pad(&size(*bytes), 8));
            }
        }
    }
    if !journals.is_empty() {
        text.push_str("journals and outputs of plans\n");
        for item in journals {
            line(world, &mut text, item, "");
        }
    }
    let sum = |fate: Fate| caches.iter().chain(journals).filter(|i| i.fate == fate).map(|i| i.bytes).sum();
    let total = if args.dry_run {
        format!("would free {}", size(sum(Fate::WouldBeFreed)))
    } else {
        format!("freed {}", size(sum(Fate::Freed)))
    };
    let _ = writeln!(text, "\n{total}");
    if journals.iter().any(|item| item.fate == Fate::NotAsked) {
        text.push_str("journals are kept; `windlass clean --journals` removes them\n");
    }
    text
}

fn line(world: &World, text: &mut String, item: &KeptItem, note: &str) {
    let what = match item.fate {
        Fate::Freed => "freed",
        Fate::WouldBeFreed => "would be freed",
        Fate::InUse => "in use",
        Fate::Recent => "used recently",
        Fate::NotAsked => "kept",
    };
    let age = age(age_of(world, item.last_used));
    let _ =
        writeln!(text, "{} {}  used {age} ago  {}{note}", pad(&size(item.bytes), 8), pad(what, 14), item.of);
}

/// `3 days`, `5 hours`, `2 minutes`.
fn age(age: Duration) -> String {
    let seconds = age.as_secs();
    let (number, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// `340 kB`, `1.2 GB`.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    let (whole, tenth) = (bytes / unit, bytes % unit * 10 / unit);
    if whole >= 10 || tenth == 0 { format!("{whole} {name}") } else { format!("{whole}.{tenth} {name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ages_for_people() {
        let sizes =
            [(0, "0 kB"), (999, "0.9 kB"), (12_345, "12 kB"), (1_200_000, "1.2 MB"), (5_000_000_000, "5 GB")];
        for (bytes, expected) in sizes {
            assert_eq!(size(bytes), expected);
        }
        let ages =
            [(0, "0 seconds"), (61, "1 minute"), (7_200, "2 hours"), (90_000, "1 day"), (864_000, "10 days")];
        for (seconds, expected) in ages {
            assert_eq!(age(Duration::from_secs(seconds)), expected);
        }
    }
}
