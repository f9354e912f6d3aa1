//! Tests of `agent/last_words`.

use super::*;

#[test]
fn a_question_is_known_by_its_last_paragraph() {
    let questions = [
        "Which greeting do you want?",
        "I looked at the file.\n\nShould I use `dict` or a class? Let me know and I will go on.",
        "Before I start, which of these do you prefer?\n\n1. A class\n2. A function",
        "Which do you prefer?\n\n- A class\n- A function\n\nI will wait for your answer.",
        "Two ways are open:\n\na) a class\nb) a function. Which one?",
        "**Should the limit be inclusive?**",
        "このまま続けますか？",
    ];
    for text in questions {
        let Some(Failure::OnlyWords { stance, .. }) = only_words(text) else { panic!("{text}") };
        assert_eq!(stance, Stance::Question, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_question_is_a_remark() {
    let remarks = [
        "The work is done already.",
        "Why did it fail? Because the path was wrong.\n\nThere is nothing to change.",
        "See https://example.org/?q=1 for the rule.",
        "The pattern is `colou?r `.",
        "I would run:\n\n```\ncurl x? \n```",
    ];
    for text in remarks {
        let Some(Failure::OnlyWords { stance, .. }) = only_words(text) else { panic!("{text}") };
        assert_eq!(stance, Stance::Remark, "{text}");
    }
    assert_eq!(only_words(" \n"), None);
}

#[test]
fn of_long_words_the_end_is_passed_on() {
    let long = format!("{}Which one?", "x".repeat(5000));
    let Some(Failure::OnlyWords { words, .. }) = only_words(&long) else { panic!("words") };
    assert!(words.starts_with('…') && words.ends_with("Which one?"));
    assert_eq!(words.chars().count(), PASSED_ON + 1);
}
