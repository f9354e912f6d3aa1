//! The tables about the team: roles, routing, providers and prices.

use std::time::Duration;

use windlass_core::event::Role;
use windlass_core::plan::Tier;
use windlass_core::policy::{GovernorRules, Price, Routing, Settings, Team};

use super::map::Map;
use super::section::section;

section! {
    /// The agent of each role, by name. Roles without a name go to the tier's agent or stay empty.
    pub struct TeamKeys {
        /// Improves the plans that `windlass plan` derives. Default: none.
        planner: Option<String> = None,
        /// How many attempts the planner has before the draft is used as it is.
        planner_tries: u32 = 3,
        /// Reviews the plan before the run: is it feasible, what are its risks. Default: none.
        plan_reviewer: Option<String> = None,
        /// Finds conflicts between tasks before the run, and the order that resolves them. Default: none.
        integrator: Option<String> = None,
        /// Writes the failing tests. Default: the task's own agent.
        test_writer: Option<String> = None,
        /// Writes the code of tasks that name no agent. Default: the tier's agent.
        implementer: Option<String> = None,
        /// Repairs what the verifier or the reviewer refused. Default: the task's own agent.
        bug_hunter: Option<String> = None,
        /// Reviews every change that passed all gates, before it is merged. Default: none.
        reviewer: Option<String> = None,
        /// How often a reviewer or integrator without a readable answer is asked again. After that, a person is asked.
        ask_again: u32 = Settings::default().unread_reviews,
    }
}

impl TeamKeys {
    /// The team as the scheduler knows it. The planner is not in it: its work is done before a run.
    pub(crate) fn team(&self) -> Team {
        let parts = [
            (Role::PlanReviewer, &self.plan_reviewer),
            (Role::Integrator, &self.integrator),
            (Role::TestWriter, &self.test_writer),
            (Role::Implementer, &self.implementer),
            (Role::BugHunter, &self.bug_hunter),
            (Role::Reviewer, &self.reviewer),
        ];
        parts.into_iter().filter_map(|(role, name)| Some((role, name.clone()?))).collect()
    }
}

section! {
    /// An account of a program.
    pub struct AccountKeys {
        /// Its name in messages.
        name: Option<String> = None,
        /// A home directory with a login of its own: log in with `HOME=DIR claude`.
        @host home: Option<String> = None,
        /// The environment variable that holds its key, by name.
        @host key_env: Option<String> = None,
    }
}

section! {
    /// How tasks find their tier and their agent. A task's own tier and agent count more.
    pub struct RoutingKeys {
        /// The tier by type of task: `types = { bug_fix = "large" }`. Default: `small` for
        /// mechanical types such as `add_field`, `medium` for `create_service` and the like, `large` for `architectural`.
        types: Map<Tier> = Map::new(),
        /// The agent of tasks for a command-line tool that name none: those with the method `cli`, and `hybrid` ones with
        /// more than 5 test cases or 3 files.
        cli: Option<String> = None,
    }
}

impl RoutingKeys {
    /// The routing as the engine knows it.
    pub(crate) fn routing(&self) -> Routing {
        Routing { types: self.types.clone(), cli: self.cli.clone() }
    }
}

section! {
    /// Limits of a provider. After a rate limit it rests, then half as many turns run at once, and more again as they
    /// succeed. No attempt is used up. Agents of one kind (`claude`, `codex`, …) share a provider.
    pub struct GovernorKeys {
        /// The most turns of one provider at once; 0 leaves it to `limits.jobs`.
        at_once: u32 = 0,
        /// The same for single providers: `each = { claude = 2 }`.
        each: Map<u32> = Map::new(),
        /// The first rest after a rate limit, if the provider does not state one. Each further one doubles it.
        rest: Duration = Duration::from_secs(30),
        /// The longest rest that the provider has not asked for.
        longest_rest: Duration = Duration::from_mins(15),
    }
}

impl GovernorKeys {
    /// The rules as the scheduler knows them.
    pub(crate) fn rules(&self) -> GovernorRules {
        GovernorRules {
            at_once: self.at_once,
            each: self.each.clone(),
            rest_seconds: self.rest.as_secs(),
            longest_rest_seconds: self.longest_rest.as_secs(),
        }
    }
}

section! {
    /// The price of a model, in US dollars per million tokens.
    pub struct PriceKeys {
        /// Of tokens read.
        input: f64 = 0.0,
        /// Of tokens written.
        output: f64 = 0.0,
        /// Of tokens read from the provider's cache. Default: `input`.
        cache_read: Option<f64> = None,
        /// Of tokens put into the cache. Default: `input`.
        cache_write: Option<f64> = None,
    }
}

impl PriceKeys {
    /// The price as the engine knows it.
    pub(crate) fn price(&self) -> Price {
        Price {
            input: self.input,
            output: self.output,
            cache_read: self.cache_read,
            cache_write: self.cache_write,
        }
    }
}
