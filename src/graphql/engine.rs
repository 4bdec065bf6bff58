//! One version of the API at work: limits, parse, rules, plan, variables, run.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use async_graphql::Name;
use async_graphql::parser::types::{DocumentOperations, ExecutableDocument, OperationDefinition};
use async_graphql_value::ConstValue;

use super::cache::{Checked, PlanCache, Plans, VariantKey, Variants};
use super::check::Checker;
use super::code;
use super::error::{Refusal, RefusalError};
use super::execute::{Cx, Null, RequestContext};
use super::introspect::Introspection;
use super::limit::{self, Limits};
use super::model::Model;
use super::named;
use super::parse;
use super::plan::Plan;
use super::planner;
use super::prepared::Prepared;
use super::request::{Json, Request};
use super::rule;
use super::variable::{self, Coerced};
use super::write::Out;

/// A version of the API, as generated code describes it.
pub trait Version: Send + Sync + 'static {
    /// What resolvers get.
    type Context: RequestContext;
    const NAME: &'static str;
    const SDL: &'static str;

    /// Runs a plan from its root.
    fn execute<'a>(
        plan: &'a Plan,
        cx: &'a Cx<'a, Self::Context>,
        out: &'a mut Out,
    ) -> Pin<Box<dyn Future<Output = Result<(), Null>> + Send + 'a>>;
}

/// An engine whose version is not known by type.
pub trait AnyEngine<C>: Send + Sync {
    /// The name of the version.
    fn version(&self) -> &'static str;

    /// The SDL of the version, byte for byte.
    fn sdl(&self) -> &'static str;

    /// Makes ready what the first request would wait for.
    fn warm(&self);

    /// The coordinates of its schema, in the order in which [`Prepared::used`] tells of them.
    fn coordinates(&self) -> &'static [String];

    /// Prepares a request whose document is cached, which takes time in proportion to its variables; `None` if it is not.
    fn prepare_cached(&self, request: &Request<'_>) -> Option<Result<Prepared, Refusal>>;

    /// Makes a request ready to run, or says why it is refused.
    fn prepare(&self, request: &Request<'_>) -> Result<Prepared, Refusal>;

    /// Runs a request.
    fn execute<'a>(
        &'a self,
        prepared: &'a Prepared,
        context: &'a C,
    ) -> Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;
}

/// The answer to a request that ran.
#[derive(Debug)]
pub struct Reply {
    /// `{"data":…}`, with `"errors":[…]` where fields failed.
    pub body: Vec<u8>,
    /// How many fields failed.
    pub error_count: usize,
}

/// The engine of version `V`.
pub struct Engine<V> {
    /// Made when it is first needed: a version that nobody asks takes no memory.
    parts: OnceLock<Parts>,
    limits: Limits,
    version: std::marker::PhantomData<V>,
}

/// What an engine works with, made of the SDL of its version.
struct Parts {
    model: &'static Model,
    checker: Checker,
    introspection: Introspection,
    cache: PlanCache,
}

impl Parts {
    fn new(model: &'static Model, limits: &Limits) -> Self {
        Self {
            model,
            checker: Checker::new(model.schema),
            introspection: Introspection::new(model),
            cache: PlanCache::new(limits),
        }
    }
}

impl<V: Version> Engine<V> {
    /// An engine that has read nothing yet.
    pub fn new(limits: Limits) -> Self {
        Self { parts: OnceLock::new(), limits, version: std::marker::PhantomData }
    }

    /// Reads the version's schema, the first time; that takes some milliseconds.
    fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| Parts::new(Model::of(V::NAME, V::SDL), &self.limits))
    }

    fn prepare_checked(&self, checked: Arc<Checked>, request: &Request<'_>) -> Result<Prepared, Refusal> {
        let plan = self.plan(&checked, request)?;
        let Coerced { values, used } = variable::coerce(self.parts().model, &plan, &request.variables)?;
        Ok(Prepared::new(plan, values, used, checked))
    }

    #[cold]
    fn check(&self, text: &str) -> Result<Arc<Checked>, Refusal> {
        limit::check(text, &self.limits)?;
        let document = parse::parse(text)?;
        let fields = limit::measure(&document, &self.limits)?;
        let Parts { model, checker, cache, .. } = self.parts();
        rule::before(model, text, &document)?;
        checker.check(document.clone())?;
        rule::after(model, &document)?;
        let named = named::named(model, &document);
        let checked = Arc::new(Checked::new(text.into(), named, self.plans(document, fields)?));
        cache.insert(&checked);
        Ok(checked)
    }

    fn plans(&self, document: ExecutableDocument, fields: usize) -> Result<Plans, Refusal> {
        let conditions = planner::conditions(&document);
        let mut operations = document.operations.iter();
        Ok(match (operations.next(), operations.next()) {
            (Some((name, operation)), None) if conditions.is_empty() => {
                let plan = self.make_plan(&document, &operation.node, &|_| false)?;
                Plans::Only { operation_name: name.cloned(), plan: Arc::new(plan) }
            }
            _ => Plans::Variants(Variants::new(document, conditions, fields)),
        })
    }

    /// How many bytes the future takes that runs a request, without what it boxes on its way.
    #[cfg(test)]
    pub fn run_bytes(&self, prepared: &Prepared, context: &V::Context) -> usize {
        let cx = Cx { context, variables: &prepared.variables, introspection: &self.parts().introspection };
        size_of_val(&*V::execute(&prepared.plan, &cx, &mut Out::default()))
    }

    /// How many documents are kept, and about how many bytes they take.
    pub fn kept(&self) -> (usize, usize) {
        self.parts().cache.kept()
    }

    fn make_plan(
        &self,
        document: &ExecutableDocument,
        operation: &OperationDefinition,
        holds: &dyn Fn(&Name) -> bool,
    ) -> Result<Plan, Refusal> {
        let Parts { model, introspection, .. } = self.parts();
        Ok(planner::plan(model, introspection, document, operation, holds)?)
    }

    /// The plan of the operation that the request asks for.
    fn plan(&self, checked: &Checked, request: &Request<'_>) -> Result<Arc<Plan>, Refusal> {
        let asked = request.operation_name.as_deref();
        let variants = match &checked.plans {
            Plans::Only { operation_name, plan } => {
                return match asked {
                    Some(asked) if operation_name.as_deref() != Some(asked) => Err(unknown_operation(asked).into()),
                    _ => Ok(plan.clone()),
                };
            }
            Plans::Variants(variants) => variants,
        };
        let operation = operation(&variants.document, asked)?;
        for name in &variants.conditions {
            condition_is_set(name, operation, request)?;
        }
        let holds = |name: &Name| holds(name, operation, request);
        let mut holding = 0;
        for (bit, _) in variants.conditions.iter().enumerate().filter(|(_, name)| holds(name)) {
            holding |= 1 << bit;
        }
        if let Some(plan) = variants.get(asked, holding) {
            return Ok(plan);
        }
        let plan = Arc::new(self.make_plan(&variants.document, operation, &holds)?);
        variants.keep(VariantKey { operation_name: asked.map(Name::new), holding }, &plan);
        Ok(plan)
    }
}

