//! The shape of a key: what it takes, what it is by default, what it is for. Read by the reader and the reference.

/// What a key takes.
#[derive(Debug, Clone)]
pub(crate) enum KeyShape {
    /// One value; the words complete "expected …".
    Plain(&'static str),
    /// A table with these keys.
    Table(Vec<KeyDoc>),
    /// A table with these keys, and under names of one's own something else.
    Open(Vec<KeyDoc>, Box<KeyShape>),
    /// A table with keys of one's own; the word stands for the key.
    Each(&'static str, Box<KeyShape>),
    /// A list.
    List(Box<KeyShape>),
}

/// One key of a table.
#[derive(Debug, Clone)]
pub(crate) struct KeyDoc {
    /// Its name.
    pub(crate) key: &'static str,
    /// What it takes.
    pub(crate) shape: KeyShape,
    /// What it is by default, in TOML; none means that it is not set.
    pub(crate) default: Option<String>,
    /// What it is for.
    pub(crate) doc: &'static str,
    /// Whether it reaches beyond the sandbox, so that a repository may set it only with the user's trust.
    pub(crate) beyond_sandbox: bool,
}

impl KeyShape {
    /// The keys of a table.
    pub(crate) fn keys(&self) -> &[KeyDoc] {
        match self {
            KeyShape::Table(keys) | KeyShape::Open(keys, _) => keys,
            KeyShape::List(inner) => inner.keys(),
            KeyShape::Plain(_) | KeyShape::Each(..) => &[],
        }
    }

    /// Completes "expected …".
    pub(crate) fn expected(&self) -> String {
        match self {
            KeyShape::Plain(words) => (*words).to_owned(),
            KeyShape::Table(_) | KeyShape::Open(..) | KeyShape::Each(..) => "a table".into(),
            KeyShape::List(inner) => format!("a list, each {}", inner.expected()),
        }
    }
}

/// Every key with its full name, tables included.
pub(crate) fn paths(keys: &[KeyDoc], above: &str) -> Vec<String> {
    let mut all = Vec::new();
    for key in keys {
        let path = if above.is_empty() { key.key.to_owned() } else { format!("{above}.{}", key.key) };
        all.push(path.clone());
        all.extend(below(&key.shape, &path));
    }
    all
}

fn below(shape: &KeyShape, path: &str) -> Vec<String> {
    match shape {
        KeyShape::Plain(_) => Vec::new(),
        KeyShape::Table(keys) => paths(keys, path),
        KeyShape::Open(keys, inner) => [paths(keys, path), below(inner, &format!("{path}.NAME"))].concat(),
        KeyShape::Each(name, inner) => below(inner, &format!("{path}.{name}")),
        KeyShape::List(inner) => below(inner, path),
    }
}
