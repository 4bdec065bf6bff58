//! Fields with the same response key can be merged.
//!
//! <https://spec.graphql.org/September2025/#sec-Field-Selection-Merging>
//!
//! graphql-js compares each pair of selection sets, which is quadratic. This is the algorithm of Simon Adameit, "GraphQL:
//! Overlapping fields can be merged fast" (XING, 2020): collect all fields of a level, group them by response key, compare each field
//! of a group with the first, and go on with the fields below the whole group. Two passes do so, one for each part of the rule:
//!
//! 1. `same_shape` (SameResponseShape): all fields of a group have the same type, or all are objects. After it, every value at one
//!    place of the response has one shape, whatever object it belongs to.
//! 2. `same_field` (FieldsInSetCanMerge): a group is split by object type first, since only one of two object types applies; a field
//!    on an interface or union is part of every split. Within a split all fields have one name and the same arguments.
//!
//! For example, with `Dog` and `Cat` as types of `pet`:
//!
//! ```graphql
//! { pet { ... on Dog { sound: bark } ... on Cat { sound: meow } } }
//! ```
//!
//! The level of `pet` has one group, `sound`, with two fields. Pass 1 compares the types of `bark` and `meow`. Pass 2 splits the group
//! into `[bark]` and `[meow]`, and compares nothing. With `... on Pet { sound: name }` beside them, pass 2 compares `name` with both.
//!
//! In pass 1 a field is in one group, so the pass is linear. In pass 2 a field on an interface is compared once for each split, so
//! the number of comparisons is limited (`Limits::merged_fields_max`).

use crate::ast::{Argument, Literal, Selection};
use crate::definition::Type;
use crate::error::RefusalError;
use crate::limit::exceeded;
use crate::small_map::{NameFilter, SmallMap};
use crate::visit::{RuleContext, TypedField};

/// Checks a document without cycles of fragments. Fails if it needs too many comparisons.
pub(super) fn check(cx: &mut RuleContext<'_>) -> Result<(), RefusalError> {
    let (model, document) = (cx.model, cx.document);
    let mut overlap = Overlap { cx, steps: 0 };
    for operation in &document.operations {
        let Some(root) = model.root(operation.kind) else { continue };
        if all_differ(&operation.set.items) {
            continue;
        }
        let fields = overlap.collect(Some(root), &operation.set.items);
        overlap.same_shape(&fields)?;
        overlap.same_field(fields)?;
    }
    Ok(())
}

/// The maximum size of a selection set for the quick check.
const PAIRED_MAX: usize = 32;

