//! The Rust names of types, fields, arguments and enum values, each distinct from the others of its scope.
//!
//! A name that generated code needs, or that another name of the scope has, ends in `_`: `submissionId` is `submission_id`, and
//! `submissionID` beside it `submission_id_`. The names of older versions come first, so that a name which a version adds never
//! changes another. Within a version those that are not deprecated come first, then the order of the document decides.

use std::collections::{BTreeSet, HashMap, HashSet};

use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Input, Kind, Schema};
use heck::{ToSnakeCase, ToUpperCamelCase};

use super::names::RustPaths;

/// Names that generated code uses and that a type of the schema would hide. `Value` is the type of scalars without an entry in
/// `schema/project.toml`, `V_` the generic parameter of the dispatch.
const TYPES: [&str; 19] = [
    "Arc",
    "Box",
    "Context",
    "Cow",
    "Err",
    "FieldError",
    "From",
    "Future",
    "None",
    "Ok",
    "Option",
    "Patch",
    "Result",
    "Send",
    "Some",
    "String",
    "V_",
    "Value",
    "Vec",
];

/// The name of the context argument of generated methods.
const CONTEXT: &str = "cx";

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: [&str; 4] = ["crate", "self", "super", "Self"];

/// The Rust names of all versions.
pub(super) struct Spelling {
    /// The names by coordinate.
    names: HashMap<String, String>,
    /// The names of each scope: of the types, of a type, or of the arguments of a field.
    taken: HashSet<(String, String)>,
}

impl Spelling {
    /// Chooses the names of schemas, which are oldest first.
    pub(super) fn new(schemas: &[Schema], paths: &RustPaths) -> Self {
        let hidden = hidden_names(paths).into_iter().map(|name| (String::new(), name));
        let mut spelling = Self { names: HashMap::new(), taken: hidden.collect() };
        schemas.iter().for_each(|schema| spelling.add(schema));
        spelling
    }

    /// Returns the name of the type.
    pub(super) fn type_name(&self, name: &str) -> String {
        self.names[name].clone()
    }

    /// Returns the name of a field or an enum value of the type.
    pub(super) fn member(&self, of: &str, name: &str) -> String {
        self.names[&coordinate::member(of, name)].clone()
    }

    /// Returns the name of an argument of the field.
    pub(super) fn argument(&self, of: &str, field: &str, name: &str) -> String {
        self.names[&coordinate::argument(&coordinate::member(of, field), name)].clone()
    }

    /// Returns the name at the coordinate, if any version has it.
    pub(super) fn get(&self, coordinate: &str) -> Option<&str> {
        self.names.get(coordinate).map(|name| &**name)
    }

    /// Chooses the names that no older version has.
    fn add(&mut self, schema: &Schema) {
        let items = || schema.types.iter().filter(|ty| !matches!(ty.kind, Kind::Scalar { .. }));
        self.choose("", items().map(|ty| (ty.name.clone(), type_name(&ty.name), false)).collect());
        for ty in items() {
            let (of, at) = (&*ty.name, |name: &str| coordinate::member(&ty.name, name));
            let member = |name: &str, deprecated: &Option<String>| (at(name), field_name(name), deprecated.is_some());
            self.choose(of, ty.fields().iter().map(|field| member(&field.name, &field.deprecated)).collect());
            for field in ty.fields() {
                self.choose_arguments(&at(&field.name), &field.args);
            }
            match &ty.kind {
                Kind::Input { fields, .. } => {
                    self.choose(of, fields.iter().map(|field| member(&field.name, &field.deprecated)).collect());
                }
                Kind::Enum { values } => {
                    let value = values
                        .iter()
                        .map(|value| (at(&value.name), type_name(&value.name), value.deprecated.is_some()));
                    self.choose(of, value.collect());
                }
                _ => {}
            }
        }
    }

    fn choose_arguments(&mut self, of: &str, arguments: &[Input]) {
        self.taken.insert((of.to_owned(), CONTEXT.to_owned()));
        let argument = |argument: &Input| {
            (coordinate::argument(of, &argument.name), field_name(&argument.name), argument.deprecated.is_some())
        };
        self.choose(of, arguments.iter().map(argument).collect());
    }

    /// Chooses the names of a scope: coordinate, name if it is free, and whether it is deprecated.
    fn choose(&mut self, scope: &str, mut wanted: Vec<(String, String, bool)>) {
        wanted.sort_by_key(|(_, _, deprecated)| *deprecated);
        for (at, mut name, _) in wanted {
            if self.names.contains_key(&at) {
                continue;
            }
            while !self.taken.insert((scope.to_owned(), name.clone())) {
                name.push('_');
            }
            self.names.insert(at, name);
        }
    }
}

/// Returns every name that generated code uses and that a type of the schema would hide.
fn hidden_names(paths: &RustPaths) -> BTreeSet<String> {
    let scalars = paths.scalars.values().flat_map(|scalar| [&*scalar.input, &scalar.output]);
    let words = scalars.chain(TYPES).flat_map(|ty| ty.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_owned).collect()
}

/// Returns the name of a field, argument or input field if it is free: `photo_url` for `photoUrl`, `r#type` for `type`.
pub(super) fn field_name(name: &str) -> String {
    let snake = begin_name(name.to_snake_case());
    if NEVER_RAW.contains(&&*snake) {
        format!("{snake}_")
    } else if syn::parse_str::<syn::Ident>(&snake).is_err() {
        format!("r#{snake}")
    } else {
        snake
    }
}

/// Returns the name of a type or enum value if it is free: `NotFound` for `NOT_FOUND`.
fn type_name(name: &str) -> String {
    let camel = begin_name(name.to_upper_camel_case());
    if NEVER_RAW.contains(&&*camel) { format!("{camel}_") } else { camel }
}

/// Makes a name of words without the underscores around them begin as Rust wants: `_1` for `1`, `__` for none.
fn begin_name(words: String) -> String {
    match words.chars().next() {
        None => "__".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{words}"),
        Some(_) => words,
    }
}

/// Returns the module name of a version: `v2026_10` for `2026-10`.
pub(super) fn module_name(version: &str) -> String {
    format!("v{}", version.replace(['-', '.'], "_"))
}

/// Returns the marker type of a version: `V2026_10` for `2026-10`.
pub(super) fn marker_name(version: &str) -> String {
    format!("V{}", version.replace(['-', '.'], "_"))
}
