//! Checked documents and their plans, kept by the text of the document; bounded in entries and in bytes.
//!
//! The cache is scan resistant: a document enters it beside those that were asked for again and again, and leaves first.
//! Only documents that passed every rule get here, and each is charged in advance for every plan it may come to hold.

use std::sync::{Arc, PoisonError, RwLock};

use async_graphql::Name;
use async_graphql::parser::types::ExecutableDocument;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};

use super::limit::Limits;
use super::plan::Plan;

/// Plans that one document keeps: one for each operation and each combination of its conditions.
const VARIANTS_MAX: usize = 8;

/// Parts of the cache with a lock of their own.
const SHARDS: usize = 4;

/// A document that passed every rule.
pub(super) struct Checked {
    pub text: Arc<str>,
    pub plans: Plans,
    weight: u64,
}

/// The plans of a document.
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
    kept: RwLock<Vec<(VariantKey, Arc<Plan>)>>,
}

/// The operation, and which of the conditions hold.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct VariantKey {
    pub operation_name: Option<Name>,
    pub holding: u64,
}

impl Variants {
    pub fn new(document: ExecutableDocument, conditions: Vec<Name>) -> Self {
        Self { document, conditions, kept: RwLock::default() }
    }

    pub fn get(&self, operation_name: Option<&str>, holding: u64) -> Option<Arc<Plan>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(k, _)| k.holding == holding && k.operation_name.as_deref() == operation_name);
        found.map(|(_, plan)| plan.clone())
    }

    /// Keeps a plan, as long as there is room: what does not fit is made again when it is asked for.
    pub fn keep(&self, key: VariantKey, plan: &Arc<Plan>) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < VARIANTS_MAX && !kept.iter().any(|(k, _)| *k == key) {
            kept.push((key, plan.clone()));
        }
    }
}

impl Checked {
    pub fn new(text: Arc<str>, plans: Plans, plan_bytes: usize, document_bytes: usize) -> Self {
        let plans_bytes = match &plans {
            Plans::Only { .. } => plan_bytes,
            Plans::Variants(variants) => {
                let combinations = 1usize << variants.conditions.len().min(8);
                let operations = variants.document.operations.iter().len();
                document_bytes + plan_bytes * combinations.saturating_mul(operations).min(VARIANTS_MAX)
            }
        };
        let weight = (text.len() + plans_bytes) as u64;
        Self { text, plans, weight }
    }
}

/// The documents of one version.
pub(super) struct PlanCache(Cache<Arc<str>, Arc<Checked>, ByBytes, foldhash::fast::RandomState>);

#[derive(Clone)]
struct ByBytes {
    /// What the smallest document counts for, so that bytes bound the entries too.
    least: u64,
}

impl Weighter<Arc<str>, Arc<Checked>> for ByBytes {
    fn weight(&self, _: &Arc<str>, checked: &Arc<Checked>) -> u64 {
        checked.weight.max(self.least)
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
        let weighter = ByBytes { least: (limits.plan_bytes_max / limits.plans_max.max(1)).max(1) as u64 };
        Self(Cache::with_options(options, weighter, Default::default(), DefaultLifecycle::default()))
    }

    pub fn get(&self, text: &str) -> Option<Arc<Checked>> {
        self.0.get(text)
    }

    pub fn insert(&self, checked: &Arc<Checked>) {
        self.0.insert(checked.text.clone(), checked.clone());
    }
}
