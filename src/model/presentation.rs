//! The presentation that the family chooses: layout and visibility (decisions S5, S7). Not in the partner API.

use crate::base::text_enum;

/// The layout of portrait and text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A large portrait above the text.
    #[default]
    Portrait,
    /// The portrait next to the text, if the screen is wide enough.
    SideBySide,
    /// The text first, then a small portrait.
    Text,
}

text_enum!(Layout { Portrait => "PORTRAIT", SideBySide => "BESIDE", Text => "TEXT" });

/// Who can open the public card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everyone who has the address.
    #[default]
    Open,
    /// Only people with a personal link.
    Invitation,
}

text_enum!(Visibility { Open => "OPEN", Invitation => "INVITATION" });
