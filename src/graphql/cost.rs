//! What an operation costs, in points (decisions H8): a leaf nothing, an object 1, a connection 2 and its page size, a
//! mutation 10.
//!
//! The price is worked out once, with the plan; a request then adds the page sizes of its variables. What was really
//! answered is counted only for a caller that asks.
//!
//! A list of objects costs like one object: how long it is stands in no document. A connection costs 2 for itself with
//! its `edges` and `pageInfo`, and for each place on its page 1 and what is selected of the node.

use serde_json::Value as Json;

use super::plan::{Field, Given, Plan, Selection};
use super::value::{Value, Variables};
use crate::base::limits::{
    COST_CONNECTION, COST_MUTATION, COST_OBJECT, COST_REQUEST_MIN, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX,
};

/// The price of a selection: what is fixed, and its connections, which depend on the request.
#[derive(Debug, Default)]
pub(super) struct Cost {
    points: u32,
    pages: Vec<Page>,
}

/// A connection in a price.
#[derive(Debug)]
struct Page {
    first: Size,
    last: Size,
    /// What each place costs.
    each: Cost,
}

/// A page size, as it is known before the request.
#[derive(Debug)]
enum Size {
    Absent,
    Fixed(i32),
    Variable { index: usize, default: Option<i32> },
}

impl Cost {
    /// The cost of an operation.
    pub fn new(plan: &Plan) -> Self {
        Self::of(&plan.root, plan.mutation)
    }

    fn of(root: &Selection, mutation: bool) -> Self {
        let mut cost = Self::default();
        for field in &root.fields {
            cost.add(field, mutation);
        }
        cost
    }

    fn add(&mut self, field: &Field, mutation: bool) {
        if let Some(connection) = connection(field) {
            let mut each = Self { points: COST_OBJECT, pages: Vec::new() };
            node_selections(connection).for_each(|node| each.add_all(node));
            self.points = self.points.saturating_add(COST_CONNECTION);
            self.pages.push(Page { first: Size::of(field, "first"), last: Size::of(field, "last"), each });
            return;
        }
        if field.select.is_empty() {
            return;
        }
        self.points = self.points.saturating_add(if mutation { COST_MUTATION } else { COST_OBJECT });
        if field.name.starts_with("__") {
            return; // introspection is written down beforehand
        }
        // Of the types that can be here, one will be: the dearest is reckoned with.
        let mut dearest = 0;
        for (_, selection) in &field.select {
            let below = Self::of(selection, false);
            dearest = dearest.max(below.points);
            self.pages.extend(below.pages);
        }
        self.points = self.points.saturating_add(dearest);
    }

    fn add_all(&mut self, selection: &Selection) {
        selection.fields.iter().for_each(|field| self.add(field, false));
    }

    /// The points of a request with these variables.
    pub fn points(&self, variables: &Variables) -> u32 {
        self.sum(variables).max(COST_REQUEST_MIN)
    }

    fn sum(&self, variables: &Variables) -> u32 {
        self.pages.iter().fold(self.points, |sum, page| {
            let size = page.first.value(variables).or_else(|| page.last.value(variables));
            // A size beyond the limit is refused where it is used, not here.
            let size = size.map_or(PAGE_SIZE_DEFAULT, |size| usize::try_from(size).unwrap_or(0).min(PAGE_SIZE_MAX));
            let places = u32::try_from(size).unwrap_or(u32::MAX);
            sum.saturating_add(places.saturating_mul(page.each.sum(variables)))
        })
    }

    /// About how much memory it takes beside itself.
    pub fn bytes(&self) -> usize {
        self.pages.iter().map(|page| size_of::<Page>() + page.each.bytes()).sum()
    }
}

impl Size {
    fn of(field: &Field, name: &str) -> Self {
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

/// What a field selects of a connection, where it is one (Relay's specification: the name of its type says so).
fn connection(field: &Field) -> Option<&Selection> {
    match &field.select[..] {
        [(name, selection)] if name.ends_with("Connection") => Some(selection),
        _ => None,
    }
}

/// Everything that is selected of a connection's nodes: through `nodes`, and through the `node` of `edges`.
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

/// What an answer really held, by the same prices.
pub(super) fn answered(plan: &Plan, data: &Json) -> u32 {
    let sum = plan.root.fields.iter().map(|field| of_field(field, &data[field.response_key()], plan.mutation));
    sum.fold(0, u32::saturating_add).max(COST_REQUEST_MIN)
}

fn of_field(field: &Field, value: &Json, mutation: bool) -> u32 {
    if field.select.is_empty() || value.is_null() {
        return 0;
    }
    if let Some(connection) = connection(field) {
        return COST_CONNECTION.saturating_add(of_connection(connection, value));
    }
    let own = if mutation { COST_MUTATION } else { COST_OBJECT };
    if field.name.starts_with("__") {
        return own;
    }
    match value {
        Json::Array(items) => {
            let dearest = items.iter().map(|item| of_object(field, item)).max();
            dearest.map_or(0, |below| own.saturating_add(below))
        }
        object => own.saturating_add(of_object(field, object)),
    }
}

/// What is below an object. Its type is the one of which it holds every key.
fn of_object(field: &Field, object: &Json) -> u32 {
    let is_it = |selection: &Selection| selection.fields.iter().all(|below| object.get(below.response_key()).is_some());
    let selection = field.select.iter().map(|(_, selection)| selection).find(|selection| is_it(selection));
    let below = selection.into_iter().flat_map(|selection| &selection.fields);
    below.map(|below| of_field(below, &object[below.response_key()], false)).fold(0, u32::saturating_add)
}

fn of_connection(connection: &Selection, value: &Json) -> u32 {
    let listed = |name: &str| {
        let field = connection.fields.iter().find(|field| field.name == name);
        field.and_then(|field| Some((field, value[field.response_key()].as_array()?)))
    };
    let (edges, nodes) = (listed("edges"), listed("nodes"));
    let places = [&edges, &nodes].into_iter().flatten().map(|(_, items)| items.len()).max().unwrap_or(0);
    let mut sum = u32::try_from(places).unwrap_or(u32::MAX).saturating_mul(COST_OBJECT);
    if let Some((field, items)) = nodes {
        sum = items.iter().map(|node| of_object(field, node)).fold(sum, u32::saturating_add);
    }
    if let Some((field, items)) = edges {
        let node = field.select.first().and_then(|(_, edge)| edge.fields.iter().find(|field| field.name == "node"));
        if let Some(node) = node {
            let each = items.iter().map(|edge| of_object(node, &edge[node.response_key()]));
            sum = each.fold(sum, u32::saturating_add);
        }
    }
    sum
}
