//! Enums whose variants have a word each. The word is beside its variant and in no other place.

/// Declares such an enum, with the list of its variants and the way from a variant to its word.
#[macro_export]
macro_rules! worded {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// Every variant, in the order of their declaration.
            $vis const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Its name in files and output.
            $vis const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }
        }
    };
}
