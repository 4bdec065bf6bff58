//! Numbers the coordinates of a schema, so that the coordinates that an operation uses fit into a bit set: `Human.name`,
//! `Query.human(id:)`, `ReviewInput.stars`, `Episode.JEDI`.
//!
//! Built with the model of a version; used by [`super::used_coordinates`] and by the coercion of variables. Source: GraphQL
//! specification, section 3.14 (schema coordinates).

use schema::coordinate::{argument, member};
use schema::model::{Kind, Schema};

/// Identifies a coordinate in its version: its position in [`Coordinates::names`].
pub(super) type CoordinateId = u32;

/// The coordinates of a version, which is kept for the process.
pub(super) struct Coordinates {
    /// Sorted; the index is the id.
    pub names: Box<[&'static str]>,
}

impl Coordinates {
    /// Lists types with their fields, arguments and values, without built-in types and directives.
    pub(super) fn of(schema: &Schema) -> Self {
        let mut names = vec![];
        for ty in &schema.types {
            names.push(ty.name.clone());
            for field in ty.fields() {
                let at = member(&ty.name, &field.name);
                names.push(at.clone());
                names.extend(field.args.iter().map(|input| argument(&at, &input.name)));
            }
            match &ty.kind {
                Kind::Input { fields, .. } => names.extend(fields.iter().map(|f| member(&ty.name, &f.name))),
                Kind::Enum { values } => names.extend(values.iter().map(|v| member(&ty.name, &v.name))),
                _ => {}
            }
        }
        names.sort_unstable();
        let mut rest: &'static str = names.concat().leak();
        let mut kept = Vec::with_capacity(names.len());
        for name in &names {
            let (name, tail) = rest.split_at(name.len());
            kept.push(name);
            rest = tail;
        }
        Self { names: kept.into() }
    }

    /// Returns the id of a coordinate, or `None` if the schema does not define it.
    pub(super) fn id(&self, name: &str) -> Option<CoordinateId> {
        let index = self.names.binary_search(&name).ok()?;
        Some(CoordinateId::try_from(index).expect("a schema is smaller than 4 GB"))
    }
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
