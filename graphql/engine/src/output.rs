//! The values of fields: what generated code implements, and the lists, options and scalars around it.
//!
//! A field is preloaded if its value is part of the struct, and [`SyncValue`] writes it. A resolved field has a method of a resolver
//! trait, and [`AsyncValue`] awaits it.
//!
//! The version `D` that declares a type writes it in a response of the version `V`, which chooses how the types below it are
//! written. A struct, a union or an enum is another Rust type in each version that changes it, so one implementation serves every
//! `V`, and `D` is `V`. An entity is one Rust type in all versions:
//!
//! ```text
//! impl<V: Version<Context = Context>> SyncValue<V> for Address<'_> { … } // a struct
//! impl<V: Version<Context = Context>> Object<V2026_10, V> for model::Human where model::Film: SyncValue<V> { … }
//! impl AsyncValue<V2027_01> for model::Human { … select::<V2026_10, V2027_01, _>(self, info, out) … } // reuses it
//! ```
//!
//! Every signature says that its future is `Send`, so the compiler proves it function by function: a proof through the whole tree
//! of a schema exceeds its recursion limit.

#![allow(clippy::manual_async_fn)] // `async fn` cannot say that its future is `Send`

use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::join_all;

use super::argument::Input;
use super::context::RequestContext;
use super::error::FieldError;
use super::field_info::FieldInfo;
use super::leaf::{Leaf, LeafError};
use super::path::Path;
use super::plan::{Field, Plan, Selection, VariableDefinition};
use super::value::{Value, Variables};
use super::write::{JsonWriter, NullBubble};

/// The result of writing a value: an error is a null that propagates.
pub type Written = Result<(), NullBubble>;

/// A future that writes, of a hidden type.
pub type BoxedWrite<'a> = Pin<Box<dyn Future<Output = Written> + Send + 'a>>;

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

    /// Writes the selected fields of the query root.
    fn query<'a>(
        selection: &'a Selection,
        path: &'a Path<'a>,
        cx: &'a ExecContext<'a, Self::Context>,
        out: &'a mut JsonWriter,
    ) -> BoxedWrite<'a>;

    /// Runs a mutation. A version without mutations plans none.
    fn mutation<'a>(
        _plan: &'a Plan,
        _cx: &'a ExecContext<'a, Self::Context>,
        _out: &'a mut JsonWriter,
    ) -> BoxedWrite<'a> {
        unreachable!("the schema has no mutations")
    }
}

/// The execution of one request.
pub struct ExecContext<'a, C> {
    /// The context that resolvers get.
    pub context: &'a C,
    pub(super) variables: &'a Variables,
    pub(super) definitions: &'a [VariableDefinition],
    /// Writes a root field of introspection.
    pub(super) introspect: &'a (dyn Fn(&Field, &mut JsonWriter) + Sync),
}

/// The field that is written, and its place in the response: the `GraphQLResolveInfo` of graphql-js.
pub struct Info<'a, V: Version> {
    pub field: &'a Field,
    pub(super) path: &'a Path<'a>,
    pub(super) cx: &'a ExecContext<'a, V::Context>,
}

impl<V: Version> Clone for Info<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Version> Copy for Info<'_, V> {}

impl<'a, V: Version> Info<'a, V> {
    /// Returns the context that resolvers get.
    pub fn context(self) -> &'a V::Context {
        self.cx.context
    }

    /// Returns the argument called `name`.
    pub fn arg<T: Input>(self, name: &'static str) -> Result<T, FieldError> {
        self.field.argument(name, self.cx.variables, self.cx.definitions)
    }

    /// Writes the selected fields of an object whose fields are all preloaded.
    #[inline]
    pub fn object(
        self,
        typename: &str,
        out: &mut JsonWriter,
        mut each: impl FnMut(Info<'_, V>, &mut JsonWriter) -> Written,
    ) -> Written {
        let Self { path, cx, .. } = self;
        out.object(typename, self.field.selection_of(typename), |field, out| {
            let info = Info { field, path: &Path::Field(path, field), cx };
            if info.is_allowed(out)? { each(info, out) } else { Ok(()) }
        })
    }

    /// Writes a value.
    #[inline]
    pub fn write(self, value: &impl SyncValue<V>, out: &mut JsonWriter) -> Written {
        value.write(self, out)
    }

    /// Writes a value with async fields.
    pub fn write_async(self, value: &impl AsyncValue<V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send {
        value.write_async(self, out)
    }

    /// Returns the field as the hooks see it.
    pub(super) fn field_info(self) -> FieldInfo<'a> {
        FieldInfo { field: self.field, path: self.path }
    }

    /// Returns whether the caller may read the field; writes the error otherwise.
    #[inline]
    pub(super) fn is_allowed(self, out: &mut JsonWriter) -> Result<bool, NullBubble> {
        match self.cx.context.check_field(self.field_info()) {
            Err(error) if !self.field.name.starts_with("__") => self.fail(out.mark(), &error, out).map(|()| false),
            _ => Ok(true),
        }
    }

    /// Replaces what was written since `mark` by null and adds the error, or returns the error to propagate if the field is
    /// non-null.
    #[cold]
    pub(super) fn fail(self, mark: usize, error: &FieldError, out: &mut JsonWriter) -> Written {
        let null = NullBubble::new(error, self.field, self.path, self.cx.context);
        if !self.field.nullable {
            return Err(null);
        }
        out.null_from(mark, &null);
        Ok(())
    }
}

