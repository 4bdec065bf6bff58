//! The cache of validated documents and their plans, by the JSON string of the document; bounded in entries and in bytes.
//!
//! The cache is scan resistant: new documents do not evict repeatedly requested documents. Only valid documents are cached,
//! and each is charged in advance for all the plans it may hold.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use sha2::{Digest as _, Sha256};

use super::ast::{Document, Literal, Operation};
use super::coordinate::CoordinateSet;
use super::cost::Cost;
use super::error::Location;
use super::limit::Limits;
use super::plan::Plan;
use super::small_map::SmallMap;

/// The estimated size of a planned field.
const FIELD_BYTES: usize = 512;

/// The length that the first response of a plan is expected to have.
const RESPONSE_BYTES_EXPECTED: usize = 1024;

/// The number of full-sized plans that a document is charged for.
const VARIANTS: usize = 8;

/// Parts of the cache, each with its own lock.
const SHARDS: usize = 4;

/// A valid document.
pub(super) struct Checked {
    /// The document as a JSON string, as it was sent. Other escapes of the same document have an entry of their own.
    query: Arc<str>,
    pub text: Box<str>,
    digest: OnceLock<[u8; 32]>,
    /// The schema coordinates that the document uses.
    pub coordinates: CoordinateSet,
    pub plans: Plans,
    bytes: usize,
}

/// A plan with its cost.
pub(super) struct CostedPlan {
    pub plan: Plan,
    pub cost: Cost,
    /// The length of the last response, which the next one reserves.
    pub response_bytes: AtomicUsize,
}

impl CostedPlan {
    pub(super) fn new(plan: Plan, limits: &Limits) -> Self {
        Self { cost: Cost::new(&plan, limits), plan, response_bytes: AtomicUsize::new(RESPONSE_BYTES_EXPECTED) }
    }

    fn bytes(&self) -> usize {
        self.plan.bytes() + self.cost.bytes()
    }
}

/// The plans of a document.
#[allow(clippy::large_enum_variant)] // each lies in an `Arc` of its own
pub(super) enum Plans {
    /// One operation without conditions.
    Only(Arc<CostedPlan>),
    /// Several operations, or conditions: plans are made on demand, from the text.
    Variants(Variants),
}

/// The operations and conditions that select a plan, and the plans made so far.
pub(super) struct Variants {
    /// In document order.
    pub operations: Vec<Head>,
    /// The bytes that all plans may take together, charged in advance.
    budget_bytes: usize,
    kept: RwLock<Kept>,
}

/// What selecting a plan needs of an operation.
pub(super) struct Head {
    pub name: Option<Box<str>>,
    /// The variables of all conditions in the document.
    pub conditions: Vec<Condition>,
}

/// A variable of `@skip` or `@include`.
pub(super) struct Condition {
    pub name: Box<str>,
    /// The location of its definition in the operation, if any.
    pub location: Option<Location>,
    /// Its value if none is sent.
    pub default: bool,
}

#[derive(Default)]
struct Kept {
    plans: Vec<(VariantKey, Arc<CostedPlan>)>,
    bytes: usize,
}

/// The position of an operation, and the values of its conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct VariantKey {
    pub operation: usize,
    /// A bit for each condition, set if it is true; the first in the lowest bit.
    pub conditions: u64,
}

impl Variants {
    /// `fields` is the number of selected fields with fragments expanded.
    pub(super) fn new(document: &Document<'_>, conditions: &[&str], fields: usize) -> Self {
        let operations = document.operations.iter().map(|operation| Head::new(operation, conditions)).collect();
        let budget_bytes = fields.max(4) * FIELD_BYTES * VARIANTS;
        Self { operations, budget_bytes, kept: RwLock::default() }
    }

    pub(super) fn get(&self, key: VariantKey) -> Option<Arc<CostedPlan>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.plans.iter().find(|(known, _)| *known == key).map(|(_, plan)| plan.clone())
    }

    /// Keeps a plan if it fits the budget; otherwise it is made again on demand.
    pub(super) fn keep(&self, key: VariantKey, plan: &Arc<CostedPlan>) {
        let bytes = plan.bytes();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes <= self.budget_bytes && !kept.plans.iter().any(|(known, _)| *known == key) {
            kept.plans.push((key, plan.clone()));
            kept.bytes += bytes;
        }
    }

    /// Estimates the heap size, with all the plans that it may hold.
    fn bytes(&self) -> usize {
        let condition = |condition: &Condition| size_of::<Condition>() + condition.name.len();
        let head = |head: &Head| {
            let name = head.name.as_ref().map_or(0, |name| name.len());
            size_of::<Head>() + name + head.conditions.iter().map(condition).sum::<usize>()
        };
        self.budget_bytes + self.operations.iter().map(head).sum::<usize>()
    }
}

impl Head {
    fn new(operation: &Operation<'_>, conditions: &[&str]) -> Self {
        let mut variables = SmallMap::default();
        for variable in &operation.variables {
            variables.add(variable.name.text, variable);
        }
        let condition = |name: &&str| {
            let definition = variables.get(name);
            let default = definition.and_then(|definition| definition.default.as_ref());
            let default = default.is_some_and(|default| matches!(default.literal, Literal::Boolean(true)));
            Condition { name: (*name).into(), location: definition.map(|definition| definition.at), default }
        };
        let name = operation.name.map(|name| name.text.into());
        Self { name, conditions: conditions.iter().map(condition).collect() }
    }
}

impl Checked {
    pub(super) fn new(query: Arc<str>, text: Box<str>, coordinates: CoordinateSet, plans: Plans) -> Self {
        let plan_bytes = match &plans {
            Plans::Only(plan) => plan.bytes(),
            Plans::Variants(variants) => variants.bytes(),
        };
        let bytes = size_of::<Self>() + query.len() + text.len() + coordinates.bytes() + plan_bytes;
        Self { bytes, query, text, digest: OnceLock::new(), coordinates, plans }
    }

    /// Returns the SHA-256 of the text.
    pub(super) fn digest(&self) -> &[u8] {
        self.digest.get_or_init(|| Sha256::digest(&*self.text).into())
    }
}

/// The cached documents of one version.
pub(super) struct PlanCache(Cache<Arc<str>, Arc<Checked>, ByBytes, foldhash::fast::RandomState>);

#[derive(Clone)]
struct ByBytes {
    /// The minimum weight of a document, so that bytes bound the entries too.
    least: usize,
}

impl Weighter<Arc<str>, Arc<Checked>> for ByBytes {
    fn weight(&self, _: &Arc<str>, checked: &Arc<Checked>) -> u64 {
        checked.bytes.max(self.least) as u64
    }
}

impl PlanCache {
    pub(super) fn new(limits: &Limits) -> Self {
        let options = OptionsBuilder::new()
            .shards(SHARDS)
            .estimated_items_capacity(limits.plans_max)
            .weight_capacity(limits.plan_bytes_max as u64)
            .build()
            .expect("the options that must be set are set");
        let weighter = ByBytes { least: (limits.plan_bytes_max / limits.plans_max.max(1)).max(1) };
        Self(Cache::with_options(options, weighter, Default::default(), DefaultLifecycle::default()))
    }

    pub(super) fn get(&self, query: &str) -> Option<Arc<Checked>> {
        self.0.get(query)
    }

    pub(super) fn insert(&self, checked: &Arc<Checked>) {
        self.0.insert(checked.query.clone(), checked.clone());
    }

    /// Returns the number of documents and their estimated size.
    pub(super) fn kept(&self) -> (usize, usize) {
        (self.0.len(), self.0.weight() as usize)
    }
}
