//! How a table is declared: once, with its text, and read by what the declaration says.

/// A table of the file.
pub(super) trait ConfigSection: Sized {
    /// The table with no key set.
    fn unset() -> Self;

    /// The keys as they stand in the file.
    fn keys() -> Vec<super::shape::KeyDoc>;

    /// Reads one key; `false` if the table has no such key.
    fn read_key(
        &mut self,
        key: &str,
        value: &toml::Spanned<toml::de::DeValue<'_>>,
        reader: &mut super::reader::TableReader<'_>,
    ) -> bool;
}

/// Declares a table: a struct whose fields are its keys, each with its text, its type and its default. `for` declares the
/// table of a struct that another crate has. `@host` before a key says that it reaches beyond the sandbox: set by a
/// repository, it counts only after `windlass trust`.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $( $(#[doc = $doc:literal])+ $(@ $host:ident)? $field:ident : $ty:ty = $default:expr, )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) struct $name {
            $( $(#[doc = $doc])+ pub(crate) $field: $ty, )*
        }

        impl Default for $name {
            fn default() -> Self {
                <Self as $crate::config::section::ConfigSection>::unset()
            }
        }

        $crate::config::section::section! {
            for $name {
                $( $(#[doc = $doc])+ $(@ $host)? $field : $ty = $default, )*
            }
        }
    };
    (
        for $name:ident {
            $( $(#[doc = $doc:literal])+ $(@ $host:ident)? $field:ident : $ty:ty = $default:expr, )*
        }
    ) => {
        impl $crate::config::section::ConfigSection for $name {
            fn unset() -> Self {
                Self { $( $field: $default, )* }
            }

            fn keys() -> Vec<$crate::config::shape::KeyDoc> {
                let default = Self::unset();
                vec![ $( $crate::config::shape::KeyDoc {
                    key: stringify!($field),
                    shape: <$ty as $crate::config::value::Value>::shape(),
                    default: $crate::config::value::Value::show(&default.$field),
                    doc: concat!($($doc, "\n"),+),
                    beyond_sandbox: [$( stringify!($host) )?].contains(&"host"),
                }, )* ]
            }

            fn read_key(
                &mut self,
                key: &str,
                value: &toml::Spanned<toml::de::DeValue<'_>>,
                reader: &mut $crate::config::reader::TableReader<'_>,
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
            fn shape() -> $crate::config::shape::KeyShape {
                $crate::config::shape::KeyShape::Table(<Self as $crate::config::section::ConfigSection>::keys())
            }

            fn read(
                value: &toml::Spanned<toml::de::DeValue<'_>>,
                reader: &mut $crate::config::reader::TableReader<'_>,
            ) -> Option<Self> {
                let table = reader.table(value, &Self::shape())?;
                let mut section = <Self as $crate::config::section::ConfigSection>::unset();
                for (key, value) in table {
                    if !$crate::config::section::ConfigSection::read_key(&mut section, key.get_ref(), value, reader) {
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
