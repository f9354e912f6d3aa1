//! What follows a failure, who does what, how hard an agent is driven, and what it costs. Pure; the time is passed in.

mod governor;
mod ladder;
mod prices;
mod routing;
mod settings;

pub use governor::{Breaker, Governor, GovernorRules};
pub(crate) use ladder::is_grave;
pub use ladder::{Ladder, Next, Rung, next_rung, reject_each_other};
pub use prices::{Price, PriceError, Prices};
pub use routing::{Cast, Routing, Team, method_of};
pub use routing::{DIVISIBLE, MECHANICAL, test_cases, usual_tier};
pub use settings::Settings;
