//! What a key asks of the world outside the interface.

use windlass_core::wish::Wish;

/// Something to be done outside the interface.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Effect {
    /// Leave; the run goes on.
    Leave,
    /// Leave a wish for the run.
    Wish(Wish),
}

/// A wish in words, for the line that says it was left.
pub(super) fn wish_words(wish: &Wish) -> String {
    crate::cli::wish_words(wish)
}
