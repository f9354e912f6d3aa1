//! Where every conversation stands, and so what comes next.
//!
//! Callers repeat themselves: a request that failed comes again, and must find the same step. So a turn is over only
//! when its first answer was delivered whole and a new prompt comes.

use std::collections::BTreeMap;

use super::script::{Script, Step};

/// What is to be played for a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Play {
    /// The turn, from 0.
    pub(super) turn: usize,
    /// The step of the turn that is answered, faults not counted.
    pub(super) step: usize,
    /// What goes wrong, if anything.
    pub(super) fault: Option<Step>,
    /// What is said; nothing where the turn has no more.
    pub(super) says: Option<Step>,
    /// Milliseconds between two events.
    pub(super) pause: u64,
}

#[derive(Debug, Default)]
struct Place {
    turn: usize,
    answered: bool,
    /// How often each fault was used, by turn and place in it.
    used: BTreeMap<(usize, usize), u32>,
}

/// All conversations.
#[derive(Debug, Default)]
pub(super) struct Stage {
    places: BTreeMap<String, Place>,
}

impl Stage {
    /// What comes next, `results` tool results after the prompt.
    pub(super) fn next(&mut self, script: &Script, word: &str, results: usize) -> Play {
        let turns = script.conversations.get(word).map_or(&[][..], Vec::as_slice);
        let place = self.places.entry(word.to_owned()).or_default();
        if results == 0 && place.answered && place.turn + 1 < turns.len() {
            place.turn += 1;
            place.answered = false;
        }
        let mut play = Play { turn: place.turn, step: results, fault: None, says: None, pause: 0 };
        let mut answers = 0;
        for (n, step) in turns.get(place.turn).into_iter().flatten().enumerate() {
            let here = answers == results;
            match step {
                Step::Status { times, .. } | Step::Cut { times, .. } | Step::Hang { times } => {
                    let used = place.used.entry((place.turn, n)).or_default();
                    if here && play.fault.is_none() && times.is_none_or(|times| *used < times) {
                        *used += 1;
                        play.fault = Some(step.clone());
                    }
                }
                Step::Slow { millis } if here => play.pause = *millis,
                Step::Slow { .. } => {}
                Step::Say(_)
                | Step::Write { .. }
                | Step::Run(_)
                | Step::Call { .. }
                | Step::Data(_)
                | Step::Body(_) => {
                    if here {
                        play.says = Some(step.clone());
                        break;
                    }
                    answers += 1;
                }
            }
        }
        play
    }

    /// An answer was delivered whole.
    pub(super) fn delivered(&mut self, word: &str) {
        if let Some(place) = self.places.get_mut(word) {
            place.answered = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_request_finds_the_same_step_and_a_new_prompt_the_next_turn() {
        let limit = Step::Status { code: 429, retry_after: None, times: Some(2) };
        let script = Script::default()
            .turn("a", [limit.clone(), Step::say("one"), Step::Slow { millis: 5 }, Step::say("two")])
            .turn("a", [Step::say("three")]);
        let mut stage = Stage::default();
        for _ in 0..2 {
            assert_eq!(stage.next(&script, "a", 0).fault, Some(limit.clone()));
        }
        let play = stage.next(&script, "a", 0);
        assert_eq!((play.fault, play.says), (None, Some(Step::say("one"))));
        stage.delivered("a");
        let play = stage.next(&script, "a", 1);
        assert_eq!((play.says, play.pause), (Some(Step::say("two")), 5));
        assert_eq!(stage.next(&script, "a", 2).says, None);
        for _ in 0..2 {
            let play = stage.next(&script, "a", 0);
            assert_eq!((play.turn, play.says), (1, Some(Step::say("three"))));
            stage.delivered("a");
        }
    }
}
