//! A small engine with the interface that generated code uses (`src/graphql/generated.rs` of the service), to compile and
//! run the cases. It has no errors, variables or concurrency.

mod input;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};

pub use input::{Enum, Input, InputError, InputFields, Patch, Value};

#[derive(Clone, Copy, Debug)]
pub struct Id(pub u32);

#[derive(Debug)]
pub struct NullBubble;

#[derive(Debug)]
pub struct FieldError;

pub struct Limits;

pub struct Plan {
    pub mutation: bool,
    pub root: Selection,
}

pub type Selection = Vec<Field>;

pub struct Field {
    pub name: &'static str,
    args: BTreeMap<&'static str, Value>,
    select: Selection,
}

impl Field {
    pub fn new(name: &'static str) -> Self {
        Self { name, args: BTreeMap::new(), select: vec![] }
    }

    pub fn with(mut self, argument: &'static str, value: Value) -> Self {
        self.args.insert(argument, value);
        self
    }

    pub fn select(mut self, fields: impl IntoIterator<Item = Field>) -> Self {
        self.select = fields.into_iter().collect();
        self
    }

    pub fn of(&self, _typename: &str) -> &Selection {
        &self.select
    }

    pub fn arg<T: Input, C>(&self, name: &'static str, _cx: &ExecContext<'_, C>) -> Result<T, FieldError> {
        self.args.get(name).cloned().map_or_else(T::absent, T::parse).map_err(|_| FieldError)
    }
}

pub struct ExecContext<'a, C> {
    pub context: &'a C,
}

pub struct QueryRoot<'a, C>(pub &'a C);

pub struct MutationRoot<'a, C>(pub &'a C);

pub enum Path<'a> {
    Root,
    Field(&'a Path<'a>),
}

#[derive(Default)]
pub struct JsonWriter(Vec<u8>);

impl JsonWriter {
    pub fn raw(&mut self, json: &[u8]) {
        self.0.extend_from_slice(json);
    }

    pub fn put(&mut self, leaf: &(impl Leaf + ?Sized)) {
        leaf.write(self);
    }

    pub fn object(&mut self, typename: &str, selection: &Selection, mut each: impl FnMut(&Field, &mut JsonWriter)) {
        self.list(b"{}", selection.iter(), |field, out| {
            out.raw(format!("\"{}\":", field.name).as_bytes());
            if field.name == "__typename" { typename.write(out) } else { each(field, out) }
        });
    }

    fn list<T>(
        &mut self,
        brackets: &[u8; 2],
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(T, &mut JsonWriter),
    ) {
        self.raw(&brackets[..1]);
        for (at, item) in items.enumerate() {
            self.raw(if at > 0 { b"," } else { b"" });
            each(item, self);
        }
        self.raw(&brackets[1..]);
    }
}

pub trait Version: Send + Sync + 'static {
    type Context: Send + Sync;
    const NAME: &'static str;
    const SDL: &'static str;

    fn execute<'a>(
        plan: &'a Plan,
        cx: &'a ExecContext<'a, Self::Context>,
        out: &'a mut JsonWriter,
    ) -> Pin<Box<dyn Future<Output = Result<(), NullBubble>> + Send + 'a>>;
}

pub trait AnyEngine<C> {
    fn version(&self) -> &'static str;
    fn sdl(&self) -> &'static str;
    fn run(&self, plan: &Plan, context: &C) -> String;
}

pub struct Engine<V>(PhantomData<V>);

impl<V: Version> Engine<V> {
    pub fn new(_: Limits) -> Self {
        Self(PhantomData)
    }
}

impl Clone for Limits {
    fn clone(&self) -> Self {
        Self
    }
}

impl<V: Version> AnyEngine<V::Context> for Engine<V> {
    fn version(&self) -> &'static str {
        V::NAME
    }

    fn sdl(&self) -> &'static str {
        V::SDL
    }

    fn run(&self, plan: &Plan, context: &V::Context) -> String {
        let mut out = JsonWriter::default();
        let cx = ExecContext { context };
        // No future here is ever pending.
        let done = V::execute(plan, &cx, &mut out).as_mut().poll(&mut TaskContext::from_waker(Waker::noop()));
        assert!(matches!(done, Poll::Ready(Ok(()))), "the answer is null or is waited for");
        String::from_utf8(out.0).unwrap()
    }
}

/// Runs a query in one version.
pub fn ask<C>(engines: &[Arc<dyn AnyEngine<C>>], version: &str, context: &C, field: Field) -> String {
    run(engines, version, context, Plan { mutation: false, root: vec![field] })
}

/// Runs a mutation in one version.
pub fn tell<C>(engines: &[Arc<dyn AnyEngine<C>>], version: &str, context: &C, field: Field) -> String {
    run(engines, version, context, Plan { mutation: true, root: vec![field] })
}

fn run<C>(engines: &[Arc<dyn AnyEngine<C>>], version: &str, context: &C, plan: Plan) -> String {
    let engine = engines.iter().find(|engine| engine.version() == version).unwrap();
    assert!(engine.sdl().contains("type Query"));
    engine.run(&plan, context)
}

