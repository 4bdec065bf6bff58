//! Reads operations, a line of JSON each, and writes the response to each.

#![allow(dead_code, unused_imports, unused_variables, clippy::all)]

#[path = "../generated/mod.rs"]
mod generated;
mod stubs;
use stubs::models as model;

use std::io::{BufRead, Write};
use std::task::{Context as TaskContext, Poll, Waker};

use dated_graphql::{Limits, Request, RequestContext};

pub struct Context;

impl RequestContext for Context {}

fn main() {
    let max = 1_000_000;
    let limits = Limits { fields_max: max, depth_max: 100, nesting_max: 200, aliases_max: max, document_bytes_max: max, ..Limits::DEFAULT };
    let engine = generated::engines(limits).remove(0);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let request = Request::parse(line.as_bytes()).expect("a request");
        let body = match engine.prepare(&request) {
            Err(refusal) => refusal.to_string().into(),
            // No future here is ever pending.
            Ok(prepared) => match engine.execute(&prepared, &Context).as_mut().poll(&mut TaskContext::from_waker(Waker::noop())) {
                Poll::Ready(executed) => executed.body,
                Poll::Pending => "it waits".into(),
            },
        };
        std::io::stdout().write_all(&[&body[..], b"\n"].concat()).expect("stdout is open");
    }
}

/// Values by the name of a field and its arguments.
mod sample {
    use std::borrow::Cow;
    use std::sync::Arc;

    pub trait Sample: Sized {
        fn sample(at: &str) -> Self;
    }

    fn length(at: &str) -> usize {
        at.encode_utf16().count()
    }

    macro_rules! sample {
        ($($ty:ty: $at:ident => $value:expr;)*) => {$(
            impl Sample for $ty {
                fn sample($at: &str) -> Self { $value }
            }
        )*};
    }
    sample! {
        i32: at => length(at) as i32;
        f64: at => length(at) as f64 + 0.5;
        bool: at => length(at) % 2 == 0;
        String: at => at.to_owned();
        serde_json::Value: at => at.into();
        Cow<'_, str>: at => at.to_owned().into();
    }

    impl<T: Sample + Clone> Sample for Cow<'_, T> {
        fn sample(at: &str) -> Self { Cow::Owned(T::sample(at)) }
    }
    impl<T: Sample> Sample for Option<T> {
        fn sample(at: &str) -> Self { (length(at) % 7 != 0).then(|| T::sample(at)) }
    }
    impl<T: Sample> Sample for Vec<T> {
        fn sample(at: &str) -> Self { vec![T::sample(at), T::sample(at)] }
    }
    impl<T: Sample> Sample for Arc<T> {
        fn sample(at: &str) -> Self { Arc::new(T::sample(at)) }
    }
    impl<T: Sample> Sample for Box<T> {
        fn sample(at: &str) -> Self { Box::new(T::sample(at)) }
    }
    impl<T: Sample> Sample for Result<T, dated_graphql::FieldError> {
        fn sample(at: &str) -> Self { Ok(T::sample(at)) }
    }
}

/// Arguments as they arrive.
mod echo {
    use dated_graphql::Patch;

    pub trait Echo {
        /// `None` if the value is absent or null.
        fn echo(&self) -> Option<String>;
    }

    macro_rules! echo {
        ($($ty:ty)*) => {$(
            impl Echo for $ty {
                fn echo(&self) -> Option<String> { Some(plain(&self.to_string())) }
            }
        )*};
    }
    echo! { i32 f64 bool }

    impl Echo for String {
        fn echo(&self) -> Option<String> { Some(serde_json::Value::from(&**self).to_string()) }
    }
    impl Echo for serde_json::Value {
        fn echo(&self) -> Option<String> { (!self.is_null()).then(|| self.to_string()) }
    }
    impl<T: Echo> Echo for Option<T> {
        fn echo(&self) -> Option<String> { self.as_ref().and_then(Echo::echo) }
    }
    impl<T: Echo> Echo for Patch<T> {
        fn echo(&self) -> Option<String> { self.as_ref().value().and_then(Echo::echo) }
    }
    impl<T: Echo> Echo for Box<T> {
        fn echo(&self) -> Option<String> { (**self).echo() }
    }
    impl<T: Echo> Echo for Vec<T> {
        fn echo(&self) -> Option<String> {
            let items: Vec<String> = self.iter().map(|item| item.echo().unwrap_or("null".to_owned())).collect();
            Some(format!("[{}]", items.join(",")))
        }
    }

    pub fn name(value: impl dated_graphql::generated::Enum) -> String {
        plain(value.name())
    }

    pub fn call(at: &str, arguments: &[(&str, Option<String>)]) -> String {
        format!("{at}({})", join_values(arguments))
    }

    pub fn object(fields: &[(&str, Option<String>)]) -> String {
        format!("{{{}}}", join_values(fields))
    }

    fn join_values(values: &[(&str, Option<String>)]) -> String {
        let pair = |(name, value): &(&str, Option<String>)| Some(format!("{name}:{}", value.as_ref()?));
        values.iter().filter_map(pair).collect::<Vec<_>>().join(",")
    }

    fn plain(text: &str) -> String {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
    }
}
