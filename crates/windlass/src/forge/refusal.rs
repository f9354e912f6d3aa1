//! Why a forge does not open a pull request.

use serde_json::Value;

use super::ForgeKind;

/// A pull request that a forge does not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PullRefusal {
    pub(crate) because: RefusalCause,
    /// What the forge says, on one line.
    pub(crate) said: String,
}

/// What a refused pull request lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalCause {
    /// Nothing: the branch has an open pull request.
    Exists,
    /// A commit that the base does not have.
    NothingNew,
    /// Its base: the forge has no such branch.
    NoBase,
    /// Something else.
    Other,
}

impl RefusalCause {
    /// Reads an answer of the forge's interface.
    pub(super) fn read(kind: ForgeKind, status: u16, body: &Value, said: &str) -> Self {
        match kind {
            ForgeKind::GitHub => of_github(body, said),
            ForgeKind::GitLab => of_gitlab(status, said),
        }
    }
}

/// GitHub answers 422 to each; an error has a text, or the name of a field.
fn of_github(body: &Value, said: &str) -> RefusalCause {
    let errors = || body["errors"].as_array().into_iter().flatten();
    let of_base = |error: &Value| {
        error["field"] == "base"
            || error["message"].as_str().is_some_and(|message| message.starts_with("base "))
    };
    if said.contains("A pull request already exists") {
        RefusalCause::Exists
    } else if said.contains("No commits between") {
        RefusalCause::NothingNew
    } else if errors().any(of_base) {
        RefusalCause::NoBase
    } else {
        RefusalCause::Other
    }
}

/// GitLab answers 409 for a branch with an open merge request; it opens one without a new commit.
fn of_gitlab(status: u16, said: &str) -> RefusalCause {
    let said = said.to_lowercase();
    if status == 409 {
        RefusalCause::Exists
    } else if ["target branch", "target_branch"].iter().any(|name| said.contains(name)) {
        RefusalCause::NoBase
    } else {
        RefusalCause::Other
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refusal_is_known_by_the_interface_of_its_forge() {
        let github = |body: Value, said: &str| RefusalCause::read(ForgeKind::GitHub, 422, &body, said);
        let error = |message: &str| json!({ "errors": [{ "message": message }] });
        let exists = "A pull request already exists for o:b.";
        assert_eq!(github(error(exists), exists), RefusalCause::Exists);
        let empty = "No commits between main and b";
        assert_eq!(github(error(empty), empty), RefusalCause::NothingNew);
        let field =
            json!({ "message": "Validation Failed", "errors": [{ "field": "base", "code": "invalid" }] });
        assert_eq!(github(field, "Validation Failed"), RefusalCause::NoBase);
        assert_eq!(github(error("base is invalid"), "base is invalid"), RefusalCause::NoBase);
        let other = "the database is read-only";
        assert_eq!(github(error(other), other), RefusalCause::Other);

        let gitlab = |status, said: &str| RefusalCause::read(ForgeKind::GitLab, status, &Value::Null, said);
        assert_eq!(gitlab(409, "Another open merge request already exists"), RefusalCause::Exists);
        assert_eq!(gitlab(400, "Target branch \"x\" does not exist"), RefusalCause::NoBase);
        assert_eq!(gitlab(400, "source_branch does not exist"), RefusalCause::Other);
    }
}
