//! The paths of the hand-written Rust that generated code uses, and the spelling of names.

use std::collections::BTreeSet;

use heck::{ToSnakeCase, ToUpperCamelCase};

/// The hand-written Rust that generated code uses.
#[derive(Clone, Debug)]
pub struct Names {
    /// The module with the parts of the engine.
    pub engine: &'static str,
    /// The module with a type for each entity.
    pub model: &'static str,
    /// The type of the request context, which the roots are implemented for.
    pub context: &'static str,
    /// The three-state type of an optional input field.
    pub patch: &'static str,
    /// The folder of the SDL files, relative to a file of the version.
    pub schema_folder: &'static str,
    /// The Rust types of the scalars.
    pub scalars: &'static [Scalar],
}

/// The Rust types of a scalar, with whole paths, also inside `<…>`.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    /// The name in the SDL.
    pub name: &'static str,
    /// The type of an argument or input field.
    pub input: &'static str,
    /// The type of an output.
    pub output: &'static str,
    /// Whether the output is copied; otherwise it is returned as `Cow<'_, output>`.
    pub copy: bool,
}

impl Names {
    /// Returns the scalar `name`.
    pub(super) fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.iter().find(|scalar| scalar.name == name)
    }
}

impl Default for Names {
    /// Returns the names of the service.
    fn default() -> Self {
        Self {
            engine: "engine::generated",
            model: "crate::model",
            context: "crate::resolver::Context",
            patch: "engine::Patch",
            schema_folder: "../schema",
            scalars: &SCALARS,
        }
    }
}

const SCALARS: [Scalar; 8] = [
    Scalar { name: "ID", input: "String", output: "crate::base::GlobalId", copy: true },
    Scalar { name: "String", input: "String", output: "str", copy: false },
    Scalar { name: "Int", input: "i32", output: "i32", copy: true },
    Scalar { name: "Float", input: "f64", output: "f64", copy: true },
    Scalar { name: "Boolean", input: "bool", output: "bool", copy: true },
    Scalar {
        name: "DateTime",
        input: "engine::Parsed<crate::base::Timestamp>",
        output: "crate::base::Timestamp",
        copy: true,
    },
    Scalar { name: "Date", input: "engine::Parsed<chrono::NaiveDate>", output: "chrono::NaiveDate", copy: true },
    Scalar { name: "URL", input: "engine::Parsed<crate::base::HttpUrl>", output: "crate::base::HttpUrl", copy: false },
];

/// Names of the standard library that generated code uses and that a type of the schema would hide.
const RUST: [&str; 13] =
    ["Arc", "Box", "Cow", "Err", "Future", "None", "Ok", "Option", "Result", "Send", "Some", "String", "Vec"];

/// Returns every name that generated code uses and that a type of the schema would hide.
pub(crate) fn hidden_names(names: &Names) -> BTreeSet<String> {
    let scalars = names.scalars.iter().flat_map(|scalar| [scalar.input, scalar.output]);
    let types = scalars.chain([names.context, names.patch, "FieldError"]).chain(RUST);
    let words = types.flat_map(|ty| ty.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_owned).collect()
}

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: [&str; 4] = ["crate", "self", "super", "Self"];

/// Returns the Rust name of a field, argument or input field: `photo_url` for `photoUrl`, `r#type` for `type`.
pub(crate) fn field_name(name: &str) -> String {
    let snake = name.to_snake_case();
    if NEVER_RAW.contains(&&*snake) {
        format!("{snake}_")
    } else if syn::parse_str::<syn::Ident>(&snake).is_err() {
        format!("r#{snake}")
    } else {
        snake
    }
}

/// Returns the Rust name of a type or enum value: `NotFound` for `NOT_FOUND`.
pub(crate) fn type_name(name: &str) -> String {
    let camel = name.to_upper_camel_case();
    if NEVER_RAW.contains(&&*camel) { format!("{camel}_") } else { camel }
}

/// Returns the module name of a version: `v2026_10` for `2026-10`.
pub(super) fn module_name(version: &str) -> String {
    format!("v{}", version.replace(['-', '.'], "_"))
}

/// Returns the marker type of a version: `V2026_10` for `2026-10`.
pub(super) fn marker_name(version: &str) -> String {
    format!("V{}", version.replace(['-', '.'], "_"))
}
