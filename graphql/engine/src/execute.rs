//! Runs a plan: async fields run concurrently, preloaded fields are written at once, and null propagates to the nearest nullable
//! field (GraphQL specification, section 6.4).
//!
//! Generated code implements [`SyncValue`], [`Object`] and [`AsyncValue`] for every type, and calls [`ExecContext`] for async
//! fields. Every signature says that its future is `Send`, so the compiler proves it function by function: a proof through the
//! whole tree of a schema exceeds its recursion limit.

#![allow(clippy::manual_async_fn)] // `async fn` cannot say that its future is `Send`

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use futures_util::future::join_all;

use super::error::{FieldError, Message};
use super::introspect::Introspection;
use super::leaf::{Leaf, LeafError};
use super::plan::{Field, Plan, Selection};
use super::value::{Value, Variables};
use super::write::{JsonWriter, NullBubble, Path};

/// What the engine requires of the context of a request.
pub trait RequestContext: Send + Sync + 'static {
    /// Returns the id that every error of the response has, if any.
    fn request_id(&self) -> Option<&str> {
        None
    }

    /// Returns the text of a message for the user.
    fn message(&self, message: &Message) -> String {
        message.to_string()
    }

    /// Returns the written value of a root field of a mutation that was executed before and must not be executed again.
    fn remembered(&self, _response_key: &str) -> Option<&[u8]> {
        None
    }
}

/// An API version, implemented by generated code.
pub trait Version: Send + Sync + 'static {
    /// The context that resolvers get.
    type Context: RequestContext;
    const NAME: &'static str;
    const SDL: &'static str;
    /// The coordinates of the resolved fields of entities. The fields of a root are resolved too, unless they return a root.
    const RESOLVED: &'static [&'static str] = &[];

    /// Returns whether the type of a custom scalar accepts a value.
    fn accepts(_scalar: &str, _value: &Value) -> bool {
        true
    }

    /// Runs a plan.
    fn execute<'a>(
        plan: &'a Plan,
        cx: &'a ExecContext<'a, Self::Context>,
        out: &'a mut JsonWriter,
    ) -> Pin<Box<dyn Future<Output = Result<(), NullBubble>> + Send + 'a>>;
}

/// The execution of one request.
pub struct ExecContext<'a, C> {
    /// The context that resolvers get.
    pub context: &'a C,
    pub(super) variables: &'a Variables,
    pub(super) introspection: &'a Introspection,
}

/// The query root: a wrapper of the context, on which generated code implements the fields.
pub struct QueryRoot<'a, C>(pub &'a C);

/// The mutation root.
pub struct MutationRoot<'a, C>(pub &'a C);

/// A scalar, an enum, or a value whose fields are all preloaded.
pub trait SyncValue<V: Version> {
    fn write(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble>;

    /// See [`Leaf::is_null`].
    fn is_null(&self) -> bool {
        false
    }
}

/// An object with async fields, its own or nested.
pub trait Object<V: Version>: Sync {
    /// The name of the type.
    const NAME: &'static str;

    /// Writes the value of a field whose value is preloaded, with all fields below it; returns false for any other field. The path
    /// is the path of the object.
    fn preloaded(
        &self,
        _: &Field,
        _: &ExecContext<'_, V::Context>,
        _: &Path<'_>,
        _: &mut JsonWriter,
    ) -> Result<bool, NullBubble> {
        Ok(false)
    }

    /// Writes the value of a field that is not preloaded.
    fn field(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send;
}

/// A value with async fields: an object, a list, an option, a union or an interface.
pub trait AsyncValue<V: Version>: Sync {
    fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send;
}

impl<V: Version, T: Leaf + ?Sized> SyncValue<V> for T {
    #[inline]
    fn write(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        let written = if self.is_null() { Err(FieldError::internal(LeafError::Null)) } else { Leaf::write(self, out) };
        written.map_err(|error| NullBubble::new(&error, field, path, cx.context))
    }

