//! How a table is declared: once, with its words, and read by what the declaration says.

/// Declares a table: a struct whose fields are its keys, each with its words, its type and its default.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $( $(#[doc = $doc:literal])+ $field:ident : $ty:ty = $default:expr, )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) struct $name {
            $( $(#[doc = $doc])+ pub(crate) $field: $ty, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            /// The keys as they stand in the file.
            pub(super) fn keys() -> Vec<$crate::config::shape::KeyDoc> {
                let default = Self::default();
                vec![ $( $crate::config::shape::KeyDoc {
                    key: stringify!($field),
                    shape: <$ty as $crate::config::value::Value>::shape(),
                    default: $crate::config::value::Value::show(&default.$field),
                    doc: concat!($($doc, "\n"),+),
                }, )* ]
            }

            /// Reads one key; `false` if it is none of ours.
            pub(super) fn read_key(
                &mut self,
                key: &str,
                value: &toml::Spanned<toml::de::DeValue<'_>>,
                reader: &mut $crate::config::reader::Reader<'_>,
            ) -> bool {
                $(
                    if key == stringify!($field) {
                        let read = reader.inside(key, |r| $crate::config::value::Value::read(value, r));
                        if let Some(value) = read {
                            self.$field = value;
                        }
                        return true;
                    }
                )*
                false
            }
        }

        impl $crate::config::value::Value for $name {
            fn shape() -> $crate::config::shape::Shape {
                $crate::config::shape::Shape::Table(Self::keys())
            }

            fn read(
                value: &toml::Spanned<toml::de::DeValue<'_>>,
                reader: &mut $crate::config::reader::Reader<'_>,
            ) -> Option<Self> {
                let table = reader.table(value, &Self::shape())?;
                let mut section = Self::default();
                for (key, value) in table {
                    if !section.read_key(key.get_ref(), value, reader) {
                        reader.unknown(key.get_ref(), key.span(), &[$( stringify!($field) ),*]);
                    }
                }
                Some(section)
            }

            fn show(&self) -> Option<String> {
                None
            }
        }
    };
}

pub(super) use section;
