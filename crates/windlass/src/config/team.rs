//! The tables about the team: who plays which part, how tasks are routed, how hard providers are driven, and prices.

use std::time::Duration;

use windlass_core::event::Role;
use windlass_core::plan::Tier;
use windlass_core::policy::{GovernorRules, Price, Routing, Settings, Team};

use super::map::Map;
use super::section::section;

section! {
    /// Who plays which part, by the name of an agent. Parts without a name are played by the tier's agent, or by nobody.
    pub struct TeamKeys {
        /// Makes the plans better that `windlass plan` derives. Nobody, where it is not set.
        planner: Option<String> = None,
        /// How often the planner may try before the draft is taken as it is.
        planner_tries: u32 = 3,
        /// Looks at the plan before the run: can it be done, what may go wrong. Nobody, where it is not set.
        plan_reviewer: Option<String> = None,
        /// Finds conflicts between tasks and the order that resolves them, before the run. Nobody, where it is not set.
        integrator: Option<String> = None,
        /// Writes the failing tests. The task's own agent, where it is not set.
        test_writer: Option<String> = None,
        /// Writes the code of tasks that name no agent. The tier's agent, where it is not set.
        implementer: Option<String> = None,
        /// Repairs what the verifier or the reviewer refused. The task's own agent, where it is not set.
        bug_hunter: Option<String> = None,
        /// Looks at every change that all gates let pass, before it is merged. Nobody, where it is not set.
        reviewer: Option<String> = None,
        /// How often a reviewer or integrator is asked again that gives no answer that can be read. Then a person is.
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
    /// How tasks find their tier and their agent. A task's own tier and agent count more.
    pub struct RoutingKeys {
        /// The tier by type of task, over the usual one: `types = { bug_fix = "large" }`. Usual are `small` for
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
    /// How hard a provider is driven. After a rate limit it rests, then half as many turns run at once, and more again as
    /// they succeed. No try is used up. Agents of one kind (`claude`, `codex`, …) share a provider.
    pub struct GovernorKeys {
        /// The most turns of one provider at once; 0 leaves it to `limits.jobs`.
        at_once: u32 = 0,
        /// The same for single providers: `each = { claude = 2 }`.
        each: Map<u32> = Map::new(),
        /// The first rest after a rate limit, where the provider does not say how long. Each further one doubles it.
        rest: Duration = Duration::from_secs(30),
        /// The longest rest that is not the provider's own wish.
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
        /// Of tokens read from the provider's cache; `input` where it is not set.
        cache_read: Option<f64> = None,
        /// Of tokens put into the cache; `input` where it is not set.
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
