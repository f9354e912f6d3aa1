//! Tests: checks that replace tests.

use super::*;

/// A tree in memory.
struct Files(Vec<(String, Vec<u8>)>, Vec<String>);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let all = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        Self(all, files.iter().map(|(path, _)| (*path).to_owned()).collect())
    }
}

impl Tree for Files {
    fn paths(&self) -> &[String] {
        &self.1
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.iter().find(|(p, _)| p == path).map(|(_, bytes)| bytes.clone())
    }

    fn has(&self, path: &str) -> bool {
        self.1.iter().any(|p| p == path)
    }
}

#[test]
fn changed_configuration_must_parse() {
    let tree = Files::new(&[
        ("a.json", "{\"x\": 1}"),
        ("b.toml", "x = 1"),
        ("c.yml", "a: &x 1\nc: *x\n---\nb: !Ref Name\n"),
        ("chart.yaml", "{{- if .Values.on }}\na: {{ .Values.a }}\n{{- end }}\n"),
        ("bad.yaml", "a: [1\nb: 2\n"),
        ("bad.json", "{"),
        ("bad.toml", "x ="),
    ]);
    let check = |changed: &[&str]| {
        let changed: Vec<String> = changed.iter().map(|p| (*p).to_owned()).collect();
        check(NoTestReason::ConfigStatic, &tree, &changed, false)
    };
    assert_eq!(
        check(&["a.json", "b.toml", "c.yml", "chart.yaml", "gone.json"]),
        Ok("3 static files parse".into())
    );
    assert_eq!(check(&[]), Ok("0 static files parse".into()));
    for bad in ["bad.json", "bad.toml", "bad.yaml"] {
        let why = check(&["a.json", bad]).unwrap_err();
        assert!(why.starts_with(&format!("`{bad}` does not parse: ")), "{why}");
    }
}

#[test]
fn each_reason_has_its_own_check() {
    let bare = Files::new(&[("README.md", "")]);
    let check = |reason, has_suite| check(reason, &bare, &[], has_suite);
    assert!(check(NoTestReason::DocumentationOnly, false).is_ok());
    assert!(check(NoTestReason::TypeDefinitionsOnly, true).is_err(), "there is no type checker");
    for reason in [NoTestReason::DependencyUpdate, NoTestReason::DeleteDeadCode] {
        assert!(check(reason, true).is_ok());
        assert!(check(reason, false).unwrap_err().contains("`verify.suite`"));
    }
}

#[test]
fn a_note_is_a_gate_without_a_command() {
    let note = note(Gate::Contract, "as promised");
    assert_eq!((note.gate, note.exit, note.strength), (Gate::Contract, None, ProofStrength::Alternative));
}

#[test]
fn configuration_fits_its_schema() {
    let schema = r#"{"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"}}}"#;
    let tree = Files::new(&[
        ("conf/app.json", r#"{"port": 80}"#),
        ("conf/app.schema.json", schema),
        ("conf/bad.json", r#"{"$schema": "./app.schema.json", "port": "x"}"#),
        ("conf/far.json", r#"{"$schema": "https://example.org/s.json"}"#),
    ]);
    let check = |path: &str| check(NoTestReason::ConfigStatic, &tree, &[path.to_owned()], false);
    assert_eq!(check("conf/app.json"), Ok("1 static files parse, 1 of them fit their schema".into()));
    assert_eq!(check("conf/far.json"), Ok("1 static files parse".into()));
    let why = check("conf/bad.json").unwrap_err();
    assert!(why.starts_with("`conf/bad.json` does not fit `conf/app.schema.json`: "), "{why}");
}