/// A quick check that holds for most documents: returns whether no two fields of this set, or of a set below it, share a
/// response key. Sets with fragments, and large ones, return `false`.
fn all_differ(items: &[Selection<'_>]) -> bool {
    if items.len() > PAIRED_MAX {
        return false;
    }
    let mut seen = NameFilter::default();
    for (at, item) in items.iter().enumerate() {
        let Selection::Field(field) = item else { return false };
        let key = field.response_key();
        let is_other = |other: &Selection<'_>| matches!(other, Selection::Field(other) if other.response_key() != key);
        let differs = !seen.add(key) || items[..at].iter().all(is_other);
        if !differs || !field.set.as_ref().is_none_or(|set| all_differ(&set.items)) {
            return false;
        }
    }
    true
}

/// The fields by response key.
type Grouped<'a> = SmallMap<'a, Vec<TypedField<'a>>>;

/// Returns why two fields conflict.
type Conflict<'a> = fn(TypedField<'a>, TypedField<'a>) -> Option<String>;

struct Overlap<'c, 'a> {
    cx: &'c mut RuleContext<'a>,
    steps: usize,
}

impl<'a> Overlap<'_, 'a> {
    /// Returns the fields of a selection set, each fragment expanded once.
    fn collect(&self, parent: Option<&'static Type>, set: &'a [Selection<'a>]) -> Vec<TypedField<'a>> {
        let (mut fields, mut seen) = (Vec::new(), SmallMap::default());
        self.collect_set(parent, set, &mut fields, &mut seen);
        fields
    }

    /// The recursion is bounded by the nesting limit, which counts spreads.
    fn collect_set(
        &self,
        parent: Option<&'static Type>,
        set: &'a [Selection<'a>],
        fields: &mut Vec<TypedField<'a>>,
        seen: &mut SmallMap<'a, ()>,
    ) {
        let RuleContext { model, document, .. } = *self.cx;
        for item in set {
            match item {
                Selection::Field(field) => {
                    fields.push(TypedField { field, parent, definition: field.definition.get() });
                }
                Selection::Inline(inline) => {
                    let parent = inline.on.map_or(parent, |on| model.composite(on.text));
                    self.collect_set(parent, &inline.set.items, fields, seen);
                }
                Selection::Spread(spread) => {
                    if let Some((_, fragment)) = document.fragment(spread.name.text)
                        && seen.add(fragment.name.text, ()).is_none()
                    {
                        self.collect_set(model.composite(fragment.on.text), &fragment.set.items, fields, seen);
                    }
                }
            }
        }
    }

    /// Pass 1: checks that each response key has one shape.
    fn same_shape(&mut self, fields: &[TypedField<'a>]) -> Result<(), RefusalError> {
        for (key, group) in self.grouped(fields)?.entries {
            if !self.reports(key, &group, shapes) {
                self.same_shape(&self.below(&group))?;
            }
        }
        Ok(())
    }

    /// Pass 2: checks that on one object each response key is one field with the same arguments.
    fn same_field(&mut self, fields: Vec<TypedField<'a>>) -> Result<(), RefusalError> {
        for (key, group) in self.grouped(&fields)?.entries {
            for together in on_one_object(group) {
                if !self.reports(key, &together, differs) {
                    self.same_field(self.below(&together))?;
                }
            }
        }
        Ok(())
    }

    fn grouped(&mut self, fields: &[TypedField<'a>]) -> Result<Grouped<'a>, RefusalError> {
        self.steps += fields.len();
        if self.steps > self.cx.limits.merged_fields_max {
            return Err(exceeded("The document merges too many fields of different types.".to_owned()));
        }
        let mut groups = Grouped::default();
        for field in fields {
            groups.or_insert_with(field.field.response_key(), Vec::new).push(*field);
        }
        Ok(groups)
    }

    fn below(&self, group: &[TypedField<'a>]) -> Vec<TypedField<'a>> {
        let (mut fields, mut seen) = (Vec::new(), SmallMap::default());
        for TypedField { field, definition, .. } in group {
            let parent = definition.and_then(|definition| self.cx.model.type_of(definition));
            self.collect_set(parent, field.items(), &mut fields, &mut seen);
        }
        fields
    }

    /// Compares each field of a group with the first; reports the first conflict. Returns whether there is one.
    fn reports(&mut self, key: &str, group: &[TypedField<'a>], conflict: Conflict<'a>) -> bool {
        let [first, others @ ..] = group else { return false };
        let found = others.iter().find_map(|other| Some((*other, conflict(*first, *other)?)));
        if let Some((other, why)) = &found {
            self.report(key, why, *first, *other);
        }
        found.is_some()
    }

    #[cold]
    fn report(&mut self, key: &str, why: &str, first: TypedField<'a>, other: TypedField<'a>) {
        let places = [first.field.at, other.field.at];
        // Both parts of the rule may find the same pair.
        if self.cx.errors.list.iter().any(|error| error.locations == places) {
            return;
        }
        self.cx.errors.add(&places, || {
            let hint = "Use different aliases on the fields to fetch both if this was intentional.";
            format!("Fields \"{key}\" conflict because {why}. {hint}")
        });
    }
}

/// Returns why two fields have different shapes, without the fields below them.
fn shapes(a: TypedField<'_>, b: TypedField<'_>) -> Option<String> {
    let (a, b) = (a.definition?, b.definition?);
    let (a_ty, b_ty) = (&a.ty, &b.ty);
    let agree = a_ty.wrap == b_ty.wrap && (a_ty.name == b_ty.name || (a.has_fields() && b.has_fields()));
    (!agree).then(|| format!("they return conflicting types \"{a_ty}\" and \"{b_ty}\""))
}

/// Returns why two fields of one object cannot be merged.
fn differs(a: TypedField<'_>, b: TypedField<'_>) -> Option<String> {
    let (a_name, b_name) = (a.field.name, b.field.name);
    if a_name != b_name {
        return Some(format!("\"{a_name}\" and \"{b_name}\" are different fields"));
    }
    (!same_arguments(&a.field.arguments, &b.field.arguments)).then(|| "they have differing arguments".to_owned())
}

/// Splits fields into groups that can apply to the same object: one for each object type, with all fields on abstract types.
fn on_one_object(group: Vec<TypedField<'_>>) -> Vec<Vec<TypedField<'_>>> {
    if let [_] = group[..] {
        return vec![group];
    }
    let is_object = |field: &TypedField<'_>| field.parent.is_some_and(|parent| parent.is_object());
    let (on_objects, on_any): (Vec<_>, Vec<_>) = group.into_iter().partition(is_object);
    let mut by_object = SmallMap::default();
    for field in on_objects {
        let name = field.parent.map_or("", |parent| parent.name);
        by_object.or_insert_with(name, || on_any.clone()).push(field);
    }
    match by_object.entries.is_empty() {
        true => vec![on_any],
        false => by_object.entries.into_iter().map(|(_, fields)| fields).collect(),
    }
}

fn same_arguments(a: &[Argument<'_>], b: &[Argument<'_>]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut known = SmallMap::default();
    for argument in b {
        known.add(argument.name.text, &argument.value.literal);
    }
    let same = |a: &Argument<'_>| known.get(a.name.text).is_some_and(|b| same_value(&a.value.literal, b));
    a.iter().all(same)
}

/// Compares values; the order of object fields does not matter. The recursion is bounded by the nesting limit.
fn same_value(a: &Literal<'_>, b: &Literal<'_>) -> bool {
    match (a, b) {
        (Literal::Variable(a), Literal::Variable(b))
        | (Literal::Int(a), Literal::Int(b))
        | (Literal::Float(a), Literal::Float(b))
        | (Literal::Enum(a), Literal::Enum(b)) => a == b,
        (Literal::String(a), Literal::String(b)) => a == b,
        (Literal::Boolean(a), Literal::Boolean(b)) => a == b,
        (Literal::Null, Literal::Null) => true,
        (Literal::List(a), Literal::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(&a.literal, &b.literal))
        }
        (Literal::Object(a), Literal::Object(b)) => {
            let mut known = SmallMap::default();
            for field in b {
                known.add(field.name.text, &field.value.literal);
            }
            let same = |name, value| known.get(name).is_some_and(|known| same_value(value, known));
            a.len() == b.len() && a.iter().all(|field| same(field.name.text, &field.value.literal))
        }
        _ => false,
    }
}
