//! The entities of the cases: one type for all versions.

#[derive(Clone, Debug)]
pub struct Card {
    pub id: u32,
    pub title: String,
    pub theme: u32,
}

#[derive(Clone, Debug)]
pub struct Theme {
    pub id: u32,
}
