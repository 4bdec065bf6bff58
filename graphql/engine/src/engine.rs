//! The engine of one API version: parses, validates, plans and runs requests.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::de::MapAccess;

use super::ast::{Document, Operation};
use super::cache::{Checked, Condition, CostedPlan, Head, PlanCache, Plans, VariantKey, Variants};
use super::code;
use super::context::RequestContext as _;
use super::error::{Message, Refusal, RefusalError};
use super::executed::Executed;
use super::introspect::Introspection;
use super::json_member::{Kind, TakeMember};
use super::limit::{self, Limits};
use super::model::Model;
use super::output::{ExecContext, Version};
use super::parse;
use super::path::Path;
use super::plan::Field;
use super::planner;
use super::prepared_operation::PreparedOperation;
use super::request::Request;
use super::rule;
use super::variable::{self, Coerced};
use super::write::JsonWriter;

/// An engine with its version erased.
pub trait AnyEngine<C>: Send + Sync {
    /// Returns the name of the version.
    fn version(&self) -> &'static str;

    /// Returns the SDL of the version, byte for byte.
    fn sdl(&self) -> &'static str;

    /// Returns the coordinates of its schema, in the order of the bits of [`PreparedOperation::used`].
    fn coordinates(&self) -> &'static [&'static str];

    /// Prepares a request if its plan is cached. Takes time linear in its variables.
    fn prepare_cached(&self, request: &Request<'_>) -> Option<Result<PreparedOperation, Refusal>>;

    /// Parses, validates and plans a request, or returns why it is refused.
    fn prepare(&self, request: &Request<'_>) -> Result<PreparedOperation, Refusal>;

    /// Runs a request.
    fn execute<'a>(
        &'a self,
        prepared: &'a PreparedOperation,
        context: &'a C,
    ) -> Pin<Box<dyn Future<Output = Executed> + Send + 'a>>;
}

/// The engine of version `V`.
pub struct Engine<V> {
    model: &'static Model,
    introspection: Introspection,
    cache: PlanCache,
    limits: Limits,
    version: std::marker::PhantomData<V>,
}

impl<V: Version> Engine<V> {
    /// Returns an engine with the model of the version, which is built once in a process.
    pub fn new(limits: Limits) -> Self {
        let (model, cache) = (Model::for_version::<V>(), PlanCache::new(&limits));
        Self { model, introspection: Introspection::new(model), cache, limits, version: std::marker::PhantomData }
    }

    fn prepare_planned(
        &self,
        checked: Arc<Checked>,
        plan: Arc<CostedPlan>,
        request: &Request<'_>,
    ) -> Result<PreparedOperation, Refusal> {
        let Coerced { values, used } = variable::coerce(self.model, &plan.plan, request)?;
        let (copied, max) = (plan.plan.copied_bytes(&values), self.limits.variable_copies_bytes_max);
        if copied > max {
            let detail =
                format!("The operation copies {copied} bytes of repeated variables; at most {max} are allowed.");
            return Err(limit::exceeded(detail).into());
        }
        Ok(PreparedOperation::new(plan, values, used, checked, &self.limits))
    }

    #[cold]
    fn parse_and_plan(&self, request: &Request<'_>) -> Result<Arc<Checked>, Refusal> {
        let unreadable =
            |error| RefusalError::new(code::GRAPHQL_PARSE_FAILED, format!("The document is no string: {error}."));
        let text = request.document().map_err(unreadable)?;
        let document = parse::parse(&text, &self.limits)?;
        let fields = limit::measure(&document, &self.limits)?;
        let facts = rule::check(self.model, &document, &self.limits)?;
        let plans = match &document.operations[..] {
            [operation] if facts.conditions.is_empty() => {
                let plan = self.make_plan(&document, operation, &|_| false)?;
                Plans::Only(plan)
            }
            _ => Plans::Variants(Variants::new(&document, &facts.conditions, fields)),
        };
        let checked = Arc::new(Checked::new((*request.query).into(), (*text).into(), facts.coordinates, plans));
        self.cache.insert(&checked);
        Ok(checked)
    }

