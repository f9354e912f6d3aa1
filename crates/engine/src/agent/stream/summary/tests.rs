//! Tests of `stream/summary`.

use super::*;

fn fold(entries: impl IntoIterator<Item = StreamEntry>) -> StreamSummary {
    let mut summary = StreamSummary::default();
    for entry in entries {
        summary.take(entry);
    }
    summary
}

fn message(text: &str, part: MessagePart) -> StreamEntry {
    StreamEntry::Message { text: text.into(), part }
}

fn usage(input: u64, span: UsageSpan) -> StreamEntry {
    let usage = Usage { input_tokens: input, ..Usage::default() };
    StreamEntry::Usage { usage, span, model: None }
}

fn error(problem: Problem, weight: ErrorWeight) -> StreamEntry {
    StreamEntry::Error { problem, message: "m".into(), weight }
}

fn tool() -> StreamEntry {
    StreamEntry::ToolUse { tool: "shell".into(), what: "ls".into() }
}

fn step(name: &str) -> UsageSpan {
    UsageSpan::Step(name.into())
}

const LIMIT: Problem = Problem::RateLimit { retry_after: None, resets_at: None };

#[test]
fn pieces_of_a_message_are_joined_until_something_else_happens() {
    let said = |entries: Vec<StreamEntry>| fold(entries).said;
    let (whole, piece) = (MessagePart::Whole, MessagePart::Piece);
    assert_eq!(said(vec![message("a", piece), message("b", piece)]).as_deref(), Some("ab"));
    assert_eq!(said(vec![message("a", piece), tool(), message("b", piece)]).as_deref(), Some("b"));
    assert_eq!(said(vec![message("a", whole), message("b", whole)]).as_deref(), Some("b"));
    let long = "x".repeat(SAID);
    let joined = said(vec![message(&long, piece), message("more", piece)]).unwrap();
    assert_eq!(joined.len(), SAID, "a message is kept up to a limit");
}

#[test]
fn the_end_overrides_what_was_said_before() {
    let end = |said: Option<&str>| StreamEntry::End {
        outcome: ClaimedEnd::Done,
        said: said.map(str::to_owned),
        structured: None,
    };
    let before = || message("working", MessagePart::Whole);
    assert_eq!(fold([before(), end(Some("done"))]).said.as_deref(), Some("done"));
    assert_eq!(fold([before(), end(Some(""))]).said.as_deref(), Some(""), "an empty answer is an answer");
    assert_eq!(fold([before(), end(None)]).said.as_deref(), Some("working"));
    assert_eq!(fold([end(None), StreamEntry::Working]).end, None, "it goes on");
}

#[test]
fn steps_add_up_once_each_and_a_total_replaces_them() {
    let sum = |entries: Vec<StreamEntry>| {
        let summary = fold(entries);
        (summary.usage.input_tokens, summary.steps)
    };
    assert_eq!(sum(vec![usage(5, step("a")), usage(5, step("a")), usage(7, step("b"))]), (12, 2));
    assert_eq!(sum(vec![usage(5, step("")), usage(5, step(""))]), (10, 2), "steps without a name");
    assert_eq!(sum(vec![usage(5, step("a")), usage(9, UsageSpan::Run)]), (9, 1));
    assert_eq!(sum(vec![usage(5, step("a")), usage(0, UsageSpan::Run)]), (5, 1), "no total");
    assert_eq!(sum(vec![usage(9, UsageSpan::Run), usage(5, step("a"))]), (9, 0));
    let whole = fold([usage(40, UsageSpan::Conversation)]);
    assert_eq!((whole.usage.input_tokens, whole.conversation.unwrap().input_tokens), (0, 40));
}

#[test]
fn progress_ends_trouble() {
    let retry = || error(Problem::Server, ErrorWeight::Passing);
    let troubled = fold([retry(), retry()]);
    assert_eq!((troubled.retries, troubled.trouble.is_some()), (2, true));
    for entry in [tool(), message("hi", MessagePart::Whole), usage(3, step("a"))] {
        let calm = fold([retry(), retry(), entry.clone()]);
        assert_eq!((calm.retries, calm.trouble), (0, None), "{entry:?}");
    }
    assert_eq!(fold([retry(), usage(0, step("a"))]).retries, 1, "an empty answer is no progress");
    assert_eq!(fold([error(Problem::Other, ErrorWeight::Warning)]), StreamSummary::default());
}

#[test]
fn a_limit_without_a_time_gets_the_time_told_before() {
    let told = Problem::RateLimit { retry_after: Some(20), resets_at: None };
    let summary = fold([error(told, ErrorWeight::Passing), error(LIMIT, ErrorWeight::Final)]);
    assert_eq!(summary.failure.unwrap().0, told);
    let summary = fold([error(LIMIT, ErrorWeight::Final)]);
    assert_eq!(summary.failure.unwrap().0, LIMIT);
}

#[test]
fn a_denial_is_listed_once_with_its_best_words() {
    let denied = |call: &str, what: &str| StreamEntry::Denied { call: call.into(), what: what.into() };
    let summary =
        fold([denied("1", "Bash"), denied("1", "Bash rm -r x"), denied("", "Edit"), denied("", "Edit")]);
    assert_eq!(summary.denied, ["Bash rm -r x", "Edit", "Edit"]);
    let many = (0..DENIALS + 5).map(|n| denied(&n.to_string(), "x"));
    assert_eq!(fold(many).denied.len(), DENIALS);
}

#[test]
fn a_placeholder_is_not_a_model() {
    let by = |model: &str| StreamEntry::Usage {
        usage: Usage::default(),
        span: step("a"),
        model: Some(model.into()),
    };
    let session = StreamEntry::Session { id: "s".into(), model: Some("big-1".into()) };
    assert_eq!(fold([session.clone(), by("<synthetic>")]).model.as_deref(), Some("big-1"));
    assert_eq!(fold([session, by("small-2")]).model.as_deref(), Some("small-2"));
}
