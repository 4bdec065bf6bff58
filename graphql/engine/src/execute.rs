//! Runs a plan: async fields run concurrently, preloaded fields are written at once, and null propagates to the nearest nullable
//! field (GraphQL specification, section 6.4).
//!
//! Generated code calls [`write_fields`], [`run_mutation`] and [`select`] for objects, and [`Info`] for async fields.

#![allow(clippy::manual_async_fn)] // `async fn` cannot say that its future is `Send`

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Poll;

use futures_util::future::join_all;

use super::context::RequestContext as _;
use super::error::FieldError;
use super::output::{AsyncValue, ExecContext, Info, Object, SyncValue, Version, Written};
use super::path::Path;
use super::plan::{Plan, Selection};
use super::write::{JsonWriter, NullBubble};

/// Panics for an unknown field, which validation has excluded.
pub fn unknown(typename: &str, field: &str) -> ! {
    unreachable!("{typename} has no field {field}")
}

/// Writes the fields of a mutation, which run serially (GraphQL specification, section 6.2.2), except those that the context
/// remembers.
pub fn run_mutation<D: Version, V: Version, T: Object<D, V>>(
    root: &T,
    plan: &Plan,
    cx: &ExecContext<'_, V::Context>,
    out: &mut JsonWriter,
) -> impl Future<Output = Written> + Send {
    async move {
        out.open(b'{');
        for (i, field) in plan.root.fields.iter().enumerate() {
            out.key(field, i);
            let start = out.mark();
            let info = Info { field, path: &Path::Field(&Path::Root, field), cx };
            match cx.context.remembered(field.response_key()) {
                Some(value) => out.raw(value),
                None if !info.is_allowed(out)? => {}
                None if !field.is_async && at_once::<D, V, T>(root, info, out)? => {}
                None => root.field(info, out).await?,
            }
            out.root_values.push(start..out.mark());
        }
        out.close(b'}');
        Ok(())
    }
}

/// Writes the selected fields of an object.
pub fn select<D: Version, V: Version, T: Object<D, V>>(
    object: &T,
    info: Info<'_, V>,
    out: &mut JsonWriter,
) -> impl Future<Output = Written> + Send {
    write_fields::<D, V, T>(object, info.field.selection_of(T::NAME), info.path, info.cx, out)
}

/// Writes the selected fields of the query root, or of another object at `path`; async fields run concurrently.
pub fn write_fields<D: Version, V: Version, T: Object<D, V>>(
    object: &T,
    selection: &Selection,
    path: &Path<'_>,
    cx: &ExecContext<'_, V::Context>,
    out: &mut JsonWriter,
) -> impl Future<Output = Written> + Send {
    async move {
        out.open(b'{');
        if selection.async_fields > 1 {
            concurrently::<D, V, T>(object, selection, path, cx, out).await?;
        } else {
            for (i, field) in selection.fields.iter().enumerate() {
                out.key(field, i);
                let info = Info { field, path: &Path::Field(path, field), cx };
                if info.is_allowed(out)? && (field.is_async || !at_once::<D, V, T>(object, info, out)?) {
                    object.field(info, out).await?;
                }
            }
        }
        out.close(b'}');
        Ok(())
    }
}

/// Runs the async fields concurrently, then writes all fields in order.
fn concurrently<D: Version, V: Version, T: Object<D, V>>(
    object: &T,
    selection: &Selection,
    path: &Path<'_>,
    cx: &ExecContext<'_, V::Context>,
    out: &mut JsonWriter,
) -> impl Future<Output = Written> + Send {
    async move {
        let mut async_fields = selection.fields.iter().filter(|field| field.is_async);
        // Counted, so that `join_all` allocates once.
        let parts = join_all((0..selection.async_fields).map(|_| {
            let field = async_fields.next().expect("they were counted");
            async move {
                let mut part = JsonWriter::part();
                let info = Info { field, path: &Path::Field(path, field), cx };
                let done = match info.is_allowed(&mut part) {
                    Ok(true) => object.field(info, &mut part).await,
                    refused => refused.map(|_| ()),
                };
                (part, done)
            }
        }));
        let mut parts = parts.await.into_iter();
        let mut all = Ok(());
        for (i, field) in selection.fields.iter().enumerate() {
            out.key(field, i);
            let done = if field.is_async {
                let (part, done) = parts.next().expect("each async field has its part");
                out.append(part);
                done
            } else {
                let info = Info { field, path: &Path::Field(path, field), cx };
                let is_written = match info.is_allowed(out) {
                    Ok(true) => at_once::<D, V, T>(object, info, out),
                    refused => refused.map(|_| true),
                };
                match is_written {
                    Ok(true) => continue, // most fields are preloaded and need no future
                    Ok(false) => object.field(info, out).await,
                    Err(null) => Err(null),
                }
            };
            all = all.and(done);
        }
        all
    }
}

/// Writes a field that needs no await; returns false for any other field.
fn at_once<D: Version, V: Version, T: Object<D, V>>(
    object: &T,
    info: Info<'_, V>,
    out: &mut JsonWriter,
) -> Result<bool, NullBubble> {
    if object.preloaded(info, out)? {
        return Ok(true);
    }
    if !info.field.name.starts_with("__") {
        return Ok(false);
    }
    match &info.field.constant {
        Some(written) => out.raw(written),
        None if info.field.name == "__typename" => out.string(T::NAME),
        None => (info.cx.introspect)(info.field, out),
    }
    Ok(true)
}

/// What generated code calls to write an async field. `make` makes the future of the value: a future passed as an argument is
/// stored twice.
///
/// A panic in a resolver, or where its value is written, is an error of the field. The panic hook of the process reports it.
impl<V: Version> Info<'_, V> {
    /// Awaits a scalar, an enum, or a value whose fields are all preloaded, and writes it.
    pub fn sync_value<T: SyncValue<V>, F: Future<Output = Result<T, FieldError>> + Send>(
        self,
        make: impl FnOnce() -> F + Send,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Written> + Send {
        async move {
            let mark = out.mark();
            let written = {
                let written = pin!(async {
                    match self.resolve(make).await {
                        Ok(value) => value.write(self, out),
                        Err(error) => self.fail(mark, &error, out),
                    }
                });
                catch_panic(written).await
            };
            written.unwrap_or_else(|panic| self.fail(mark, &FieldError::from_panic(panic), out))
        }
    }

    fn resolve<T, F: Future<Output = Result<T, FieldError>> + Send>(
        self,
        make: impl FnOnce() -> F + Send,
    ) -> impl Future<Output = Result<T, FieldError>> + Send {
        self.cx.context.around_field(self.field_info(), make)
    }

    /// Awaits a value with async fields, and writes it.
    pub fn async_value<T: AsyncValue<V> + Send, F: Future<Output = Result<T, FieldError>> + Send>(
        self,
        make: impl FnOnce() -> F + Send,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Written> + Send {
        async move {
            let mark = out.mark();
            let written = {
                let written = pin!(async {
                    match self.resolve(make).await {
                        Ok(value) => value.write_async(self, out).await,
                        Err(error) => self.fail(mark, &error, out),
                    }
                });
                catch_panic(written).await
            };
            written.unwrap_or_else(|panic| self.fail(mark, &FieldError::from_panic(panic), out))
        }
    }
}

/// Polls a future where it is, since to move it costs more; returns the payload of its panic.
fn catch_panic<F: Future>(mut future: Pin<&mut F>) -> impl Future<Output = Result<F::Output, Box<dyn Any + Send>>> {
    poll_fn(move |cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
}
