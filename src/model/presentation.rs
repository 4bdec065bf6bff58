//! How the family has its card shown: arrangement and who may see it (decisions S5, S7). No fields of the partner API.

use crate::base::text_enum;

/// How portrait and text are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The portrait large, above the text.
    #[default]
    Portrait,
    /// The portrait beside the text, where the screen is wide enough.
    Beside,
    /// The text first, with a small portrait.
    Text,
}

text_enum!(Layout { Portrait => "PORTRAIT", Beside => "BESIDE", Text => "TEXT" });

/// Who can open the public card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody who has its address.
    #[default]
    Open,
    /// Only who has a personal link.
    Invitation,
}

text_enum!(Visibility { Open => "OPEN", Invitation => "INVITATION" });
