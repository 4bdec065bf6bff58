//! `text_enum!`: the texts of an enum, for rows, the schema, the command line and the log.

/// Implements `ALL`, `as_str` and `parse` for an enum whose variants hold no data.
macro_rules! text_enum {
    ($name:ident { $($variant:ident => $text:literal),+ $(,)? }) => {
        #[allow(dead_code, unreachable_pub)] // the enum may be private, or need only some of them
        impl $name {
            /// Every variant.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// The text of the variant.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The variant with this text.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|variant| variant.as_str() == text)
            }
        }
    };
}

pub(crate) use text_enum;
