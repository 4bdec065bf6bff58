//! Limits on a parsed document, with every fragment written out but each walked once: they stand before the rules, some
//! of which walk a fragment as often as it is spread.

use std::collections::HashMap;

use async_graphql::Pos;
use async_graphql::parser::types::{ExecutableDocument, OperationType, Selection, SelectionSet};

use super::{Limits, exceeded};
use crate::graphql::code;
use crate::graphql::error::RefusalError;

/// What a selection asks for, its fragments written out.
#[derive(Clone, Copy, Default)]
struct Size {
    fields: usize,
    aliases: usize,
    /// Fields inside each other, introspection left out.
    depth: usize,
    /// Selection sets inside each other, fragments included.
    nesting: usize,
}

impl Size {
    fn beside(self, other: Size) -> Size {
        Size {
            fields: self.fields.saturating_add(other.fields),
            aliases: self.aliases.saturating_add(other.aliases),
            depth: self.depth.max(other.depth),
            nesting: self.nesting.max(other.nesting),
        }
    }
}

/// Refuses a document that asks for too much, or whose fragments never end; else tells how many fields it selects.
pub(in crate::graphql) fn measure(document: &ExecutableDocument, limits: &Limits) -> Result<usize, RefusalError> {
    let mut walk = Walk { document, limits, seen: HashMap::new() };
    let mut whole = Size::default();
    for (_, operation) in document.operations.iter() {
        let size = walk.set(&operation.node.selection_set.node, 0)?;
        check(&size, operation.pos, limits)?;
        if operation.node.ty == OperationType::Mutation {
            let fields = walk.root_fields(&operation.node.selection_set.node);
            if fields > limits.root_mutation_fields_max {
                let max = limits.root_mutation_fields_max;
                let detail = format!("The mutation selects {fields} fields at its root; at most {max} are allowed.");
                return Err(exceeded(detail).at(operation.pos));
            }
        }
        whole = whole.beside(size);
    }
    // Fragments that no operation spreads are walked by the rules as well.
    for fragment in document.fragments.values() {
        let size = walk.set(&fragment.node.selection_set.node, 0)?;
        within_fields(&size, Some(fragment.pos), limits)?;
    }
    within_fields(&whole, None, limits)?;
    Ok(whole.fields)
}

fn check(size: &Size, at: Pos, limits: &Limits) -> Result<(), RefusalError> {
    within_fields(size, Some(at), limits)?;
    if size.depth > limits.depth_max {
        let (depth, max) = (size.depth, limits.depth_max);
        return Err(exceeded(format!("The operation is {depth} fields deep; at most {max} are allowed.")).at(at));
    }
    if size.aliases > limits.aliases_max {
        let (aliases, max) = (size.aliases, limits.aliases_max);
        let detail = format!("The operation has {aliases} aliases, fragments written out; at most {max} are allowed.");
        return Err(exceeded(detail).at(at));
    }
    Ok(())
}

fn within_fields(size: &Size, at: Option<Pos>, limits: &Limits) -> Result<(), RefusalError> {
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

struct Walk<'a> {
    document: &'a ExecutableDocument,
    limits: &'a Limits,
    /// Fragments that were walked; `None` while one is being walked.
    seen: HashMap<&'a str, Option<Size>>,
}

impl<'a> Walk<'a> {
    /// `level` selection sets are open around this one.
    fn set(&mut self, set: &'a SelectionSet, level: usize) -> Result<Size, RefusalError> {
        self.within_nesting(level, set.items.first().map(|item| item.pos))?;
        let mut sum = Size::default();
        for item in &set.items {
            let size = match &item.node {
                Selection::Field(field) => {
                    let below = self.set(&field.node.selection_set.node, level + 1)?;
                    let introspection = field.node.name.node.starts_with("__");
                    Size {
                        fields: below.fields.saturating_add(1),
                        aliases: below.aliases.saturating_add(usize::from(field.node.alias.is_some())),
                        depth: if introspection { 0 } else { below.depth + 1 },
                        nesting: below.nesting + 1,
                    }
                }
                Selection::InlineFragment(fragment) => {
                    let below = self.set(&fragment.node.selection_set.node, level + 1)?;
                    Size { nesting: below.nesting + 1, ..below }
                }
                Selection::FragmentSpread(spread) => self.spread(&spread.node.fragment_name.node, spread.pos, level)?,
            };
            sum = sum.beside(size);
        }
        Ok(sum)
    }

    fn spread(&mut self, name: &'a str, at: Pos, level: usize) -> Result<Size, RefusalError> {
        // Refused here and not left to the rules: one of them would follow every path that leads to it, and their number
        // doubles with each level of fragments that spread the next one twice.
        let Some(fragment) = self.document.fragments.get(name) else {
            let detail = format!("Unknown fragment \"{name}\".");
            return Err(RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, detail).at(at));
        };
        let below = match self.seen.get(name) {
            Some(Some(size)) => *size,
            // Said here and not left to the rules: they would follow the cycle first.
            Some(None) => {
                let detail = format!("The fragment \"{name}\" spreads itself, directly or through other fragments.");
                return Err(RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, detail).at(at));
            }
            None => {
                self.seen.insert(name, None);
                let size = self.set(&fragment.node.selection_set.node, level + 1)?;
                self.seen.insert(name, Some(size));
                size
            }
        };
        self.within_nesting(level + 1 + below.nesting, Some(at))?;
        // A spread counts even if what it spreads counts nothing.
        Ok(Size { nesting: below.nesting + 1, fields: below.fields.max(1), ..below })
    }

    fn within_nesting(&self, level: usize, at: Option<Pos>) -> Result<(), RefusalError> {
        let max = self.limits.nesting_max;
        if level <= max {
            return Ok(());
        }
        let error = exceeded(format!("The document nests deeper than {max} levels once fragments are written out."));
        Err(match at {
            Some(at) => error.at(at),
            None => error,
        })
    }

    /// The fields of a root, through fragments. The nesting is known to be small and the fields to be few.
    fn root_fields(&self, set: &SelectionSet) -> usize {
        let fields = set.items.iter().map(|item| match &item.node {
            Selection::Field(_) => 1,
            Selection::InlineFragment(fragment) => self.root_fields(&fragment.node.selection_set.node),
            Selection::FragmentSpread(spread) => {
                let fragment = self.document.fragments.get(&spread.node.fragment_name.node);
                fragment.map_or(0, |fragment| self.root_fields(&fragment.node.selection_set.node))
            }
        });
        fields.sum()
    }
}
