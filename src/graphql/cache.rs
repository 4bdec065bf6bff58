//! Checked documents and their plans, kept by the text of the document; bounded in entries and in bytes.
//!
//! The cache is scan resistant: a document enters it beside those that were asked for again and again, and leaves
//! first. Only documents that passed every rule get here, and each is charged in advance for all the plans it may
//! come to hold.

use std::sync::{Arc, PoisonError, RwLock};

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use async_graphql::{Name, Positioned};
use async_graphql_value::Value as AstValue;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};

use super::coordinate::CoordinateSet;
use super::limit::Limits;
use super::plan::Plan;

/// What a planned field takes, more or less.
const FIELD_BYTES: usize = 512;

/// Plans of about full size that one document keeps.
const VARIANTS: usize = 8;

/// Parts of the cache with a lock of their own.
const SHARDS: usize = 4;

/// A document that passed every rule.
pub(super) struct Checked {
    pub text: Arc<str>,
    /// The coordinates of the schema in it.
    pub named: CoordinateSet,
    pub plans: Plans,
    bytes: usize,
}

/// The plans of a document.
#[allow(clippy::large_enum_variant)] // each lies in an `Arc` of its own
pub(super) enum Plans {
    /// There is one operation and nothing in it is conditional: the document itself is no longer needed.
    Only { operation_name: Option<Name>, plan: Arc<Plan> },
    /// Plans are made as they are asked for.
    Variants(Variants),
}

/// A document, and the plans that were made of it so far.
pub(super) struct Variants {
    pub document: ExecutableDocument,
    pub conditions: Vec<Name>,
    /// What the plans may take together: charged in advance.
    budget_bytes: usize,
    kept: RwLock<Kept>,
}

#[derive(Default)]
struct Kept {
    plans: Vec<(VariantKey, Arc<Plan>)>,
    bytes: usize,
}

/// The operation, and which of the conditions hold.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct VariantKey {
    pub operation_name: Option<Name>,
    pub holding: u64,
}

impl Variants {
    /// `fields` is what the document selects, its fragments written out.
    pub fn new(document: ExecutableDocument, conditions: Vec<Name>, fields: usize) -> Self {
        let budget_bytes = fields.max(4) * FIELD_BYTES * VARIANTS;
        Self { document, conditions, budget_bytes, kept: RwLock::default() }
    }

    pub fn get(&self, operation_name: Option<&str>, holding: u64) -> Option<Arc<Plan>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let is_it = |key: &VariantKey| key.holding == holding && key.operation_name.as_deref() == operation_name;
        kept.plans.iter().find(|(key, _)| is_it(key)).map(|(_, plan)| plan.clone())
    }

    /// Keeps a plan where there is room: one that does not fit is made again when it is asked for.
    pub fn keep(&self, key: VariantKey, plan: &Arc<Plan>) {
        let bytes = plan.bytes();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes <= self.budget_bytes && !kept.plans.iter().any(|(k, _)| *k == key) {
            kept.plans.push((key, plan.clone()));
            kept.bytes += bytes;
        }
    }
}

impl Checked {
    pub fn new(text: Arc<str>, named: CoordinateSet, plans: Plans) -> Self {
        let bytes = match &plans {
            Plans::Only { plan, .. } => plan.bytes(),
            Plans::Variants(variants) => document_bytes(&variants.document) + variants.budget_bytes,
        };
        Self { bytes: size_of::<Self>() + text.len() + named.bytes() + bytes, text, named, plans }
    }
}

/// The documents of one version.
pub(super) struct PlanCache(Cache<Arc<str>, Arc<Checked>, ByBytes, foldhash::fast::RandomState>);

#[derive(Clone)]
struct ByBytes {
    /// What the smallest document counts for, so that bytes bound the entries too.
    least: usize,
}

impl Weighter<Arc<str>, Arc<Checked>> for ByBytes {
    fn weight(&self, _: &Arc<str>, checked: &Arc<Checked>) -> u64 {
        checked.bytes.max(self.least) as u64
    }
}

impl PlanCache {
    pub fn new(limits: &Limits) -> Self {
        let options = OptionsBuilder::new()
            .shards(SHARDS)
            .estimated_items_capacity(limits.plans_max)
            .weight_capacity(limits.plan_bytes_max as u64)
            .build()
            .expect("the options that must be set are set");
        let weighter = ByBytes { least: (limits.plan_bytes_max / limits.plans_max.max(1)).max(1) };
        Self(Cache::with_options(options, weighter, Default::default(), DefaultLifecycle::default()))
    }

    pub fn get(&self, text: &str) -> Option<Arc<Checked>> {
        self.0.get(text)
    }

    pub fn insert(&self, checked: &Arc<Checked>) {
        self.0.insert(checked.text.clone(), checked.clone());
    }

    /// Documents, and about how many bytes they take.
    pub fn kept(&self) -> (usize, usize) {
        (self.0.len(), self.0.weight() as usize)
    }
}

/// About how much memory a parsed document takes.
fn document_bytes(document: &ExecutableDocument) -> usize {
    let operations = document.operations.iter().map(|(_, operation)| {
        let variables = operation.node.variable_definitions.len() * NODE_BYTES;
        variables + set_bytes(&operation.node.selection_set.node)
    });
    let fragments = document.fragments.values().map(|fragment| set_bytes(&fragment.node.selection_set.node));
    operations.chain(fragments).map(|bytes| bytes + NODE_BYTES).sum()
}

/// A field, a fragment or a definition; lists of them have room to grow.
const NODE_BYTES: usize = 2 * size_of::<Positioned<Selection>>() + 64;

/// A value with its name.
const VALUE_BYTES: usize = 2 * size_of::<(Positioned<Name>, Positioned<AstValue>)>() + 64;

fn set_bytes(set: &SelectionSet) -> usize {
    let item = |item: &Positioned<Selection>| {
        let directives = item.node.directives().len() * (NODE_BYTES + VALUE_BYTES);
        let below = match &item.node {
            Selection::Field(field) => {
                let arguments = field.node.arguments.iter().map(|(_, value)| value_bytes(&value.node));
                arguments.sum::<usize>() + set_bytes(&field.node.selection_set.node)
            }
            Selection::InlineFragment(fragment) => set_bytes(&fragment.node.selection_set.node),
            Selection::FragmentSpread(_) => 0,
        };
        NODE_BYTES + directives + below
    };
    set.items.iter().map(item).sum()
}

fn value_bytes(value: &AstValue) -> usize {
    let below = match value {
        AstValue::String(text) => text.len(),
        AstValue::List(items) => items.iter().map(value_bytes).sum(),
        AstValue::Object(fields) => fields.values().map(value_bytes).sum(),
        _ => 0,
    };
    VALUE_BYTES + below
}
