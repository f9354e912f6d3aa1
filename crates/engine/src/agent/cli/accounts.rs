//! Several accounts of one program: when one is limited, turns go on with another.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use windlass_core::failure::Failure;

use crate::config::{CliSpec, EnvVar};

/// How long an account rests after a limit without a time.
const UNTOLD: Duration = Duration::from_mins(5);
/// How long it rests when its login is refused or it wants to be paid: a person has to look at it.
const REFUSED: Duration = Duration::from_hours(24);

/// One account of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// Its name.
    pub name: String,
    /// The home with its login, where that is one of its own.
    pub home: Option<PathBuf>,
    /// The key in the variable that the program reads.
    pub key: Option<EnvVar>,
}

/// The accounts of one program, shared by all agents that use it.
#[derive(Debug)]
pub struct AccountPool {
    accounts: Vec<Account>,
    /// Until when each rests.
    rests: Mutex<Vec<Option<Instant>>>,
}

impl PartialEq for AccountPool {
    fn eq(&self, other: &Self) -> bool {
        self.accounts == other.accounts
    }
}

impl AccountPool {
    /// A pool of these accounts, in the order in which they are used; `None` without any.
    pub fn new(accounts: Vec<Account>) -> Option<Self> {
        let rests = Mutex::new(vec![None; accounts.len()]);
        (!accounts.is_empty()).then_some(Self { accounts, rests })
    }

    /// The program with the login of one account, and of no other.
    pub fn with_account(&self, at: usize, spec: &CliSpec) -> CliSpec {
        let mut spec = spec.clone();
        let Some(account) = self.accounts.get(at) else { return spec };
        let keys = spec.kind.facts().login.keys;
        spec.env.retain(|(name, _)| !keys.iter().any(|key| name == key));
        spec.env.extend(account.key.clone());
        spec.home.clone_from(&account.home);
        spec
    }

    /// The first account that does not rest, or else the one that rests the shortest.
    pub(super) fn pick(&self, now: Instant) -> usize {
        let rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        let left =
            |at: &usize| rests[*at].map_or(Duration::ZERO, |until| until.saturating_duration_since(now));
        (0..rests.len()).min_by_key(left).unwrap_or(0)
    }

    /// Takes in how a turn of an account failed. Where it was the account's limit, the failure tells how long it takes
    /// until any account is free: no time, if another is.
    pub(super) fn after(&self, at: usize, agent: &str, failure: &mut Failure, now: Instant) {
        let rest = match failure {
            Failure::RateLimited { outage: None, retry_after_seconds, .. } => {
                retry_after_seconds.map_or(UNTOLD, Duration::from_secs)
            }
            Failure::ProviderRefused { .. } => REFUSED,
            // An outage is the provider's, and no other account helps.
            Failure::RateLimited { outage: Some(_), .. }
            | Failure::Spawn { .. }
            | Failure::AgentError { .. }
            | Failure::NoChange
            | Failure::OnlyWords { .. }
            | Failure::OutOfScope { .. }
            | Failure::MovedOut { .. }
            | Failure::NeverTaken { .. }
            | Failure::CodeBeforeTests { .. }
            | Failure::NotRed { .. }
            | Failure::WrongRed { .. }
            | Failure::CannotRun { .. }
            | Failure::WrongTest { .. }
            | Failure::TestsFailed { .. }
            | Failure::NoBite { .. }
            | Failure::FrozenChanged { .. }
            | Failure::Timeout { .. }
            | Failure::Conflict { .. }
            | Failure::SpecContradiction { .. }
            | Failure::NeedsFiles { .. }
            | Failure::Environment { .. }
            | Failure::NoTestCommand { .. }
            | Failure::BriefTooLarge { .. }
            | Failure::Rejected { .. } => return,
        };
        let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        rests[at] = Some(now + rest);
        let left =
            |until: &Option<Instant>| until.map_or(Duration::ZERO, |u| u.saturating_duration_since(now));
        let wait = rests.iter().map(left).min().unwrap_or(rest);
        if wait < REFUSED {
            *failure = Failure::RateLimited {
                agent: agent.to_owned(),
                retry_after_seconds: Some(wait.as_secs()),
                outage: None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::cli::CliKind;

    fn pool() -> AccountPool {
        let account = |name: &str| Account {
            name: name.into(),
            home: None,
            key: Some(("ANTHROPIC_API_KEY".into(), name.into())),
        };
        AccountPool::new(vec![account("a"), account("b")]).unwrap()
    }

    fn limited(seconds: Option<u64>) -> Failure {
        Failure::RateLimited { agent: "x".into(), retry_after_seconds: seconds, outage: None }
    }

    fn waits(failure: &Failure) -> Option<u64> {
        match failure {
            Failure::RateLimited { retry_after_seconds, .. } => *retry_after_seconds,
            _ => None,
        }
    }

    #[test]
    fn a_limited_account_rests_and_another_takes_its_place() {
        let (pool, now) = (pool(), Instant::now());
        assert_eq!(pool.pick(now), 0);
        let mut failure = limited(Some(600));
        pool.after(0, "claude", &mut failure, now);
        assert_eq!((waits(&failure), pool.pick(now)), (Some(0), 1));
        let mut failure = limited(Some(60));
        pool.after(1, "claude", &mut failure, now);
        assert_eq!((waits(&failure), pool.pick(now)), (Some(60), 1));
        assert_eq!(pool.pick(now + Duration::from_secs(601)), 0);
    }

    #[test]
    fn a_refused_login_is_told_only_when_no_account_is_left() {
        let (pool, now) = (pool(), Instant::now());
        let refused = || Failure::ProviderRefused { agent: "x".into(), reason: "401".into() };
        let mut failure = refused();
        pool.after(0, "claude", &mut failure, now);
        assert_eq!(waits(&failure), Some(0));
        let mut failure = refused();
        pool.after(1, "claude", &mut failure, now);
        assert_eq!(failure, refused());
    }

    #[test]
    fn an_outage_is_no_accounts_fault_and_an_account_has_no_other_login() {
        let pool = pool();
        let spec = CliSpec {
            env: vec![
                ("ANTHROPIC_AUTH_TOKEN".into(), "mine".into()),
                ("ANTHROPIC_BASE_URL".into(), "u".into()),
            ],
            ..CliSpec::of(CliKind::Claude)
        };
        let chosen = pool.with_account(1, &spec);
        assert_eq!(
            chosen.env,
            [("ANTHROPIC_BASE_URL".into(), "u".into()), ("ANTHROPIC_API_KEY".into(), "b".into())]
        );
        let mut failure = Failure::AgentError { message: "x".into() };
        pool.after(0, "claude", &mut failure, Instant::now());
        assert_eq!(pool.pick(Instant::now()), 0);
    }
}
