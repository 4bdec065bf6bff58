//! Tests of the engine on a small schema: limits, hostile input, the cache and execution. `conformance/graphql_js_reference` tests
//! its answers.

/// Defines a version whose operations are prepared and not executed.
macro_rules! prepared_version {
    ($name:ident, $sdl:expr) => {
        struct $name;

        impl super::Version for $name {
            type Context = super::Context;
            const NAME: &'static str = stringify!($name);
            const SDL: &'static str = $sdl;

            fn execute<'a>(
                _: &'a super::Plan,
                _: &'a super::ExecContext<'a, super::Context>,
                _: &'a mut super::JsonWriter,
            ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), super::NullBubble>> + Send + 'a>> {
                unreachable!("the test only prepares")
            }
        }
    };
}

mod hostile;
mod kept;
mod limited;
mod linear;
mod loaded;
mod prepared;
mod running;
mod sdl;

use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::Barrier;

use super::error::FieldError;
use super::execute::{
    ExecContext, MutationRoot, Object, QueryRoot, RequestContext, Version, run_mutation, select, unknown,
};
use super::plan::{Field, Plan};
use super::write::{JsonWriter, NullBubble, Path};
use super::{AnyEngine, Engine, Limits, PreparedOperation, Refusal, Request};

struct Tiny;

/// A request to the tiny schema.
struct Context {
    /// A barrier for two concurrent fields.
    meeting: Barrier,
    /// The log of the mutations.
    done: Mutex<Vec<String>>,
}

impl Default for Context {
    fn default() -> Self {
        Self { meeting: Barrier::new(2), done: Mutex::default() }
    }
}

impl RequestContext for Context {
    fn request_id(&self) -> Option<&str> {
        Some("req_\"1\"")
    }
}

impl Version for Tiny {
    type Context = Context;
    const NAME: &'static str = "tiny";
    const SDL: &'static str = include_str!("tiny.graphql");

    fn execute<'a>(
        plan: &'a Plan,
        cx: &'a ExecContext<'a, Context>,
        out: &'a mut JsonWriter,
    ) -> Pin<Box<dyn Future<Output = Result<(), NullBubble>> + Send + 'a>> {
        Box::pin(async move {
            if plan.mutation {
                let root = MutationRoot(cx.context);
                run_mutation::<Self, _>(&root, plan, cx, out).await
            } else {
                let root = QueryRoot(cx.context);
                select::<Self, _>(&root, &plan.root, cx, &Path::Root, out).await
            }
        })
    }
}

impl Object<Tiny> for QueryRoot<'_, Context> {
    const NAME: &'static str = "Query";

    async fn field(
        &self,
        field: &Field,
        cx: &ExecContext<'_, Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        match field.name {
            "text" => cx.sync_value(Tiny, || async { field.arg::<Option<String>, _>("s", cx) }, field, path, out).await,
            "meet" => {
                let met = || async {
                    let who = field.arg::<i32, _>("who", cx)?;
                    self.0.meeting.wait().await;
                    Ok(who)
                };
                cx.sync_value(Tiny, met, field, path, out).await
            }
            "broken" | "mustBreak" => {
                let broken = || async { Err::<i32, _>(FieldError::new("UNAVAILABLE", "kapot").with_detail("broken")) };
                cx.sync_value(Tiny, broken, field, path, out).await
            }
            name => unknown("Query", name),
        }
    }
}

impl Object<Tiny> for MutationRoot<'_, Context> {
    const NAME: &'static str = "Mutation";

    async fn field(
        &self,
        field: &Field,
        cx: &ExecContext<'_, Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        let added = || async {
            let n = field.arg::<Option<i32>, _>("n", cx)?.unwrap_or_default();
            let note = |what: &str| self.0.done.lock().expect("nobody panics").push(format!("{what} {n}"));
            note("begin");
            tokio::task::yield_now().await;
            note("end");
            Ok(n)
        };
        cx.sync_value(Tiny, added, field, path, out).await
    }
}

/// Returns the processor time of this thread, which other processes do not affect. The kernel updates its count when the thread
/// yields.
fn processor_time() -> Duration {
    std::thread::yield_now();
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
    let nanoseconds = counts.split(' ').next().and_then(|count| count.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first number is the time on the processor"))
}

fn engine() -> Engine<Tiny> {
    Engine::new(Limits::default())
}

/// Prepares a document without variables.
fn prepare(engine: &Engine<Tiny>, query: &str) -> Result<PreparedOperation, Refusal> {
    let body = serde_json::to_vec(&serde_json::json!({ "query": query })).expect("a request is JSON");
    engine.prepare(&Request::parse(&body).expect("the body is a request"))
}

/// Prepares a whole body.
fn prepare_body(engine: &Engine<Tiny>, body: &serde_json::Value) -> Result<PreparedOperation, Refusal> {
    let body = serde_json::to_vec(body).expect("a request is JSON");
    engine.prepare(&Request::parse(&body).expect("the body is a request"))
}

/// The code and the detail of the only error that a document is refused with.
fn refused(query: &str) -> (&'static str, String) {
    only_error(prepare(&engine(), query).map(|_| ()))
}

fn only_error(result: Result<(), Refusal>) -> (&'static str, String) {
    let mut errors = result.expect_err("the request should be refused").errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    let error = errors.remove(0);
    (error.code, error.detail)
}

/// Runs a request; the answer is JSON.
async fn run(body: &serde_json::Value, context: &Context) -> serde_json::Value {
    let engine = engine();
    let prepared = prepare_body(&engine, body).expect("the request is right");
    let reply = engine.execute(&prepared, context).await;
    let answer: serde_json::Value = serde_json::from_slice(&reply.body).expect("an answer is JSON");
    let errors = answer["errors"].as_array().map_or(0, Vec::len);
    assert_eq!(errors, reply.error_codes.len());
    answer
}
