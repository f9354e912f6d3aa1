//! The rules of a run: the ladder after a failure, routing to agents, limits of providers, prices. Pure; the time is passed in.

mod governor;
mod ladder;
mod places;
mod prices;
mod routing;
mod settings;

pub use governor::{Breaker, Governor, GovernorRules};
pub(crate) use ladder::is_grave;
pub(crate) use ladder::reject_each_other;
pub use ladder::{Ladder, Next, Rung, next_rung};
pub use places::{HERE, PlaceRules, PlaceTable, architecture_labels, is_architecture};
pub use prices::{Price, PriceError, Prices};
pub use routing::{Cast, Routing, Team};
pub use routing::{DIVISIBLE, MECHANICAL, MECHANICAL_AGENT, test_cases, usual_tier};
pub use settings::Settings;
