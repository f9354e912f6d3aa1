//! The shape of a key: what it takes, what it is by default, what it is for. Read by the reader and the reference.

/// What a key takes.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// One value; the words complete "expected …".
    Plain(&'static str),
    /// A table with these keys.
    Table(Vec<KeyDoc>),
    /// A table with these keys, and under names of one's own something else.
    Open(Vec<KeyDoc>, Box<Shape>),
    /// A table with keys of one's own; the word stands for the key.
    Each(&'static str, Box<Shape>),
    /// A list.
    List(Box<Shape>),
}

/// One key of a table.
#[derive(Debug, Clone)]
pub(crate) struct KeyDoc {
    /// Its name.
    pub(crate) key: &'static str,
    /// What it takes.
    pub(crate) shape: Shape,
    /// What it is by default, in TOML; none means that it is not set.
    pub(crate) default: Option<String>,
    /// What it is for.
    pub(crate) doc: &'static str,
}

impl Shape {
    /// The keys of a table.
    pub(crate) fn keys(&self) -> &[KeyDoc] {
        match self {
            Shape::Table(keys) | Shape::Open(keys, _) => keys,
            Shape::Plain(_) | Shape::Each(..) | Shape::List(_) => &[],
        }
    }

    /// Completes "expected …".
    pub(crate) fn expected(&self) -> String {
        match self {
            Shape::Plain(words) => (*words).to_owned(),
            Shape::Table(_) | Shape::Open(..) | Shape::Each(..) => "a table".into(),
            Shape::List(inner) => format!("a list, each {}", inner.expected()),
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

fn below(shape: &Shape, path: &str) -> Vec<String> {
    match shape {
        Shape::Plain(_) => Vec::new(),
        Shape::Table(keys) => paths(keys, path),
        Shape::Open(keys, inner) => [paths(keys, path), below(inner, &format!("{path}.NAME"))].concat(),
        Shape::Each(name, inner) => below(inner, &format!("{path}.{name}")),
        Shape::List(inner) => below(inner, path),
    }
}
