//! Reads JSON without keeping it: what kind a value has, and the members of an object that are asked for.
//!
//! The variables of a request stay text until the operation that declares them is known. A tree of JSON takes up to a hundred
//! times the memory of its text, so undeclared variables are skipped.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The kind of a JSON value. To deserialize it reads the value, strings and numbers too, and keeps none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean(bool),
    Number,
    String,
    List,
    Object,
}

impl Kind {
    /// Returns the kind with its article.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean(_) => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::List => "a list",
            Kind::Object => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Boolean(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Kind, E> {
        Ok(Kind::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Kind, E> {
        Ok(Kind::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Kind, E> {
        Ok(Kind::Number)
    }

    fn visit_str<E>(self, _: &str) -> Result<Kind, E> {
        Ok(Kind::String)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Kind, A::Error> {
        while items.next_element::<Kind>()?.is_some() {}
        Ok(Kind::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Kind, A::Error> {
        while members.next_entry::<Kind, Kind>()?.is_some() {}
        Ok(Kind::Object)
    }
}

/// Takes members of a JSON object as they are read. Of members with the same name the last one counts.
pub(super) trait TakeMember {
    /// Returns the position of a member that is asked for.
    fn position(&self, name: &str) -> Option<usize>;

    /// Reads the value of the member at `position`.
    fn take<'de, A: MapAccess<'de>>(&mut self, position: usize, members: &mut A) -> Result<(), A::Error>;
}

/// Gives the members of `object`, the text of a JSON object, to `taker`, and skips members without a position.
pub(super) fn take_members(object: &str, taker: &mut impl TakeMember) -> serde_json::Result<()> {
    serde_json::Deserializer::from_str(object).deserialize_map(Members(taker))
}

struct Members<'t, T>(&'t mut T);

impl<'de, T: TakeMember> Visitor<'de> for Members<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(position) = members.next_key_seed(Name(|name: &str| self.0.position(name)))? {
            match position {
                Some(position) => self.0.take(position, &mut members)?,
                None => _ = members.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

/// Reads the name of a member, and returns what the function makes of it.
pub(super) struct Name<F>(pub F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for Name<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Name<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<T, E> {
        Ok((self.0)(name))
    }
}
