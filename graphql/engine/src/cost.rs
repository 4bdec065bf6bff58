//! The cost of an operation in points: 0 for a leaf, 1 for an object, 2 and the page size for a connection, 10
//! for a mutation.
//!
//! The cost is computed once, with the plan; a request adds the page sizes in its variables.
//!
//! A list of objects costs as one object, because its length is unknown in advance. A connection costs 2 for itself with its
//! `edges` and `pageInfo`, and for each item of the page 1 and the cost of the selected node.

use super::limit::Limits;
use super::plan::{Field, Given, Plan, Selection};
use super::value::{Value, Variables};

/// The cost of a selection: fixed points, and connections whose page sizes depend on the request.
#[derive(Debug, Default)]
pub(super) struct Cost {
    points: u32,
    pages: Vec<Page>,
}

/// The cost of a connection.
#[derive(Debug)]
struct Page {
    first: Size,
    last: Size,
    /// The cost of each item.
    each: Cost,
}

/// A page size, as far as the document determines it.
#[derive(Debug)]
enum Size {
    Absent,
    Fixed(i32),
    Variable { index: usize, default: Option<i32> },
}

impl Cost {
    /// Computes the cost of an operation.
    pub(super) fn new(plan: &Plan, limits: &Limits) -> Self {
        Self::measure(&plan.root, plan.mutation, limits)
    }

    fn measure(root: &Selection, mutation: bool, limits: &Limits) -> Self {
        let mut cost = Self::default();
        for field in &root.fields {
            cost.add(field, mutation, limits);
        }
        cost
    }

    fn add(&mut self, field: &Field, mutation: bool, limits: &Limits) {
        if field.select.is_empty() {
            return;
        }
        if let Some(connection) = connection(field) {
            let mut each = Self { points: limits.object_cost, pages: Vec::new() };
            node_selections(connection).for_each(|node| each.add_all(node, limits));
            self.points = self.points.saturating_add(limits.connection_cost);
            self.pages.push(Page { first: Size::read(field, "first"), last: Size::read(field, "last"), each });
            return;
        }
        self.points = self.points.saturating_add(if mutation { limits.mutation_cost } else { limits.object_cost });
        if field.name.starts_with("__") {
            return; // introspection is written down beforehand
        }
        // The value has one of the possible types: the most expensive one counts.
        let mut highest = 0;
        for (_, selection) in &field.select {
            let below = Self::measure(selection, false, limits);
            highest = highest.max(below.points);
            self.pages.extend(below.pages);
        }
        self.points = self.points.saturating_add(highest);
    }

    fn add_all(&mut self, selection: &Selection, limits: &Limits) {
        selection.fields.iter().for_each(|field| self.add(field, false, limits));
    }

    /// Returns the points of a request with these variables.
    pub(super) fn points(&self, variables: &Variables, limits: &Limits) -> u32 {
        self.sum(variables, limits).max(limits.request_cost_min)
    }

    fn sum(&self, variables: &Variables, limits: &Limits) -> u32 {
        self.pages.iter().fold(self.points, |sum, page| {
            let size = page.first.value(variables).or_else(|| page.last.value(variables));
            // The resolver refuses a size over the limit.
            let size = size
                .map_or(limits.page_size_default, |size| usize::try_from(size).unwrap_or(0).min(limits.page_size_max));
            let places = u32::try_from(size).unwrap_or(u32::MAX);
            sum.saturating_add(places.saturating_mul(page.each.sum(variables, limits)))
        })
    }

    /// Estimates the heap size.
    pub(super) fn bytes(&self) -> usize {
        self.pages.iter().map(|page| size_of::<Page>() + page.each.bytes()).sum()
    }
}

impl Size {
    fn read(field: &Field, name: &str) -> Self {
        let number = |value: &Value| if let Value::Int(n) = value { Some(*n) } else { None };
        let given = field.arguments.iter().find(|argument| argument.name == name).map(|argument| &argument.given);
        match given {
            Some(Given::Constant(value)) => number(value).map_or(Size::Absent, Size::Fixed),
            Some(Given::Variable { index, default, .. }) => {
                Size::Variable { index: *index, default: default.as_ref().and_then(number) }
            }
            Some(Given::Partial(_)) | None => Size::Absent,
        }
    }

    fn value(&self, variables: &Variables) -> Option<i32> {
        match self {
            Size::Absent => None,
            Size::Fixed(size) => Some(*size),
            Size::Variable { index, default } => match &variables[*index] {
                Some(Value::Int(size)) => Some(*size),
                Some(_) => None,
                None => *default,
            },
        }
    }
}

/// Returns the selection of a connection, if the field is one (by the name of its type, as in Relay's specification).
fn connection(field: &Field) -> Option<&Selection> {
    match &field.select[..] {
        [(name, selection)] if name.ends_with("Connection") => Some(selection),
        _ => None,
    }
}

/// Returns the selections of a connection's nodes, under `nodes` and under `edges.node`.
fn node_selections(connection: &Selection) -> impl Iterator<Item = &Selection> {
    fn below(field: &Field) -> Option<&Selection> {
        field.select.first().map(|(_, selection)| selection)
    }
    connection.fields.iter().flat_map(move |field| {
        let edge = (field.name == "edges").then(|| below(field)).flatten();
        let through_edges = edge.into_iter().flat_map(|edge| edge.fields.iter()).filter(|field| field.name == "node");
        let direct = (field.name == "nodes").then_some(field);
        through_edges.chain(direct).filter_map(below).collect::<Vec<_>>()
    })
}