    /// Returns the number of cached documents and their estimated size.
    pub fn kept(&self) -> (usize, usize) {
        self.cache.kept()
    }

    fn make_plan(
        &self,
        document: &Document<'_>,
        operation: &Operation<'_>,
        is_true: &dyn Fn(&str) -> bool,
    ) -> Result<Arc<CostedPlan>, Refusal> {
        let Self { model, introspection, .. } = self;
        let plan = planner::plan(model, introspection, document, operation, is_true, self.limits.planned_fields_max)?;
        Ok(Arc::new(CostedPlan::new(plan, &self.limits)))
    }

    /// Makes the plan of a variant from the text of the document.
    #[cold]
    fn make_variant(
        &self,
        checked: &Checked,
        variants: &Variants,
        key: VariantKey,
    ) -> Result<Arc<CostedPlan>, Refusal> {
        let conditions = &variants.operations[key.operation].conditions;
        let is_true = |name: &str| {
            let bit = conditions.iter().position(|condition| *condition.name == *name);
            bit.is_some_and(|bit| key.conditions >> bit & 1 == 1)
        };
        let document = parse::parse(&checked.text, &self.limits)?;
        let plan = self.make_plan(&document, &document.operations[key.operation], &is_true)?;
        variants.keep(key, &plan);
        Ok(plan)
    }
}

/// The plan of a document that a request runs.
enum Choice<'c> {
    Made(Arc<CostedPlan>),
    Unmade(&'c Variants, VariantKey),
}

fn choice<'c>(checked: &'c Checked, request: &Request<'_>) -> Result<Choice<'c>, RefusalError> {
    let asked = request.operation_name.as_deref();
    match &checked.plans {
        Plans::Only(plan) => match asked {
            Some(asked) if plan.plan.name.as_deref() != Some(asked) => Err(unknown_operation(asked)),
            _ => Ok(Choice::Made(plan.clone())),
        },
        Plans::Variants(variants) => {
            let operation = operation(&variants.operations, asked)?;
            let key = VariantKey { operation, conditions: condition_bits(&variants.operations[operation], request)? };
            Ok(variants.get(key).map_or(Choice::Unmade(variants, key), Choice::Made))
        }
    }
}

/// Returns the bitmask of the conditions that are true in this request, the first in the lowest bit. The limit on directives
/// keeps them below 64.
fn condition_bits(head: &Head, request: &Request<'_>) -> Result<u64, RefusalError> {
    let mut sent = SentConditions { conditions: &head.conditions, kinds: vec![None; head.conditions.len()] };
    if !head.conditions.is_empty() {
        request.take_variables(&mut sent);
    }
    let mut bits = 0;
    for (bit, (condition, sent)) in head.conditions.iter().zip(sent.kinds).enumerate() {
        let is_true = match (sent, condition.location) {
            // A variable with a default may be null, but not as a condition.
            (Some(Kind::Null), Some(location)) => {
                let name = &condition.name;
                let reason = "must not be null: @skip or @include looks at it".to_owned();
                let error = RefusalError::new(code::BAD_USER_INPUT, format!("Variable \"${name}\" {reason}."));
                return Err(error.with_message(Message::BadUserInput { path: name.to_string(), reason }).at(location));
            }
            (Some(kind), _) => kind == Kind::Boolean(true),
            (None, _) => condition.default,
        };
        bits |= u64::from(is_true) << bit;
    }
    Ok(bits)
}

/// The sent variables of conditions.
struct SentConditions<'c> {
    conditions: &'c [Condition],
    kinds: Vec<Option<Kind>>,
}