/// A variable with a default may be sent as null, but not where `@skip` or `@include` looks at it.
fn condition_is_set(name: &Name, operation: &OperationDefinition, request: &Request<'_>) -> Result<(), RefusalError> {
    let sent = request.variables.iter().rev().find(|(sent, _)| **sent == **name);
    let declared = operation.variable_definitions.iter().find(|d| d.node.name.node == *name);
    match (sent, declared) {
        (Some((_, Json::Null)), Some(declared)) => {
            let detail = format!("Variable \"${name}\" must not be null: @skip or @include looks at it.");
            Err(RefusalError::new(code::BAD_USER_INPUT, detail).at(declared.pos))
        }
        _ => Ok(()),
    }
}

/// Whether the condition called `name` is true in this request.
fn holds(name: &Name, operation: &OperationDefinition, request: &Request<'_>) -> bool {
    match request.variables.iter().rev().find(|(sent, _)| **sent == **name) {
        Some((_, value)) => matches!(value, Json::Boolean(true)),
        None => {
            let definition = operation.variable_definitions.iter().find(|d| d.node.name.node == *name);
            let default = definition.and_then(|d| d.node.default_value.as_ref());
            default.is_some_and(|default| default.node == ConstValue::Boolean(true))
        }
    }
}

/// GraphQL specification, section 6.1: GetOperation.
fn operation<'d>(
    document: &'d ExecutableDocument,
    asked: Option<&str>,
) -> Result<&'d OperationDefinition, RefusalError> {
    let several = || {
        let detail = "The document holds several operations; say which one with \"operationName\".";
        RefusalError::new(code::OPERATION_RESOLUTION_FAILURE, detail)
    };
    match (&document.operations, asked) {
        (DocumentOperations::Single(only), None) => Ok(&only.node),
        (DocumentOperations::Single(_), Some(asked)) => Err(unknown_operation(asked)),
        (DocumentOperations::Multiple(operations), Some(asked)) => {
            operations.get(asked).map(|found| &found.node).ok_or_else(|| unknown_operation(asked))
        }
        (DocumentOperations::Multiple(operations), None) => {
            let mut operations = operations.values();
            match (operations.next(), operations.next()) {
                (Some(only), None) => Ok(&only.node),
                _ => Err(several()),
            }
        }
    }
}

fn unknown_operation(asked: &str) -> RefusalError {
    let shown: String = asked.chars().take(100).collect();
    RefusalError::new(code::OPERATION_RESOLUTION_FAILURE, format!("The document has no operation \"{shown}\"."))
}

/// What an answer is likely to fit in.
const BODY_BYTES_EXPECTED: usize = 1024;

impl<V: Version> AnyEngine<V::Context> for Engine<V> {
    fn version(&self) -> &'static str {
        V::NAME
    }

    fn sdl(&self) -> &'static str {
        V::SDL
    }

    fn warm(&self) {
        self.parts();
    }

    fn coordinates(&self) -> &'static [String] {
        &self.parts().model.coordinates.names
    }

    fn prepare_cached(&self, request: &Request<'_>) -> Option<Result<Prepared, Refusal>> {
        let checked = self.parts().cache.get(&request.query)?;
        Some(self.prepare_checked(checked, request))
    }

    fn prepare(&self, request: &Request<'_>) -> Result<Prepared, Refusal> {
        match self.prepare_cached(request) {
            Some(prepared) => prepared,
            None => self.prepare_checked(self.check(&request.query)?, request),
        }
    }

    fn execute<'a>(
        &'a self,
        prepared: &'a Prepared,
        context: &'a V::Context,
    ) -> Pin<Box<dyn Future<Output = Reply> + Send + 'a>> {
        Box::pin(async move {
            let cx = Cx { context, variables: &prepared.variables, introspection: &self.parts().introspection };
            let mut out = Out::default();
            out.json.reserve(BODY_BYTES_EXPECTED);
            out.raw(b"{\"data\":");
            let mark = out.mark();
            if let Err(null) = V::execute(&prepared.plan, &cx, &mut out).await {
                out.null_from(mark, &null);
            }
            let (body, error_count) = out.finish(context.request_id());
            Reply { body, error_count }
        })
    }
}
