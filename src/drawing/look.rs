//! The colours and letters of a card by its theme.

/// The style of a theme. The bundled themes have a style of their own; others use the plain one.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub style: CardStyle,
    /// The colour of the browser's address bar, and of what is around the sheet.
    pub frame: &'static str,
    pub scheme: &'static str,
    /// The colours of the link preview: the sheet, the name and the other text.
    pub sheet: &'static str,
    pub accent: &'static str,
    pub soft: &'static str,
    /// The font of that picture, by its own name.
    pub family: &'static str,
    pub weight: u16,
}

const PLAIN: Look = Look {
    style: CardStyle::Plain,
    frame: "#f7f5f1",
    scheme: "light",
    sheet: "#ffffff",
    accent: "#2c4a4a",
    soft: "#565c5f",
    family: "EB Garamond Medium",
    weight: 500,
};

/// Returns the look of the theme with this handle.
pub(crate) fn look_of(handle: Option<&str>) -> Look {
    match handle {
        Some("linde") => Look {
            style: CardStyle::Linde,
            frame: "#edf1e2",
            sheet: "#fdfdf8",
            accent: "#33573a",
            soft: "#566150",
            ..PLAIN
        },
        Some("zee") => Look {
            style: CardStyle::Zee,
            frame: "#e6edf1",
            sheet: "#fbfcfd",
            accent: "#2b546c",
            soft: "#50626e",
            family: "Jost Light",
            weight: 300,
            ..PLAIN
        },
        Some("winterlicht") => Look {
            style: CardStyle::Winterlicht,
            frame: "#eef1f5",
            accent: "#3d4b60",
            soft: "#596270",
            family: "Noto Serif Display",
            weight: 400,
            ..PLAIN
        },
        Some("avondrood") => Look {
            style: CardStyle::Avondrood,
            frame: "#241c2c",
            scheme: "dark",
            sheet: "#2f2438",
            accent: "#f2b880",
            soft: "#d6c0b6",
            family: "Alegreya Sans Medium",
            weight: 500,
        },
        Some("eenvoud") => Look {
            style: CardStyle::Eenvoud,
            frame: "#ece5d6",
            sheet: "#fffdf8",
            accent: "#3d3830",
            soft: "#625c51",
            family: "Noto Serif Display",
            weight: 400,
            ..PLAIN
        },
        Some("tak") => Look {
            style: CardStyle::Tak,
            frame: "#e6e6da",
            sheet: "#fdfdf9",
            accent: "#4a5d4c",
            soft: "#5b6156",
            ..PLAIN
        },
        _ => PLAIN,
    }
}

/// The style sheet of a card, by its theme.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CardStyle {
    Plain,
    Linde,
    Zee,
    Winterlicht,
    Avondrood,
    Eenvoud,
    Tak,
}

impl CardStyle {
    /// The class of a small card in this style.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            CardStyle::Plain => "plain",
            CardStyle::Linde => "linde",
            CardStyle::Zee => "zee",
            CardStyle::Winterlicht => "winterlicht",
            CardStyle::Avondrood => "avondrood",
            CardStyle::Eenvoud => "eenvoud",
            CardStyle::Tak => "tak",
        }
    }
}
