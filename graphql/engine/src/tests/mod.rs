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

            fn query<'a>(
                _: &'a super::Selection,
                _: &'a super::Path<'a>,
                _: &'a super::ExecContext<'a, super::Context>,
                _: &'a mut super::JsonWriter,
            ) -> super::BoxedWrite<'a> {
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

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::Barrier;

use super::error::FieldError;
use super::execute::{run_mutation, unknown, write_fields};
use super::output::{BoxedWrite, ExecContext, Info, MutationRoot, Object, QueryRoot, Version, Written};
use super::path::Path;
use super::plan::{Plan, Selection};
use super::write::JsonWriter;
use super::{AnyEngine, Engine, Limits, PreparedOperation, Refusal, Request, RequestContext};

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

    fn query<'a>(
        selection: &'a Selection,
        path: &'a Path<'a>,
        cx: &'a ExecContext<'a, Context>,
        out: &'a mut JsonWriter,
    ) -> BoxedWrite<'a> {
        Box::pin(async move { write_fields::<Self, Self, _>(&QueryRoot(cx.context), selection, path, cx, out).await })
    }

    fn mutation<'a>(plan: &'a Plan, cx: &'a ExecContext<'a, Context>, out: &'a mut JsonWriter) -> BoxedWrite<'a> {
        Box::pin(async move { run_mutation::<Self, Self, _>(&MutationRoot(cx.context), plan, cx, out).await })
    }
}

impl Object<Tiny> for QueryRoot<'_, Context> {
    const NAME: &'static str = "Query";

    async fn field(&self, info: Info<'_, Tiny>, out: &mut JsonWriter) -> Written {
        match info.field.name {
            "text" => {
                let text = || async {
                    info.arg::<Option<serde_json::Value>>("in")?;
                    info.arg::<Option<serde_json::Value>>("colours")?;
                    info.arg::<Option<String>>("s")
                };
                info.sync_value(text, out).await
            }
            "meet" => {
                let met = || async {
                    let who = info.arg::<i32>("who")?;
                    self.0.meeting.wait().await;
                    Ok(who)
                };
                info.sync_value(met, out).await
            }
            "broken" | "mustBreak" => {
                let broken = || async { Err::<i32, _>(FieldError::new("UNAVAILABLE", "kapot").with_detail("broken")) };
                info.sync_value(broken, out).await
            }
            name => unknown("Query", name),
        }
    }
}

impl Object<Tiny> for MutationRoot<'_, Context> {
    const NAME: &'static str = "Mutation";

    async fn field(&self, info: Info<'_, Tiny>, out: &mut JsonWriter) -> Written {
        let added = || async {
            let n = info.arg::<Option<i32>>("n")?.unwrap_or_default();
            let note = |what: &str| self.0.done.lock().expect("nobody panics").push(format!("{what} {n}"));
            note("begin");
            tokio::task::yield_now().await;
            note("end");
            Ok(n)
        };
        info.sync_value(added, out).await
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
