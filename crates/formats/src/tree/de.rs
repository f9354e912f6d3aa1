//! A [`TreeNode`] as a serde data format: lenient with the usual forms of front matter, exact about the place of a failure.

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::{Misfit, Quoting, TreeMember, TreeNode, TreeValue, resolve};

impl de::Error for Misfit {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Misfit { span: None, message: message.to_string() }
    }
}

impl TreeNode<'_> {
    fn misfit(&self, expected: &str) -> Misfit {
        let found = match &self.tree {
            TreeValue::Scalar(text, _) => format!("`{}`", text.escape_debug()),
            TreeValue::List(_) => "a list".to_owned(),
            TreeValue::Map(_) => "a mapping".to_owned(),
        };
        Misfit { span: Some(self.span), message: format!("{expected} is expected, found {found}") }
    }

    fn text(&self) -> Option<&str> {
        match &self.tree {
            TreeValue::Scalar(text, _) => Some(text),
            TreeValue::List(_) | TreeValue::Map(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(&self.tree, TreeValue::Scalar(text, Quoting::Plain) if resolve(text, Quoting::Plain).is_null())
    }

    fn placed<T>(&self, result: Result<T, Misfit>) -> Result<T, Misfit> {
        result.map_err(|e| Misfit { span: e.span.or(Some(self.span)), message: e.message })
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ty, $what:literal;)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            let parsed = self.text().and_then(|t| t.trim().parse::<$type>().ok());
            let n = parsed.ok_or_else(|| self.misfit($what))?;
            self.placed(visitor.$visit(n))
        }
    )* };
}

impl<'de> Deserializer<'de> for &TreeNode<'_> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match &self.tree {
            TreeValue::Scalar(text, style) => {
                let value: Value = resolve(text, *style);
                self.placed(value.deserialize_any(visitor).map_err(de::Error::custom))
            }
            TreeValue::List(_) => self.deserialize_seq(visitor),
            TreeValue::Map(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.text() {
            Some(text) => self.placed(visitor.visit_str(if self.is_null() { "" } else { text })),
            None => Err(self.misfit("a text")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_string(visitor)
    }

    numbers! {
        deserialize_i8 visit_i8 i8, "a small whole number";
        deserialize_i16 visit_i16 i16, "a whole number";
        deserialize_i32 visit_i32 i32, "a whole number";
        deserialize_i64 visit_i64 i64, "a whole number";
        deserialize_u8 visit_u8 u8, "a small whole number";
        deserialize_u16 visit_u16 u16, "a whole number";
        deserialize_u32 visit_u32 u32, "a whole number";
        deserialize_u64 visit_u64 u64, "a whole number";
        deserialize_f32 visit_f32 f32, "a number";
        deserialize_f64 visit_f64 f64, "a number";
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.text().map(str::to_ascii_lowercase).as_deref() {
            Some("true" | "yes") => self.placed(visitor.visit_bool(true)),
            Some("false" | "no") => self.placed(visitor.visit_bool(false)),
            Some(_) | None => Err(self.misfit("`true` or `false`")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let items = match &self.tree {
            TreeValue::List(items) => items.as_slice(),
            TreeValue::Scalar(..) if self.is_null() => &[],
            TreeValue::Scalar(..) => std::slice::from_ref(self),
            TreeValue::Map(_) => return Err(self.misfit("a list")),
        };
        self.placed(visitor.visit_seq(Items(items.iter())))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let entries = match &self.tree {
            TreeValue::Map(entries) => entries.as_slice(),
            TreeValue::Scalar(..) if self.is_null() => &[],
            TreeValue::Scalar(..) | TreeValue::List(_) => return Err(self.misfit("a mapping")),
        };
        self.placed(visitor.visit_map(Pairs { rest: entries.iter(), value: None }))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &str,
        _: &[&str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &str,
        variants: &[&str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let expected = || format!("one of {}", variants.join(", "));
        let word = self.text().map(|t| t.trim().to_ascii_lowercase());
        let known = word.as_deref().filter(|w| variants.contains(w));
        let Some(word) = known else { return Err(self.misfit(&expected())) };
        let name: StrDeserializer<'_, Misfit> = word.into_deserializer();
        self.placed(visitor.visit_enum(name))
    }

    serde::forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any i128 u128
    }
}

struct Items<'n, 'a>(std::slice::Iter<'n, TreeNode<'a>>);

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Misfit;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        self.0.next().map(|node| node.placed(seed.deserialize(node))).transpose()
    }
}

struct Pairs<'n, 'a> {
    rest: std::slice::Iter<'n, TreeMember<'a>>,
    value: Option<&'n TreeNode<'a>>,
}

impl<'de> MapAccess<'de> for Pairs<'_, '_> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some(entry) = self.rest.next() else { return Ok(None) };
        self.value = Some(&entry.node);
        let key: StrDeserializer<'_, Misfit> = entry.key.as_ref().into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        match self.value.take() {
            Some(node) => node.placed(seed.deserialize(node)),
            None => Err(de::Error::custom("a value is asked for before its key")),
        }
    }
}
