//! The paths of the hand-written Rust that generated code uses, and the spelling of names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dated_graphql_schema::model::{EnumValue, Kind, Schema};
use dated_graphql_schema::{Diagnostic, Report, Span, coordinate, nearest};
use heck::{ToSnakeCase, ToUpperCamelCase};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

/// The module with the parts of the engine that generated code uses.
pub(super) const ENGINE: &str = "dated_graphql::generated";
/// The three-state type of an optional input field.
pub(super) const PATCH: &str = "dated_graphql::Patch";

/// The hand-written Rust that generated code uses: `[rust]`, `[scalar]` and `[resolve]` of `schema/project.toml`.
#[derive(Clone, Debug)]
pub struct RustPaths {
    /// The module with a type for each entity.
    pub model: String,
    /// The type of the request context, which the roots are implemented for.
    pub context: String,
    /// The module of the generated code.
    pub generated: String,
    /// The folder of the SDL files, relative to a file of the version.
    pub schema_folder: String,
    /// The Rust types of the scalars, by their names in the SDL.
    pub scalars: BTreeMap<String, Scalar>,
    /// The coordinates of the fields that are resolved in any case, with their places in the file.
    pub resolved: BTreeMap<String, Span>,
}

/// The Rust types of a scalar, with whole paths, also inside `<…>`.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// The type of an argument or input field.
    pub input: String,
    /// The type of an output.
    pub output: String,
    /// Whether the output is copied; otherwise it is returned as `Cow<'_, output>`.
    pub copy: bool,
}

/// The parts of `schema/project.toml` that the generator reads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rust: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    scalar: BTreeMap<String, FileScalar>,
    #[serde(rename = "json_schemas")]
    _json_schemas: Option<IgnoredAny>,
    #[serde(default)]
    resolve: FileResolve,
    #[serde(rename = "levels")]
    _levels: Option<IgnoredAny>,
    #[serde(rename = "waiver")]
    _waivers: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileScalar {
    input: Spanned<String>,
    output: Spanned<String>,
    #[serde(default)]
    copy: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileResolve {
    fields: Vec<Spanned<String>>,
}

impl RustPaths {
    /// Reads `schema/project.toml`; reports every mistake in it.
    pub fn parse(path: &str, source: &str) -> Result<Self, Report> {
        let report = |found| Report::new(path, source, found);
        let span = |range: Range<usize>| Span { start: range.start, end: range.end };
        let file: File = toml::from_str(source).map_err(|error| {
            report(vec![Diagnostic::new(span(error.span().unwrap_or(0..0)), error.message(), "here")])
        })?;
        let (mut names, mut found) = (Self::default(), vec![]);
        for (key, value) in file.rust {
            let keys = ["model", "context", "generated", "schema_folder"];
            let (id, text) = (key.get_ref().as_str(), value.get_ref());
            if !id.ends_with("_folder") && syn::parse_str::<syn::Path>(text).is_err() {
                found.push(Diagnostic::new(span(value.span()), format!("`{text}` is no path of Rust"), "here"));
            }
            let slot = match id {
                "model" => &mut names.model,
                "context" => &mut names.context,
                "generated" => &mut names.generated,
                "schema_folder" => &mut names.schema_folder,
                _ => {
                    let diagnostic = Diagnostic::new(span(key.span()), format!("`[rust]` has no `{id}`"), "not known");
                    found.push(diagnostic.did_you_mean(nearest(id, keys)));
                    continue;
                }
            };
            slot.clone_from(text);
        }
        for (name, FileScalar { input, output, copy }) in file.scalar {
            for ty in [&input, &output].into_iter().filter(|ty| syn::parse_str::<syn::Type>(ty.get_ref()).is_err()) {
                found.push(Diagnostic::new(span(ty.span()), format!("`{}` is no type of Rust", ty.get_ref()), "here"));
            }
            names.scalars.insert(name, Scalar { input: input.into_inner(), output: output.into_inner(), copy });
        }
        let fields = file.resolve.fields.into_iter();
        names.resolved = fields.map(|field| (field.get_ref().clone(), span(field.span()))).collect();
        if found.is_empty() { Ok(names) } else { Err(report(found)) }
    }

    /// Reports each field of `[resolve]` that no version has. `path` and `source` describe the file.
    pub fn check_resolved<'s>(
        &self,
        path: &str,
        source: &str,
        schemas: impl Iterator<Item = &'s Schema>,
    ) -> Result<(), Report> {
        let known: BTreeSet<String> = schemas.flat_map(object_fields).collect();
        let unknown = self.resolved.iter().filter(|(field, _)| !known.contains(*field));
        let diagnostic = |(field, span): (&String, &Span)| {
            let message = format!("no version has an object with the field `{field}`");
            let near = nearest(field, known.iter().map(|field| &**field));
            Diagnostic::new(*span, message, "not known").did_you_mean(near)
        };
        let found: Vec<_> = unknown.map(diagnostic).collect();
        if found.is_empty() { Ok(()) } else { Err(Report::new(path, source, found)) }
    }

    /// Returns the scalar `name`.
    pub(super) fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.get(name)
    }
}

