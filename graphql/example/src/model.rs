//! The films: characters, starships and reviews, and the lookups of a database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use dated_graphql::{FieldError, JsonWriter, Leaf, TextScalar};

use crate::generated::v2026_01::{Character, Episode, Review};

#[derive(Clone, Copy, Debug)]
pub struct Human {
    pub id: &'static str,
    pub name: &'static str,
    pub friends: &'static [&'static str],
    pub lightsaber: Option<Color>,
    pub height_m: Option<f64>,
    pub mass_kg: Option<f64>,
    pub starships: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
pub struct Droid {
    pub id: &'static str,
    pub name: &'static str,
    pub friends: &'static [&'static str],
    pub function: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub struct Starship {
    pub id: &'static str,
    pub name: &'static str,
    pub length_m: f64,
}

/// The scalar `Color`: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(u32);

impl TextScalar for Color {
    fn read(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && !digits.starts_with('+'))?;
        u32::from_str_radix(digits, 16).ok().map(Self)
    }
}

impl Leaf for Color {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        format!("#{:06x}", self.0).write(out)
    }
}

pub const HUMANS: &[Human] = &[
    Human {
        id: "1000",
        name: "Luke Skywalker",
        friends: &["1002", "1003", "2000", "2001"],
        lightsaber: Some(Color(0x2f_f9_24)),
        height_m: Some(1.72),
        mass_kg: Some(77.0),
        starships: &["3001", "3003"],
    },
    Human {
        id: "1001",
        name: "Darth Vader",
        friends: &[],
        lightsaber: Some(Color(0xeb_21_2e)),
        height_m: Some(2.02),
        mass_kg: Some(136.0),
        starships: &["3002"],
    },
    Human {
        id: "1002",
        name: "Han Solo",
        friends: &["1000", "1003", "2001"],
        lightsaber: None,
        height_m: Some(1.8),
        mass_kg: Some(80.0),
        starships: &["3000", "3003"],
    },
    Human {
        id: "1003",
        name: "Leia Organa",
        friends: &["1000", "1002", "2000", "2001"],
        lightsaber: None,
        height_m: Some(1.5),
        mass_kg: None,
        starships: &[],
    },
];

pub const DROIDS: &[Droid] = &[
    Droid { id: "2000", name: "C-3PO", friends: &["1000", "1002", "1003", "2001"], function: "Protocol" },
    Droid { id: "2001", name: "R2-D2", friends: &["1000", "1002", "1003"], function: "Astromech" },
];

pub const STARSHIPS: &[Starship] = &[
    Starship { id: "3000", name: "Millennium Falcon", length_m: 34.37 },
    Starship { id: "3001", name: "X-Wing", length_m: 12.5 },
    Starship { id: "3002", name: "TIE Advanced x1", length_m: 9.2 },
    Starship { id: "3003", name: "Imperial shuttle", length_m: 20.0 },
];

/// What the server stores.
#[derive(Default)]
pub struct Store {
    /// Oldest first.
    pub reviews: Mutex<Vec<(Episode, Review)>>,
}

/// Returns the friends of characters, by the id of the character, and logs the lookup. A database needs one query for it.
pub async fn friends(mut ids: Vec<&'static str>) -> Result<HashMap<&'static str, Vec<Character>>, FieldError> {
    ids.sort_unstable();
    eprintln!("looked up the friends of {}", ids.join(", "));
    let friends = |id: &'static str| {
        let human = HUMANS.iter().find(|human| human.id == id).map(|human| human.friends);
        let droid = DROIDS.iter().find(|droid| droid.id == id).map(|droid| droid.friends);
        Some((id, human.or(droid)?.iter().filter_map(|id| character(id)).collect()))
    };
    Ok(ids.into_iter().filter_map(friends).collect())
}

/// Returns the character with this id.
pub fn character(id: &str) -> Option<Character> {
    let human = HUMANS.iter().find(|human| human.id == id).map(|human| Character::Human(Arc::new(*human)));
    human.or_else(|| DROIDS.iter().find(|droid| droid.id == id).map(|droid| Character::Droid(Arc::new(*droid))))
}

/// Returns the starship with this id.
pub fn starship(id: &str) -> Option<Arc<Starship>> {
    STARSHIPS.iter().find(|starship| starship.id == id).map(|starship| Arc::new(*starship))
}
