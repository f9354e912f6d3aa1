//! The history of one task, from its first attempt to its commit.

use super::*;

#[test]
fn the_history_of_a_task() {
    let mut history = TaskHistory::new(id("a"));
    for event in stamp(&busy()) {
        history.apply(&event);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&history).unwrap(), @r#"
    {
      "task": "a",
      "attempts": [
        {
          "no": 1,
          "rung": "first",
          "agent": "mechanical",
          "tier": "small",
          "base": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "started": 3000,
          "ended": 11000,
          "end": {
            "end": "failed",
            "failure": {
              "failure": "tests-failed",
              "gate": "tests",
              "failed": [
                "adds"
              ],
              "summary": "",
              "excerpt": ""
            }
          },
          "steps": [
            {
              "action": "write_test",
              "result": "passed",
              "millis": 10
            },
            {
              "action": "implement",
              "result": "passed",
              "millis": 10
            }
          ],
          "turns": [
            {
              "attempt": 1,
              "role": "implementer",
              "agent": "mechanical",
              "millis": 900,
              "usage": {
                "input_tokens": 100,
                "output_tokens": 20,
                "cost_usd": 0.25
              },
              "summary": "wrote it",
              "brief": "6d21e0de6daa689a6256b93e328696086c4ffaf1ce92cbde4d00393e4061e98b",
              "output": "96e754fa8b2ab9d1f3f8f2d2bb4ec79a18016b212cf44f8fd2f7441e6e97a48b"
            }
          ],
          "candidate": [
            "cccccccccccccccccccccccccccccccccccccccc",
            12,
            3
          ]
        },
        {
          "no": 2,
          "rung": {
            "bug-hunter": 1
          },
          "agent": "mechanical",
          "tier": "small",
          "base": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "started": 12000
        }
      ]
    }
    "#);
}