/// Returns the coordinates of the fields of all objects.
fn object_fields(schema: &Schema) -> impl Iterator<Item = String> {
    let objects = schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Object { .. }));
    objects.flat_map(|ty| ty.fields().iter().map(|field| coordinate::member(&ty.name, &field.name)))
}

impl Default for RustPaths {
    /// Returns the names that a project without a file has.
    fn default() -> Self {
        let scalar = |name: &str, input: &str, output: &str, copy| {
            (name.to_owned(), Scalar { input: input.to_owned(), output: output.to_owned(), copy })
        };
        Self {
            model: "crate::model".to_owned(),
            context: "crate::Context".to_owned(),
            generated: "crate::generated".to_owned(),
            schema_folder: "../schema".to_owned(),
            scalars: BTreeMap::from([
                scalar("ID", "String", "str", false),
                scalar("String", "String", "str", false),
                scalar("Int", "i32", "i32", true),
                scalar("Float", "f64", "f64", true),
                scalar("Boolean", "bool", "bool", true),
            ]),
            resolved: BTreeMap::new(),
        }
    }
}

/// RustPaths of the standard library that generated code uses and that a type of the schema would hide.
const RUST: [&str; 13] =
    ["Arc", "Box", "Cow", "Err", "Future", "None", "Ok", "Option", "Result", "Send", "Some", "String", "Vec"];

/// Returns every name that generated code uses and that a type of the schema would hide.
pub(crate) fn hidden_names(names: &RustPaths) -> BTreeSet<String> {
    let scalars = names.scalars.values().flat_map(|scalar| [&*scalar.input, &scalar.output]);
    let types = scalars.chain(["Context", "Patch", "FieldError"]).chain(RUST);
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

/// Returns the Rust names of the values of an enum. Of values with the same name, such as `UPDATED` and `updated`, the first
/// has it, or the first that is not deprecated; the others end in `_`.
pub(super) fn value_names(values: &[EnumValue]) -> Vec<String> {
    let mut names = vec![String::new(); values.len()];
    let mut taken = BTreeSet::new();
    for deprecated in [false, true] {
        for (value, slot) in values.iter().zip(&mut names).filter(|(value, _)| value.deprecated.is_some() == deprecated)
        {
            *slot = type_name(&value.name);
            while !taken.insert(slot.clone()) {
                slot.push('_');
            }
        }
    }
    names
}

/// Returns the module name of a version: `v2026_10` for `2026-10`.
pub(super) fn module_name(version: &str) -> String {
    format!("v{}", version.replace(['-', '.'], "_"))
}

/// Returns the marker type of a version: `V2026_10` for `2026-10`.
pub(super) fn marker_name(version: &str) -> String {
    format!("V{}", version.replace(['-', '.'], "_"))
}
