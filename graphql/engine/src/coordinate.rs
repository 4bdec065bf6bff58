//! Numbers the coordinates of a schema, so that the coordinates that an operation uses fit into a bit set: `Human.name`,
//! `Query.human(id:)`, `ReviewInput.stars`, `Episode.JEDI`.
//!
//! Source: GraphQL specification, section 3.14 (schema coordinates).

use dated_graphql_schema::coordinate::{argument, member};

use super::definition::{CoordinateId, Kind, Type};

/// The coordinates of a version in document order: types with their fields, arguments and values, without built-in types and
/// directives.
pub(super) type CoordinateNames = &'static [&'static str];

/// Numbers the coordinates of types, and returns their names, which are kept for the process in one text.
pub(super) fn number(types: &mut [Type]) -> CoordinateNames {
    let (mut text, mut ends) = (String::new(), vec![]);
    let mut add = |name: &str| {
        text.push_str(name);
        ends.push(text.len());
        Some(CoordinateId::try_from(ends.len() - 1).expect("a schema is smaller than 4 GB"))
    };
    for ty in types {
        let name = ty.name;
        ty.coordinate = add(name);
        for field in ty.kind.fields_mut() {
            let at = member(name, field.name);
            field.coordinate = add(&at);
            field.arguments.iter_mut().for_each(|input| input.coordinate = add(&argument(&at, input.name)));
        }
        match &mut ty.kind {
            Kind::Input(input) => {
                input.fields.iter_mut().for_each(|field| field.coordinate = add(&member(name, field.name)));
            }
            Kind::Enum { values } => {
                values.iter_mut().for_each(|value| value.coordinate = add(&member(name, value.name)));
            }
            _ => {}
        }
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let names: Box<[_]> = starts.zip(&ends).map(|(start, end)| &text[start..*end]).collect();
    Box::leak(names)
}

/// A set of coordinates of a version: 64 in each word, the first in the lowest bit.
#[derive(Debug, Default)]
pub(super) struct CoordinateSet(Vec<u64>);

impl CoordinateSet {
    /// Adds a coordinate, if there is one.
    pub(super) fn insert(&mut self, id: impl Into<Option<CoordinateId>>) {
        let Some(id) = id.into() else { return };
        let (word, bit) = (id as usize / 64, id % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    /// Returns the words of the union of both sets.
    pub(super) fn with<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u64> + 'a {
        let word = |set: &Self, at: usize| set.0.get(at).copied().unwrap_or_default();
        (0..self.0.len().max(other.0.len())).map(move |at| word(self, at) | word(other, at))
    }

    /// Returns the heap size.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}