/// The query root: a wrapper of the context, on which generated code implements the fields.
pub struct QueryRoot<'a, C>(pub &'a C);

/// The mutation root.
pub struct MutationRoot<'a, C>(pub &'a C);

/// A scalar, an enum, or a value whose fields are all preloaded.
pub trait SyncValue<D: Version, V: Version = D> {
    fn write(&self, info: Info<'_, V>, out: &mut JsonWriter) -> Written;

    /// See [`Leaf::is_null`].
    fn is_null(&self) -> bool {
        false
    }
}

/// An object with async fields, its own or nested.
pub trait Object<D: Version, V: Version = D>: Sync {
    /// The name of the type.
    const NAME: &'static str;

    /// Writes the value of a field whose value is preloaded, with all fields below it; returns false for any other field.
    fn preloaded(&self, _: Info<'_, V>, _: &mut JsonWriter) -> Result<bool, NullBubble> {
        Ok(false)
    }

    /// Writes the value of a field that is not preloaded.
    fn field(&self, info: Info<'_, V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send;
}

/// A value with async fields: an object, a list, an option, a union or an interface.
pub trait AsyncValue<V: Version>: Sync {
    fn write_async(&self, info: Info<'_, V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send;
}

impl<V: Version, T: Leaf + ?Sized> SyncValue<V> for T {
    #[inline]
    fn write(&self, info: Info<'_, V>, out: &mut JsonWriter) -> Written {
        let written = if self.is_null() { Err(FieldError::internal(LeafError::Null)) } else { Leaf::write(self, out) };
        written.map_err(|error| NullBubble::new(&error, info.field, info.path, info.cx.context))
    }

    #[inline]
    fn is_null(&self) -> bool {
        Leaf::is_null(self)
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Option<T> {
    #[inline]
    fn write(&self, info: Info<'_, V>, out: &mut JsonWriter) -> Written {
        match self {
            Some(value) if !value.is_null() => {
                let mark = out.mark();
                value.write(info, out).unwrap_or_else(|null| out.null_from(mark, &null));
            }
            _ => out.null(),
        }
        Ok(())
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Vec<T> {
    fn write(&self, info: Info<'_, V>, out: &mut JsonWriter) -> Written {
        out.list(self.iter(), |i, value, out| value.write(Info { path: &Path::Index(info.path, i), ..info }, out))
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Arc<T> {
    fn write(&self, info: Info<'_, V>, out: &mut JsonWriter) -> Written {
        (**self).write(info, out)
    }
}

/// A field that returns the query root.
impl<V: Version> AsyncValue<V> for QueryRoot<'_, V::Context> {
    fn write_async(&self, info: Info<'_, V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send {
        async move { V::query(info.field.only(), info.path, info.cx, out).await }
    }
}

impl<V: Version, T: AsyncValue<V> + Send> AsyncValue<V> for Arc<T> {
    fn write_async(&self, info: Info<'_, V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send {
        (**self).write_async(info, out)
    }
}

impl<V: Version, T: AsyncValue<V>> AsyncValue<V> for Option<T> {
    fn write_async(&self, info: Info<'_, V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send {
        async move {
            let Some(value) = self else {
                out.null();
                return Ok(());
            };
            let mark = out.mark();
            if let Err(null) = value.write_async(info, out).await {
                out.null_from(mark, &null);
            }
            Ok(())
        }
    }
}

impl<V: Version, T: AsyncValue<V>> AsyncValue<V> for Vec<T> {
    fn write_async(&self, info: Info<'_, V>, out: &mut JsonWriter) -> impl Future<Output = Written> + Send {
        // The future of the list is made here, so that this one holds its box alone.
        async move {
            boxed(async move {
                let mut all = Ok(());
                out.open(b'[');
                if info.field.async_below && self.len() > 1 {
                    let parts = join_all(self.iter().enumerate().map(|(i, value)| async move {
                        let mut part = JsonWriter::part();
                        let item = Info { path: &Path::Index(info.path, i), ..info };
                        let done = value.write_async(item, &mut part).await;
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
                        value.write_async(Info { path: &Path::Index(info.path, i), ..info }, out).await?;
                    }
                }
                out.close(b']');
                all
            })
            .await
        }
    }
}

/// Boxes a future and hides its type. The compiler proves that a future is `Send` through the types of all futures in it, as
/// far as its recursion limit; the proof ends at a box.
pub fn boxed<'a>(future: impl Future<Output = Written> + Send + 'a) -> BoxedWrite<'a> {
    Box::pin(future)
}
