//! Login files as the programs write them.

use super::*;
use crate::agent::cli::CliKind;

/// The login file of each program, and when it ends.
fn files() -> [(CliKind, String, Option<Millis>); 5] {
    // {"exp":1800000000}
    let jwt = "e30.eyJleHAiOjE4MDAwMDAwMDB9.x";
    [
        (
            CliKind::Claude,
            r#"{"claudeAiOauth":{"accessToken":"at","refreshToken":"SECRET","expiresAt":1700000000000,"scopes":[]}}"#
                .into(),
            Some(1_700_000_000_000),
        ),
        (
            CliKind::Codex,
            format!(r#"{{"OPENAI_API_KEY":null,"tokens":{{"access_token":"{jwt}","refresh_token":"SECRET"}}}}"#),
            Some(1_800_000_000_000),
        ),
        (
            CliKind::Gemini,
            r#"{"access_token":"at","refresh_token":"SECRET","expiry_date":1700000000001}"#.into(),
            Some(1_700_000_000_001),
        ),
        (
            CliKind::Qwen,
            r#"{"access_token":"at","refresh_token":"SECRET","expiry_date":1700000000002}"#.into(),
            Some(1_700_000_000_002),
        ),
        (
            CliKind::Opencode,
            r#"{"anthropic":{"type":"oauth","refresh":"SECRET","access":"at","expires":0},"x":{"type":"api","key":"k"}}"#
                .into(),
            None,
        ),
    ]
}

#[test]
fn no_refresh_token_is_copied_and_the_rest_is() {
    for (kind, text, _) in files() {
        let copy = String::from_utf8(without_refresh(text.as_bytes()).unwrap()).unwrap();
        assert!(!copy.contains("SECRET") && copy.contains("efresh"), "{kind:?}: {copy}");
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(&copy), value(&text.replace("SECRET", "")), "{kind:?}");
    }
    assert_eq!(without_refresh(b"not JSON: SECRET"), None);
}

#[test]
fn the_end_of_a_login_is_read_unless_a_key_takes_its_place() {
    let home = tempfile::tempdir().unwrap();
    for (kind, text, end) in files() {
        let spec = CliSpec { home: Some(home.path().to_owned()), ..CliSpec::of(kind) };
        assert_eq!(spec.login_ends(), None, "{kind:?}: there is no login");
        let path = kind.facts().login.path(home.path(), &[]);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        assert_eq!(spec.login_ends(), end, "{kind:?}");
        let key = kind.facts().login.keys[0];
        let with_key = CliSpec { env: vec![(key.into(), "k".into())], ..spec };
        assert_eq!(with_key.login_ends(), None, "{kind:?}");
        std::fs::write(&path, "garbage").unwrap();
        assert_eq!(CliSpec { env: Vec::new(), ..with_key }.login_ends(), None, "{kind:?}");
    }
    assert_eq!(end_of_token("a.b.c"), None);
    assert_eq!(from_base64("YWI="), Some(b"ab".to_vec()));
}