pub trait SyncValue<V: Version> {
    fn write(&self, field: &Field, cx: &ExecContext<'_, V::Context>, out: &mut JsonWriter);
}

#[allow(async_fn_in_trait)]
pub trait Object<V: Version> {
    const NAME: &'static str;

    fn preloaded(&self, _: &Field, _: &ExecContext<'_, V::Context>, _: &mut JsonWriter) -> bool {
        false
    }

    async fn field(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble>;
}

#[allow(async_fn_in_trait)]
pub trait AsyncValue<V: Version> {
    async fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble>;
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Option<T> {
    fn write(&self, field: &Field, cx: &ExecContext<'_, V::Context>, out: &mut JsonWriter) {
        match self {
            Some(value) => value.write(field, cx, out),
            None => out.raw(b"null"),
        }
    }
}

impl<V: Version, T: SyncValue<V>> SyncValue<V> for Vec<T> {
    fn write(&self, field: &Field, cx: &ExecContext<'_, V::Context>, out: &mut JsonWriter) {
        out.list(b"[]", self.iter(), |value, out| value.write(field, cx, out));
    }
}

impl<V: Version, T: AsyncValue<V>> AsyncValue<V> for Option<T> {
    async fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        match self {
            Some(value) => value.write_async(field, cx, path, out).await,
            None => {
                out.raw(b"null");
                Ok(())
            }
        }
    }
}

impl<V: Version, T: AsyncValue<V>> AsyncValue<V> for Vec<T> {
    async fn write_async(
        &self,
        field: &Field,
        cx: &ExecContext<'_, V::Context>,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        out.raw(b"[");
        for (at, value) in self.iter().enumerate() {
            out.raw(if at > 0 { b"," } else { b"" });
            value.write_async(field, cx, path, out).await?;
        }
        out.raw(b"]");
        Ok(())
    }
}

pub fn unknown(typename: &str, field: &str) -> ! {
    unreachable!("{typename} has no field {field}")
}

pub async fn run_mutation<V: Version, T: Object<V>>(
    root: &T,
    plan: &Plan,
    cx: &ExecContext<'_, V::Context>,
    out: &mut JsonWriter,
) -> Result<(), NullBubble> {
    select::<V, T>(root, &plan.root, cx, &Path::Root, out).await
}

pub async fn select<V: Version, T: Object<V>>(
    object: &T,
    selection: &Selection,
    cx: &ExecContext<'_, V::Context>,
    path: &Path<'_>,
    out: &mut JsonWriter,
) -> Result<(), NullBubble> {
    out.raw(b"{");
    for (at, field) in selection.iter().enumerate() {
        out.raw(if at > 0 { b"," } else { b"" });
        out.raw(format!("\"{}\":", field.name).as_bytes());
        if field.name == "__typename" {
            T::NAME.write(out);
        } else if !object.preloaded(field, cx, out) {
            object.field(field, cx, &Path::Field(path), out).await?;
        }
    }
    out.raw(b"}");
    Ok(())
}

impl<C> ExecContext<'_, C> {
    pub async fn sync_value<V: Version<Context = C>, T: SyncValue<V>>(
        &self,
        _: V,
        value: impl Future<Output = Result<T, FieldError>>,
        field: &Field,
        _: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        value.await.map_err(|_| NullBubble)?.write(field, self, out);
        Ok(())
    }

    pub async fn async_value<V: Version<Context = C>, T: AsyncValue<V>>(
        &self,
        _: V,
        value: impl Future<Output = Result<T, FieldError>>,
        field: &Field,
        path: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        value.await.map_err(|_| NullBubble)?.write_async(field, self, path, out).await
    }

    pub async fn leaf<T: Leaf>(
        &self,
        value: impl Future<Output = Result<T, FieldError>>,
        _: &Field,
        _: &Path<'_>,
        out: &mut JsonWriter,
    ) -> Result<(), NullBubble> {
        value.await.map_err(|_| NullBubble)?.write(out);
        Ok(())
    }
}

pub trait Leaf {
    fn write(&self, out: &mut JsonWriter);
}

macro_rules! leaf {
    ($($ty:ty: $format:literal $(. $part:tt)?;)*) => {$(
        impl Leaf for $ty {
            fn write(&self, out: &mut JsonWriter) {
                out.raw(format!($format, self $(. $part)?).as_bytes());
            }
        })*
    };
}
leaf! { str: "{:?}"; i32: "{}"; bool: "{}"; Id: "\"gid/{}\"" .0; }

impl<T: Leaf + ToOwned + ?Sized> Leaf for Cow<'_, T> {
    fn write(&self, out: &mut JsonWriter) {
        (**self).write(out);
    }
}

impl<T: Leaf> Leaf for Option<T> {
    fn write(&self, out: &mut JsonWriter) {
        match self {
            Some(value) => value.write(out),
            None => out.raw(b"null"),
        }
    }
}

impl<T: Leaf> Leaf for Vec<T> {
    fn write(&self, out: &mut JsonWriter) {
        out.list(b"[]", self.iter(), |value, out| value.write(out));
    }
}
