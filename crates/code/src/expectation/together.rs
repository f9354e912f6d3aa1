//! All expectations of a test changed at once.
//!
//! Every assertion is given a wrong value and a frame: if it fails, as it must, the test goes on; if it holds, the test ends there
//! and passes. At its end stands a failure. So the test fails if all of them bite, and passes if one of them does not, or if
//! something leaves an assertion out. One run says what otherwise takes a run for each.

use std::ops::Range;

use tree_sitter::Node;

use super::edit::{SourceEdit, with_edits};
use super::find::{PlacedAssertion, TestReader};
use super::rules::AssertionForm;
use super::{ExpectationKind, ExpectationMutant, TestExpectations};
use crate::syntax::source::{ParsedText, named_children};

/// An assertion with a wrong value and a frame around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FramedAssertion {
    /// Where the assertion stands.
    whole: Range<usize>,
    /// The changed value.
    change: Vec<SourceEdit>,
    /// What stands before and behind the assertion.
    frame: [SourceEdit; 2],
    /// In a loop: what stands behind it so that only a failed assertion leads to the next turn. What bites in one turn need not
    /// bite in another.
    repeats: Option<String>,
    /// What the code gave, kept for the assertions behind it. None where the language has no such form.
    again: Option<KeptValue>,
    /// Whether a copy of the assertion can stand in front of it.
    may_stand_twice: bool,
}

/// What the code gave to an assertion, under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KeptValue {
    /// What stands before and behind the expression to keep its value.
    keeps: [SourceEdit; 2],
    name: &'static str,
    /// The assertion once more, framed, of what was kept.
    text: String,
}

impl KeptValue {
    /// The kept value in place of the expression.
    fn in_its_place(&self) -> SourceEdit {
        let [before, behind] = &self.keeps;
        SourceEdit::new(before.range.start..behind.range.end, self.name)
    }
}

impl FramedAssertion {
    /// Whether the change is a part of the assertion itself.
    fn is_inside(&self) -> bool {
        let inside =
            |edit: &SourceEdit| self.whole.start <= edit.range.start && edit.range.end <= self.whole.end;
        self.change.iter().all(inside)
    }
}

/// What the copy of an assertion in front of it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrimedCopy {
    /// Another value.
    Wrong,
    /// The same.
    Right,
}

impl TestReader<'_, '_> {
    /// The frame of a change, where the language has one for this statement.
    pub(super) fn framed(
        &self,
        placed: &PlacedAssertion<'_>,
        kind: ExpectationKind,
        change: &[SourceEdit],
    ) -> Option<FramedAssertion> {
        let (node, frame) = match kind {
            ExpectationKind::Equality
            | ExpectationKind::Part
            | ExpectationKind::Computed
            | ExpectationKind::Negation => (placed.seen.denied?.0, self.rules.unless_it_fails),
            // What escapes need not be a failed assertion.
            ExpectationKind::Exception => (placed.node, self.rules.unless_it_throws),
            ExpectationKind::Golden | ExpectationKind::Field | ExpectationKind::Denial => return None,
        };
        let mut outer = node.parent();
        let mut repeats = false;
        while let Some(parent) = outer.filter(|parent| *parent != self.function) {
            repeats |= ["for", "while"].iter().any(|word| parent.kind().starts_with(word));
            // A function inside the test is left by its own return, not the test.
            if self.rules.functions.contains(&parent.kind()) {
                return None;
            }
            outer = parent.parent();
        }
        let (before, behind, strict) = frame(self.source, self.function, node)?;
        let whole = node.byte_range();
        let again = self.said_again(placed, node, change, (&before, &behind));
        let frame = [
            SourceEdit::new(whole.start..whole.start, before),
            SourceEdit::new(whole.end..whole.end, behind),
        ];
        let repeats = repeats.then_some(strict);
        let may_stand_twice = kind != ExpectationKind::Exception && !self.rules.takes_values;
        Some(FramedAssertion { whole, change: change.to_vec(), frame, repeats, again, may_stand_twice })
    }

    /// The assertion once more, about a value that was kept: the code is not called again.
    fn said_again(
        &self,
        placed: &PlacedAssertion<'_>,
        node: Node<'_>,
        change: &[SourceEdit],
        (before, behind): (&str, &str),
    ) -> Option<KeptValue> {
        let (keep, name, kept) = self.rules.keeps;
        let ([AssertionForm::Equal(left, right, _)], [edit], false) =
            (placed.seen.forms.as_slice(), change, keep.is_empty())
        else {
            return None;
        };
        let holds =
            |side: &Node<'_>| side.start_byte() <= edit.range.start && edit.range.end <= side.end_byte();
        let actual = match (holds(left), holds(right)) {
            (false, true) => *left,
            (true, false) => *right,
            (true, true) | (false, false) => return None,
        };
        let mut outer = actual.parent();
        while let Some(parent) = outer.filter(|parent| *parent != node) {
            if parent.kind().contains("comprehension") || parent.kind() == "generator_expression" {
                return None;
            }
            outer = parent.parent();
        }
        let (whole, actual) = (node.byte_range(), actual.byte_range());
        let mut parts = [(edit.range.clone(), edit.text.as_str()), (actual.clone(), name)];
        parts.sort_by_key(|(range, _)| range.start);
        let (mut text, mut at) = (String::new(), whole.start);
        for (range, new) in parts {
            text.push_str(&String::from_utf8_lossy(self.source.slice(at..range.start)));
            text.push_str(new);
            at = range.end;
        }
        text.push_str(&String::from_utf8_lossy(self.source.slice(at..whole.end)));
        let indent = indent_of(self.source, node)?;
        let keeps = [
            SourceEdit::new(actual.start..actual.start, keep),
            SourceEdit::new(actual.end..actual.end, kept),
        ];
        Some(KeptValue { keeps, name, text: format!("\n{indent}{before}{text}{behind}") })
    }