impl TakeMember for SentConditions<'_> {
    fn position(&self, name: &str) -> Option<usize> {
        self.conditions.iter().position(|condition| *condition.name == *name)
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, at: usize, members: &mut A) -> Result<(), A::Error> {
        self.kinds[at] = Some(members.next_value()?);
        Ok(())
    }
}

/// Returns the position of the requested operation (GraphQL specification, section 6.1: GetOperation).
fn operation(operations: &[Head], asked: Option<&str>) -> Result<usize, RefusalError> {
    match (operations, asked) {
        ([_], None) => Ok(0),
        (operations, Some(asked)) => {
            let found = operations.iter().position(|operation| operation.name.as_deref() == Some(asked));
            found.ok_or_else(|| unknown_operation(asked))
        }
        (_, None) => {
            let detail = "The document holds several operations; say which one with \"operationName\".";
            Err(RefusalError::new(code::OPERATION_RESOLUTION_FAILURE, detail))
        }
    }
}

fn unknown_operation(asked: &str) -> RefusalError {
    let shown: String = asked.chars().take(100).collect();
    let hint = if asked.is_empty() { " Leave \"operationName\" out, or send null." } else { "" };
    let detail = format!("The document has no operation \"{shown}\".{hint}");
    RefusalError::new(code::OPERATION_RESOLUTION_FAILURE, detail)
}

impl<V: Version> AnyEngine<V::Context> for Engine<V> {
    fn version(&self) -> &'static str {
        V::NAME
    }

    fn sdl(&self) -> &'static str {
        V::SDL
    }

    fn coordinates(&self) -> &'static [&'static str] {
        self.model.coordinates
    }

    fn prepare_cached(&self, request: &Request<'_>) -> Option<Result<PreparedOperation, Refusal>> {
        let checked = self.cache.get(&request.query)?;
        match choice(&checked, request) {
            Ok(Choice::Made(plan)) => Some(self.prepare_planned(checked, plan, request)),
            Ok(Choice::Unmade(..)) => None,
            Err(refusal) => Some(Err(refusal.into())),
        }
    }

    fn prepare(&self, request: &Request<'_>) -> Result<PreparedOperation, Refusal> {
        let checked = match self.cache.get(&request.query) {
            Some(checked) => checked,
            None => self.parse_and_plan(request)?,
        };
        let plan = match choice(&checked, request)? {
            Choice::Made(plan) => plan,
            Choice::Unmade(variants, key) => self.make_variant(&checked, variants, key)?,
        };
        self.prepare_planned(checked, plan, request)
    }

    fn execute<'a>(
        &'a self,
        prepared: &'a PreparedOperation,
        context: &'a V::Context,
    ) -> Pin<Box<dyn Future<Output = Executed> + Send + 'a>> {
        Box::pin(context.around_operation(prepared, move || async move {
            if let Some(body) = &prepared.plan.plan.response {
                let body = body.clone();
                return Executed { body, error_codes: vec![], has_data: true, refused: false, root_values: vec![] };
            }
            let variables = &prepared.variables;
            let introspect = |field: &Field, out: &mut JsonWriter| self.introspection.root(field, variables, out);
            let CostedPlan { plan, response_bytes, .. } = &*prepared.plan;
            let cx = ExecContext { context, variables, definitions: &plan.variables, introspect: &introspect };
            let mut out = JsonWriter::default();
            out.json.reserve(response_bytes.load(Ordering::Relaxed));
            out.raw(b"{\"data\":");
            let mark = out.mark();
            let written = if plan.mutation {
                V::mutation(plan, &cx, &mut out).await
            } else {
                V::query(&plan.root, &Path::Root, &cx, &mut out).await
            };
            if let Err(null) = written {
                out.null_from(mark, &null);
                out.root_values.clear();
            }
            let has_data = out.error_codes.is_empty() || !plan.root.is_null(&out.json[mark..]);
            let executed = out.finish(has_data);
            response_bytes.store(executed.body.len(), Ordering::Relaxed);
            executed
        }))
    }
}
