//! How the family has its card shown: arrangement and who may see it (decisions S5, S7). No fields of the partner API.

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

impl Layout {
    pub const ALL: [Layout; 3] = [Layout::Portrait, Layout::Beside, Layout::Text];

    /// As it stands in rows and in forms.
    pub const fn as_str(self) -> &'static str {
        match self {
            Layout::Portrait => "PORTRAIT",
            Layout::Beside => "BESIDE",
            Layout::Text => "TEXT",
        }
    }

    /// Reads what [`Layout::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.as_str() == text)
    }
}

/// Who can open the public card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody who has its address.
    #[default]
    Open,
    /// Only who has a personal link.
    Invitation,
}

impl Visibility {
    pub const ALL: [Visibility; 2] = [Visibility::Open, Visibility::Invitation];

    /// As it stands in rows and in forms.
    pub const fn as_str(self) -> &'static str {
        match self {
            Visibility::Open => "OPEN",
            Visibility::Invitation => "INVITATION",
        }
    }

    /// Reads what [`Visibility::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|visibility| visibility.as_str() == text)
    }
}