    /// Whether nothing in the test leaves it before its last step.
    pub(super) fn comes_to_its_end(&self, body: Node<'_>) -> bool {
        let mut steps = named_children(body);
        if steps.last().is_some_and(|last| self.rules.leaving.contains(&last.kind())) {
            steps.pop();
        }
        !steps.into_iter().any(|step| self.may_leave(step))
    }

    /// A failure behind the last statement of the test, or before it if that leaves the test.
    pub(super) fn last_step(&self, body: Node<'_>) -> Option<SourceEdit> {
        let last = *named_children(body).last()?;
        let indent = indent_of(self.source, last)?;
        let text = (self.rules.entry)(self.source, self.function)?;
        if self.rules.leaving.contains(&last.kind()) {
            let at = last.start_byte();
            return Some(SourceEdit::new(at..at, format!("{text}\n{indent}")));
        }
        Some(SourceEdit::new(last.end_byte()..last.end_byte(), format!("\n{indent}{text}")))
    }
}

/// The blanks in front of a statement that begins its line.
pub(crate) fn indent_of(source: &ParsedText<'_>, node: Node<'_>) -> Option<String> {
    let before = source.slice(0..node.start_byte());
    let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let blanks = String::from_utf8_lossy(&before[line..]).into_owned();
    blanks.trim().is_empty().then_some(blanks)
}

/// Whether nothing but a comment stands behind a statement in its line.
pub(crate) fn ends_line(source: &ParsedText<'_>, node: Node<'_>, comment: &str) -> bool {
    let rest = source.slice(node.end_byte()..source.bytes.len());
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.trim().is_empty() || line.trim().starts_with(comment)
}

impl TestExpectations {
    /// The test with all of its expectations changed at once, as far as that can be; several of one assertion in turn.
    pub fn together(&self) -> Vec<ExpectationMutant> {
        let Some(end) = &self.end else { return Vec::new() };
        let framed: Vec<(&ExpectationMutant, &FramedAssertion)> =
            self.changing().filter_map(|mutant| Some((mutant, mutant.framed.as_ref()?))).collect();
        let several = self.changing().count() > 1 || framed.iter().any(|(_, one)| one.repeats.is_some());
        let ([(first, _), ..], true) = (framed.as_slice(), several) else {
            return Vec::new();
        };
        let mut groups: Vec<(&FramedAssertion, Vec<&FramedAssertion>)> = Vec::new();
        for (_, one) in &framed {
            match groups.iter_mut().find(|(known, _)| known.whole == one.whole) {
                Some((_, members)) => members.push(one),
                None => groups.push((one, vec![one])),
            }
        }
        // Where a value can be kept, one turn is enough.
        let turns = |members: &[&FramedAssertion]| {
            let inside: Vec<&&FramedAssertion> = members.iter().filter(|one| one.is_inside()).collect();
            if inside.iter().all(|one| one.again.is_some()) { 1 } else { inside.len() }
        };
        let rounds = groups.iter().map(|(_, members)| turns(members)).max().unwrap_or(0);
        let every_case = framed.iter().any(|(mutant, _)| mutant.every_case);
        let of = |round: usize| {
            let mut change = Vec::new();
            for (known, members) in &groups {
                add_round(&mut change, known, members, round);
            }
            change.push(end.clone());
            let now = "other values, all at once".to_owned();
            let was = "what it expects".to_owned();
            ExpectationMutant {
                kind: first.kind,
                was,
                now,
                straight: false,
                every_case,
                change,
                denial: None,
                same: Vec::new(),
                framed: None,
                ..(*first).clone()
            }
        };
        (0..rounds).map(of).collect()
    }

