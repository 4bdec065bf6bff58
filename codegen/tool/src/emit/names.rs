//! What the SDL cannot say: the paths of the hand-written Rust that generated code stands on, and how names are spelled.

use std::collections::BTreeSet;

use heck::{ToSnakeCase, ToUpperCamelCase};

/// The hand-written Rust around the generated code.
#[derive(Clone, Debug)]
pub struct Names {
    /// The module with everything of the engine that generated code uses.
    pub engine: &'static str,
    /// The module with a type for each entity.
    pub model: &'static str,
    /// The type of who asks: what the roots are implemented for.
    pub context: &'static str,
    /// The three-state type of an input field that may be left out.
    pub patch: &'static str,
    /// The folder of the SDL files, as seen from a file of the version.
    pub schema_folder: &'static str,
    /// How each scalar looks.
    pub scalars: &'static [Scalar],
}

/// How a scalar looks in Rust. A type is written with its whole path, also inside `<…>`.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    /// In the SDL.
    pub name: &'static str,
    /// As an argument or a field of an input.
    pub input: &'static str,
    /// As an output.
    pub output: &'static str,
    /// Whether the output is copied; otherwise it is returned as `Cow<'_, output>`.
    pub copy: bool,
}

impl Names {
    /// How the scalar called `name` looks.
    pub(super) fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.iter().find(|scalar| scalar.name == name)
    }
}

impl Default for Names {
    /// The names of the service itself.
    fn default() -> Self {
        Self {
            engine: "crate::graphql::generated",
            model: "crate::model",
            context: "crate::resolver::Context",
            patch: "crate::base::Patch",
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
        input: "crate::base::Parsed<crate::base::Timestamp>",
        output: "crate::base::Timestamp",
        copy: true,
    },
    Scalar { name: "Date", input: "crate::base::Parsed<chrono::NaiveDate>", output: "chrono::NaiveDate", copy: true },
    Scalar {
        name: "URL",
        input: "crate::base::Parsed<crate::base::HttpUrl>",
        output: "crate::base::HttpUrl",
        copy: false,
    },
];

/// Names of Rust itself that generated code uses, and that a type of the schema would hide.
const RUST: [&str; 12] =
    ["Box", "Cow", "Err", "Future", "None", "Ok", "Option", "Result", "Send", "Some", "String", "Vec"];

/// Every name that generated code uses, and that a type of the schema would hide.
pub(crate) fn hidden_names(names: &Names) -> BTreeSet<String> {
    let scalars = names.scalars.iter().flat_map(|scalar| [scalar.input, scalar.output]);
    let types = scalars.chain([names.context, names.patch, "FieldError"]).chain(RUST);
    let words = types.flat_map(|ty| ty.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_owned).collect()
}

/// Words that Rust keeps for itself even as raw identifiers.
const NEVER_RAW: [&str; 4] = ["crate", "self", "super", "Self"];

/// The Rust name of a field, an argument or an input field: `photoUrl` is `photo_url`, `type` is `r#type`.
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

/// The Rust name of a type or an enum value: `NOT_FOUND` is `NotFound`.
pub(crate) fn type_name(name: &str) -> String {
    let camel = name.to_upper_camel_case();
    if NEVER_RAW.contains(&&*camel) { format!("{camel}_") } else { camel }
}

/// The name of a version's module: `2026-10` is `v2026_10`.
pub(super) fn module_name(version: &str) -> String {
    format!("v{}", version.replace(['-', '.'], "_"))
}

/// The name of a version as a type: `2026-10` is `V2026_10`.
pub(super) fn marker_name(version: &str) -> String {
    format!("V{}", version.replace(['-', '.'], "_"))
}
