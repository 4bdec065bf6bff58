//! Arguments as JSON text, to be compared with what the reference implementation made of them. An absent field of an
//! input does not show; an absent argument shows as null.

use chrono::NaiveDate;
use dated_graphql::generated::Enum;
use dated_graphql::{Parsed, Patch};

use crate::vtest::{Filter, Habitat, OneOf, Point};

pub(crate) trait Shown {
    fn shown(&self) -> String;
}

impl Shown for i32 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for f64 {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for bool {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for String {
    fn shown(&self) -> String {
        serde_json::to_string(self).expect("a string is JSON")
    }
}

impl Shown for Habitat {
    fn shown(&self) -> String {
        self.name().to_owned().shown()
    }
}

impl Shown for Parsed<NaiveDate> {
    fn shown(&self) -> String {
        match self {
            Parsed::Value(day) => day.to_string().shown(),
            Parsed::Invalid(text) => text.shown(),
        }
    }
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), Shown::shown)
    }
}

impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> String {
        format!("[{}]", self.iter().map(Shown::shown).collect::<Vec<_>>().join(","))
    }
}

/// A value that may be absent.
trait Field {
    fn field(&self) -> Option<String>;
}

impl<T: Shown> Field for Patch<T> {
    fn field(&self) -> Option<String> {
        match self {
            Patch::Absent => None,
            Patch::Null => Some("null".to_owned()),
            Patch::Value(value) => Some(value.shown()),
        }
    }
}

impl<T: Shown> Field for T {
    fn field(&self) -> Option<String> {
        Some(self.shown())
    }
}

pub(crate) fn object<const N: usize>(fields: [(&str, Option<String>); N]) -> String {
    let shown = fields.into_iter().filter_map(|(name, value)| Some(format!("\"{name}\":{}", value?)));
    format!("{{{}}}", shown.collect::<Vec<_>>().join(","))
}

/// The named values as one JSON object.
macro_rules! shown {
    ($($name:literal : $value:expr),* $(,)?) => {
        crate::shown::object([$(($name, Some(crate::shown::Shown::shown(&$value)))),*])
    };
}
pub(super) use shown;

impl Shown for Filter {
    fn shown(&self) -> String {
        object([
            ("name", self.name.field()),
            ("legs", self.legs.field()),
            ("minimum", self.minimum.field()),
            ("habitat", self.habitat.field()),
            ("habitats", self.habitats.field()),
            ("born", self.born.field()),
            ("site", self.site.field()),
            ("ids", self.ids.field()),
            ("matrix", self.matrix.field()),
            ("near", self.near.field()),
            ("and", self.and.field()),
            ("exact", self.exact.field()),
            ("old", self.old.field()),
        ])
    }
}

impl Shown for Point {
    fn shown(&self) -> String {
        object([("x", self.x.field()), ("y", self.y.field()), ("label", self.label.field())])
    }
}

impl Shown for OneOf {
    fn shown(&self) -> String {
        object([("id", self.id.field()), ("name", self.name.field()), ("point", self.point.field())])
    }
}