    /// A copy of the first assertion in front of it. A wrong one fails and the test goes on, so that it must pass as before; a right
    /// one shows what saying it twice does. The code is called once where its value can be kept.
    pub fn primed(&self, text: &[u8], copy: PrimedCopy) -> Option<Vec<SourceEdit>> {
        let framed = self.changing().filter_map(|mutant| mutant.framed.as_ref());
        let framed = framed.filter(|one| one.is_inside() && one.may_stand_twice);
        let FramedAssertion { whole, change, frame: [before, behind], again, .. } =
            framed.min_by_key(|one| one.whole.start)?;
        let line = text[..whole.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let indent =
            std::str::from_utf8(&text[line..whole.start]).ok().filter(|blanks| blanks.trim().is_empty())?;
        let moved = |edit: &SourceEdit| {
            let range = edit.range.start - whole.start..edit.range.end - whole.start;
            SourceEdit::new(range, edit.text.clone())
        };
        let keeps = again.iter().flat_map(|kept| &kept.keeps);
        let changes = change.iter().filter(|_| copy == PrimedCopy::Wrong);
        let moved: Vec<SourceEdit> = changes.chain(keeps).map(moved).collect();
        let said = with_edits(&text[whole.clone()], &moved.iter().collect::<Vec<_>>())?;
        let said = String::from_utf8(said).ok()?;
        let said = match copy {
            PrimedCopy::Wrong => format!("{}{said}{}\n{indent}", before.text, behind.text),
            PrimedCopy::Right => format!("{said}\n{indent}"),
        };
        let first = SourceEdit::new(whole.start..whole.start, said);
        Some(std::iter::once(first).chain(again.as_ref().map(KeptValue::in_its_place)).collect())
    }

    /// The changes of values after the first that are tried one by one, because [`Self::together`] has no room for them.
    pub fn apart(&self) -> Vec<ExpectationMutant> {
        let all = self.together().is_empty();
        self.others().into_iter().filter(|mutant| all || mutant.framed.is_none()).collect()
    }

    /// Every change of a value but the first, and those in a loop so that every turn must bite.
    pub fn one_by_one(&self) -> Vec<ExpectationMutant> {
        let turns = self.changing().filter_map(|mutant| self.in_every_turn(mutant));
        turns.chain(self.others()).collect()
    }

    /// Every change of a value but the first: one of each assertion before a second one of any.
    fn others(&self) -> Vec<ExpectationMutant> {
        let place = |mutant: &ExpectationMutant| {
            mutant.denial.as_ref().map(|edits| edits.first().map(|edit| edit.range.start))
        };
        let all: Vec<&ExpectationMutant> = self.changing().collect();
        let before = |at: usize| all[..at].iter().filter(|other| place(other) == place(all[at])).count();
        let mut turns: Vec<(usize, &ExpectationMutant)> =
            all.iter().enumerate().map(|(at, one)| (before(at), *one)).collect();
        turns.drain(..turns.len().min(1));
        turns.sort_by_key(|(turn, _)| *turn);
        turns.into_iter().map(|(_, mutant)| mutant.clone()).collect()
    }

    /// A change in a loop that ends the test, which passes, at the first turn that holds.
    fn in_every_turn(&self, mutant: &ExpectationMutant) -> Option<ExpectationMutant> {
        let framed = mutant.framed.as_ref()?;
        let (strict, end) = (framed.repeats.as_ref()?, self.end.as_ref()?);
        let [before, behind] = &framed.frame;
        let behind = SourceEdit::new(behind.range.clone(), strict.clone());
        let change = framed.change.iter().chain([before, &behind, end]).cloned().collect();
        Some(ExpectationMutant { change, straight: false, every_case: false, ..mutant.clone() })
    }

    fn changing(&self) -> impl Iterator<Item = &ExpectationMutant> {
        self.mutants.iter().filter(|mutant| mutant.changes_a_value())
    }
}

/// Adds one assertion to a round: a change of its own, or all that stand elsewhere, in a table or a name of the test's.
fn add_round(
    change: &mut Vec<SourceEdit>,
    known: &FramedAssertion,
    members: &[&FramedAssertion],
    round: usize,
) {
    let inside: Vec<&&FramedAssertion> = members.iter().filter(|one| one.is_inside()).collect();
    let once = inside.iter().all(|one| one.again.is_some());
    let chosen: Vec<&FramedAssertion> = match inside.get(round).filter(|_| round == 0 || !once) {
        Some(one) => vec![**one],
        None if inside.is_empty() && round == 0 => members.to_vec(),
        None => return,
    };
    let mut frame = known.frame.clone();
    let mut edits: Vec<SourceEdit> = chosen.iter().flat_map(|one| one.change.clone()).collect();
    let again: Option<Vec<_>> = inside.iter().map(|one| one.again.as_ref()).collect();
    if let Some([kept, rest @ ..]) = again.as_deref().filter(|all| all.len() > 1) {
        edits.extend(kept.keeps.clone());
        for other in rest {
            frame[1].text.push_str(&other.text);
        }
    }
    for edit in edits.into_iter().chain(frame) {
        let apart =
            |other: &SourceEdit| other.range.end <= edit.range.start || edit.range.end <= other.range.start;
        if change.iter().all(apart) && !change.contains(&edit) {
            change.push(edit);
        }
    }
}

#[cfg(test)]
mod tests;
