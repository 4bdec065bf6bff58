//! Measures a parsed document with its fragments expanded, visiting each fragment once. Runs before the rules, some of which
//! follow fragments.

use super::{Limits, exceeded};
use crate::ast::{Document, OperationKind, Selection};
use crate::error::{Location, Message, RefusalError};

/// The size of a selection, with fragments expanded.
#[derive(Clone, Copy, Default)]
struct Size {
    fields: usize,
    /// The fields of the selection itself.
    own: usize,
    aliases: usize,
    /// Depth of nested fields, without introspection.
    depth: usize,
    /// Depth of nested selection sets, including fragments.
    nesting: usize,
}

impl Size {
    fn plus(self, other: Size) -> Size {
        Size {
            fields: self.fields.saturating_add(other.fields),
            own: self.own.saturating_add(other.own),
            aliases: self.aliases.saturating_add(other.aliases),
            depth: self.depth.max(other.depth),
            nesting: self.nesting.max(other.nesting),
        }
    }
}

/// Checks the limits, and returns the number of selected fields.
pub(crate) fn measure(document: &Document<'_>, limits: &Limits) -> Result<usize, RefusalError> {
    let mut walk = Walk { document, limits, seen: vec![Fragment::New; document.fragments.len()] };
    let mut whole = Size::default();
    for operation in &document.operations {
        let size = walk.set(&operation.set.items, 0)?;
        check(&size, operation.at, limits)?;
        let max = limits.root_mutation_fields_max;
        if operation.kind == OperationKind::Mutation && size.own > max {
            let fields = size.own;
            let detail = format!("The mutation selects {fields} fields at its root; at most {max} are allowed.");
            return Err(exceeded(detail).with_message(Message::TooManyMutations { max }).at(operation.at));
        }
        whole = whole.plus(size);
    }
    // The rules visit unused fragments too.
    for (at, fragment) in document.fragments.iter().enumerate() {
        let size = walk.fragment(at, 0)?;
        within_fields(&size, Some(fragment.at), limits)?;
    }
    within_fields(&whole, None, limits)?;
    Ok(whole.fields)
}

fn check(size: &Size, at: Location, limits: &Limits) -> Result<(), RefusalError> {
    within_fields(size, Some(at), limits)?;
    if size.depth > limits.depth_max {
        let (depth, max) = (size.depth, limits.depth_max);
        let detail = format!("The operation is {depth} fields deep; at most {max} are allowed.");
        return Err(exceeded(detail).with_message(Message::NestedTooDeep).at(at));
    }
    if size.aliases > limits.aliases_max {
        let (aliases, max) = (size.aliases, limits.aliases_max);
        let detail = format!("The operation has {aliases} aliases, fragments written out; at most {max} are allowed.");
        return Err(exceeded(detail).at(at));
    }
    Ok(())
}

fn within_fields(size: &Size, at: Option<Location>, limits: &Limits) -> Result<(), RefusalError> {
    if size.fields <= limits.fields_max {
        return Ok(());
    }
    let (fields, max) = (size.fields, limits.fields_max);
    let error =
        exceeded(format!("The document selects {fields} fields, fragments written out; at most {max} are allowed."));
    Err(match at {
        Some(at) => error.at(at),
        None => error,
    })
}

/// The state of a fragment.
#[derive(Clone, Copy)]
enum Fragment {
    New,
    /// Being visited: a spread of it is a cycle, which a rule refuses.
    Open,
    Walked(Size),
}

struct Walk<'a> {
    document: &'a Document<'a>,
    limits: &'a Limits,
    seen: Vec<Fragment>,
}

impl<'a> Walk<'a> {
    /// `level` is the number of enclosing selection sets; it bounds the recursion.
    fn set(&mut self, items: &'a [Selection<'a>], level: usize) -> Result<Size, RefusalError> {
        if level > self.limits.nesting_max {
            return Err(self.nests_too_deep(items.first().map(Selection::at)));
        }
        let mut sum = Size::default();
        for item in items {
            let size = match item {
                Selection::Field(field) => {
                    let below = if field.set.is_some() { self.set(field.items(), level + 1)? } else { Size::default() };
                    let introspection = field.name.starts_with("__");
                    Size {
                        fields: below.fields.saturating_add(1),
                        own: 1,
                        aliases: below.aliases.saturating_add(usize::from(field.alias.is_some())),
                        depth: if introspection { 0 } else { below.depth + 1 },
                        nesting: below.nesting + 1,
                    }
                }
                Selection::Inline(inline) => {
                    let below = self.set(&inline.set.items, level + 1)?;
                    Size { nesting: below.nesting + 1, ..below }
                }
                Selection::Spread(spread) => {
                    // A rule refuses unknown fragments.
                    let below = match self.document.fragment(spread.name.text) {
                        Some((at, _)) => self.fragment(at, level + 1)?,
                        None => Size::default(),
                    };
                    if level + 1 + below.nesting > self.limits.nesting_max {
                        return Err(self.nests_too_deep(Some(spread.at)));
                    }
                    // A spread counts at least 1.
                    Size { nesting: below.nesting + 1, fields: below.fields.max(1), ..below }
                }
            };
            sum = sum.plus(size);
        }
        Ok(sum)
    }

    fn fragment(&mut self, at: usize, level: usize) -> Result<Size, RefusalError> {
        match self.seen[at] {
            Fragment::Walked(size) => Ok(size),
            Fragment::Open => Ok(Size::default()),
            Fragment::New => {
                self.seen[at] = Fragment::Open;
                let size = self.set(&self.document.fragments[at].set.items, level)?;
                self.seen[at] = Fragment::Walked(size);
                Ok(size)
            }
        }
    }

    #[cold]
    fn nests_too_deep(&self, at: Option<Location>) -> RefusalError {
        let max = self.limits.nesting_max;
        let detail = format!("The document nests deeper than {max} levels once fragments are written out.");
        let error = exceeded(detail).with_message(Message::NestedTooDeep);
        match at {
            Some(at) => error.at(at),
            None => error,
        }
    }
}