    #[inline]
    fn is_null(&self) -> bool {
        Leaf::is_null(self)
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Option<T> {
    #[inline]
    fn write(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        match self {
            Some(value) if !value.is_null() => {
                let mark = out.mark();
                value.write(field, cx, path, out).unwrap_or_else(|null| out.null_from(mark, &null));
            }
            _ => out.null(),
        }
        Ok(())
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Vec<T> {
    fn write(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        out.list(self.iter(), |i, value, out| value.write(field, cx, &Path::Index(path, i), out))
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Arc<T> {
    fn write(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        (**self).write(field, cx, path, out)
    }
}

impl<V: Version, T: AsyncValue<V> + Send> AsyncValue<V> for Arc<T> {
    fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send {
        (**self).write_async(field, cx, path, out)
    }
}

impl<V: Version, T: AsyncValue<V>> AsyncValue<V> for Option<T> {
    fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send {
        async move {
            let Some(value) = self else {
                out.null();
                return Ok(());
            };
            let mark = out.mark();
            if let Err(null) = value.write_async(field, cx, path, out).await {
                out.null_from(mark, &null);
            }
            Ok(())
        }
    }
}

impl<V: Version, T: AsyncValue<V>> AsyncValue<V> for Vec<T> {
    fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send {
        let list = async move {
            let mut all = Ok(());
            out.open(b'[');
            if field.async_below && self.len() > 1 {
                let parts = join_all(self.iter().enumerate().map(|(i, value)| async move {
                    let mut part = JsonWriter::part();
                    let done = value.write_async(field, cx, &Path::Index(path, i), &mut part).await;
                    (part, done)
                }));
                for (i, (part, done)) in parts.await.into_iter().enumerate() {
                    out.comma(i);
                    out.append(part);
                    all = all.and(done);
                }
            } else {
                for (i, value) in self.iter().enumerate() {
                    out.comma(i);
                    value.write_async(field, cx, &Path::Index(path, i), out).await?;
                }
            }
            out.close(b']');
            all
        };
        async move { boxed(list).await }
    }
}

/// Boxes a future and hides its type. The compiler proves that a future is `Send` through the types of all futures in it, as
/// far as its recursion limit; the proof ends at a box.
pub fn boxed<'a>(
    future: impl Future<Output = Result<(), NullBubble>> + Send + 'a,
) -> Pin<Box<dyn Future<Output = Result<(), NullBubble>> + Send + 'a>> {
    Box::pin(future)
}

/// Panics for an unknown field, which validation has excluded.
pub fn unknown(typename: &str, field: &str) -> ! {
    unreachable!("{typename} has no field {field}")
}

/// Writes the fields of a mutation, which run serially (GraphQL specification, section 6.2.2), except those that the context
/// remembers.
pub fn run_mutation<V: Version, T: Object<V>>(
    root: &T,
    plan: &Plan,
    cx: &ExecContext<'_, V::Context>,
    out: &mut JsonWriter,
) -> impl Future<Output = Result<(), NullBubble>> + Send {
    async move {
        out.open(b'{');
        for (i, field) in plan.root.fields.iter().enumerate() {
            out.key(field, i);
            let start = out.mark();
            match cx.context.remembered(field.response_key()) {
                Some(value) => out.raw(value),
                None if !field.is_async && at_once::<V, T>(root, field, cx, &Path::Root, out)? => {}
                None => root.field(field, cx, &Path::Field(&Path::Root, field), out).await?,
            }
            out.root_values.push(start..out.mark());
        }
        out.close(b'}');
        Ok(())
    }
}

/// Writes the selected fields of an object; async fields run concurrently.
pub fn select<V: Version, T: Object<V>>(
    object: &T,
    selection: &Selection,
    cx: &ExecContext<'_, V::Context>,
    path: &Path<'_>,
    out: &mut JsonWriter,
) -> impl Future<Output = Result<(), NullBubble>> + Send {
    async move {
        out.open(b'{');
        if selection.async_fields > 1 {
            concurrently::<V, T>(object, selection, cx, path, out).await?;
        } else {
            for (i, field) in selection.fields.iter().enumerate() {
                out.key(field, i);
                if field.is_async || !at_once::<V, T>(object, field, cx, path, out)? {
                    object.field(field, cx, &Path::Field(path, field), out).await?;
                }
            }
        }
        out.close(b'}');
        Ok(())
    }
}

/// Runs the async fields concurrently, then writes all fields in order.
fn concurrently<V: Version, T: Object<V>>(
    object: &T,
    selection: &Selection,
    cx: &ExecContext<'_, V::Context>,
    path: &Path<'_>,
    out: &mut JsonWriter,
) -> impl Future<Output = Result<(), NullBubble>> + Send {
    async move {
        let mut async_fields = selection.fields.iter().filter(|field| field.is_async);
        // Counted, so that `join_all` allocates once.
        let parts = join_all((0..selection.async_fields).map(|_| {
            let field = async_fields.next().expect("they were counted");
            async move {
                let mut part = JsonWriter::part();
                let done = object.field(field, cx, &Path::Field(path, field), &mut part).await;
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
                match at_once::<V, T>(object, field, cx, path, out) {
                    Ok(true) => continue, // most fields are preloaded and need no future
                    Ok(false) => object.field(field, cx, &Path::Field(path, field), out).await,
                    Err(null) => Err(null),
                }
            };
            all = all.and(done);
        }
        all
    }
}

/// Writes a field that needs no await; returns false for any other field.
fn at_once<V: Version, T: Object<V>>(
    object: &T,
    field: &Field,
    cx: &ExecContext<'_, V::Context>,
    path: &Path<'_>,
    out: &mut JsonWriter,
) -> Result<bool, NullBubble> {
    if object.preloaded(field, cx, path, out)? {
        return Ok(true);
    }
    if !field.name.starts_with("__") {
        return Ok(false);
    }
    match &field.constant {
        Some(written) => out.raw(written),
        None if field.name == "__typename" => out.string(T::NAME),
        None => cx.introspection.root(field, cx.variables, out),
    }
    Ok(true)
}

/// What generated code calls to write an async field. The marker value names `V`. `make` makes the future of the value: a future
/// that is a parameter is stored twice in the one that awaits it.
///
/// A panic in a resolver, or where its value is written, is an error of the field. The panic hook of the process reports it.
impl<C: RequestContext> ExecContext<'_, C> {
    /// Awaits a scalar, an enum, or a value whose fields are all preloaded, and writes it.
    pub fn sync_value<V: Version<Context = C>, T: SyncValue<V>, F: Future<Output = Result<T, FieldError>> + Send>(
        &self,
        _: V,
        make: impl FnOnce() -> F + Send,
        field: &Field,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send {
        async move {
            let mark = out.mark();
            let written = {
                let written = pin!(async {
                    match make().await {
                        Ok(value) => value.write(field, self, path, out),
                        Err(error) => out.fail(mark, &error, field, path, self.context),
                    }
                });
                catch_panic(written).await
            };
            written.unwrap_or_else(|| out.fail(mark, &FieldError::panic(), field, path, self.context))
        }
    }

    /// Awaits a value with async fields, and writes it.
    pub fn async_value<
        V: Version<Context = C>,
        T: AsyncValue<V> + Send,
        F: Future<Output = Result<T, FieldError>> + Send,
    >(
        &self,
        _: V,
        make: impl FnOnce() -> F + Send,
        field: &Field,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> impl Future<Output = Result<(), NullBubble>> + Send {
        async move {
            let mark = out.mark();
            let written = {
                let written = pin!(async {
                    match make().await {
                        Ok(value) => value.write_async(field, self, path, out).await,
                        Err(error) => out.fail(mark, &error, field, path, self.context),
                    }
                });
                catch_panic(written).await
            };
            written.unwrap_or_else(|| out.fail(mark, &FieldError::panic(), field, path, self.context))
        }
    }
}

/// Polls a future where it is, since to move it costs more; returns `None` if it panics.
fn catch_panic<F: Future>(mut future: Pin<&mut F>) -> impl Future<Output = Option<F::Output>> {
    poll_fn(move |cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(polled) => polled.map(Some),
        Err(_panic) => Poll::Ready(None),
    })
}
