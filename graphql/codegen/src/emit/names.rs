//! The paths of the hand-written Rust that generated code uses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dated_graphql_schema::model::{Kind, Schema};
use dated_graphql_schema::rule::BUILT_IN;
use dated_graphql_schema::{Diagnostic, Report, Span, coordinate, nearest};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

/// The module with the parts of the engine that generated code uses.
pub(super) const ENGINE: &str = "dated_graphql::generated";
/// The three-state type of an optional input field.
pub(super) const PATCH: &str = "dated_graphql::Patch";
/// The type of a custom scalar without an entry in `schema/project.toml`.
pub(crate) const JSON: &str = "serde_json::Value";

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
    /// The folder of the project to which resolvers that are not written yet are added; none if it is empty.
    pub stubs_folder: String,
    /// The type of an argument that may be left out, and has no default: `Option`, or `Patch`, which tells absent and null apart.
    pub nullable_argument: String,
    /// The Rust types of the scalars, by their names in the SDL.
    pub scalars: BTreeMap<String, Scalar>,
    /// The coordinates of the fields that are resolved in any case, with their places in the file.
    pub resolved: BTreeMap<String, Span>,
    /// The names of the SDL files of each version that is a folder.
    pub sdl_files: BTreeMap<String, Vec<String>>,
    /// The places of the scalars in the file.
    pub scalar_spans: BTreeMap<String, Span>,
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
    scalar: BTreeMap<Spanned<String>, FileScalar>,
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
            let keys = ["model", "context", "generated", "schema_folder", "stubs_folder", "nullable_argument"];
            let (id, text) = (key.get_ref().as_str(), value.get_ref());
            if !id.ends_with("_folder") && syn::parse_str::<syn::Path>(text).is_err() {
                found.push(Diagnostic::new(span(value.span()), format!("`{text}` is no path of Rust"), "here"));
            }
            let slot = match id {
                "model" => &mut names.model,
                "context" => &mut names.context,
                "generated" => &mut names.generated,
                "schema_folder" => &mut names.schema_folder,
                "stubs_folder" => &mut names.stubs_folder,
                "nullable_argument" if matches!(&**text, "Option" | "Patch") => &mut names.nullable_argument,
                "nullable_argument" => {
                    found.push(Diagnostic::new(span(value.span()), "write `Option` or `Patch`", "here"));
                    continue;
                }
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
            names.scalar_spans.insert(name.get_ref().clone(), span(name.span()));
            names
                .scalars
                .insert(name.into_inner(), Scalar { input: input.into_inner(), output: output.into_inner(), copy });
        }
        let fields = file.resolve.fields.into_iter();
        names.resolved = fields.map(|field| (field.get_ref().clone(), span(field.span()))).collect();
        if found.is_empty() { Ok(names) } else { Err(report(found)) }
    }

    /// Reports each field of `[resolve]` and each `[scalar]` that no version has. `path` and `source` describe the file.
    pub fn check_names<'s>(
        &self,
        path: &str,
        source: &str,
        schemas: impl Iterator<Item = &'s Schema>,
    ) -> Result<(), Report> {
        let schemas: Vec<&Schema> = schemas.collect();
        let fields: BTreeSet<String> = schemas.iter().flat_map(|schema| object_fields(schema)).collect();
        let scalars: BTreeSet<String> =
            schemas.iter().flat_map(|schema| scalars(schema)).chain(BUILT_IN).map(str::to_owned).collect();
        let unknown = |named: &BTreeMap<String, Span>, known: &BTreeSet<String>, what: &str| -> Vec<Diagnostic> {
            let unknown = named.iter().filter(|(name, _)| !known.contains(*name));
            let diagnostic = |(name, span): (&String, &Span)| {
                let near = nearest(name, known.iter().map(|name| &**name));
                Diagnostic::new(*span, format!("no version has {what} `{name}`"), "not known").did_you_mean(near)
            };
            unknown.map(diagnostic).collect()
        };
        let found = [
            unknown(&self.resolved, &fields, "an object with the field"),
            unknown(&self.scalar_spans, &scalars, "the scalar"),
        ]
        .concat();
        if found.is_empty() { Ok(()) } else { Err(Report::new(path, source, found)) }
    }

    /// Adds the custom scalars of the schemas that have no entry: they are any JSON.
    pub(super) fn with_scalars(&self, schemas: &[Schema]) -> Self {
        let mut names = self.clone();
        let json = || Scalar { input: JSON.to_owned(), output: JSON.to_owned(), copy: false };
        for name in schemas.iter().flat_map(scalars) {
            names.scalars.entry(name.to_owned()).or_insert_with(json);
        }
        names
    }

    /// Returns the path of the SDL of a version, for readers of generated files.
    pub(super) fn sdl_path(&self, version: &str) -> String {
        let is_folder = self.sdl_files.get(version).is_some_and(|files| !files.is_empty());
        format!("schema/{version}{}", if is_folder { "/" } else { ".graphql" })
    }

    /// Returns the scalar `name`.
    pub(super) fn scalar(&self, name: &str) -> Option<&Scalar> {
        self.scalars.get(name)
    }
}

/// Returns the scalars that the document defines.
fn scalars(schema: &Schema) -> impl Iterator<Item = &str> {
    schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Scalar { .. })).map(|ty| &*ty.name)
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
            stubs_folder: String::new(),
            nullable_argument: "Option".to_owned(),
            scalars: BTreeMap::from([
                scalar("ID", "String", "str", false),
                scalar("String", "String", "str", false),
                scalar("Int", "i32", "i32", true),
                scalar("Float", "f64", "f64", true),
                scalar("Boolean", "bool", "bool", true),
            ]),
            resolved: BTreeMap::new(),
            sdl_files: BTreeMap::new(),
            scalar_spans: BTreeMap::new(),
        }
    }
}
