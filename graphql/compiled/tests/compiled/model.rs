//! The entities of the cases, one type for all versions, and the scalar `ID`.

use dated_graphql::{FieldError, JsonWriter, Leaf};

#[derive(Clone, Copy, Debug)]
pub struct Id(pub u32);

impl Leaf for Id {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        format!("gid/{}", self.0).write(out)
    }
}

#[derive(Clone, Debug)]
pub struct Book {
    pub id: u32,
    pub title: String,
    pub theme: u32,
}

#[derive(Clone, Debug)]
pub struct Theme {
    pub id: u32,
}

/// A category and those above it: `a/b` is below `a`.
#[derive(Clone, Debug)]
pub struct Category(pub String);

#[derive(Clone, Debug)]
pub struct Tag(pub String);

/// A person whose friends are friends of theirs.
#[derive(Clone, Debug)]
pub struct Person {
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct Address;

#[derive(Clone, Debug)]
pub struct Machine {
    pub speed: f64,
}

#[derive(Clone, Debug)]
pub struct City;

#[derive(Clone, Debug)]
pub struct Stadium;

#[derive(Clone, Debug)]
pub struct Tip;
