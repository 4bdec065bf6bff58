//! Skeletons of the code that is written by hand for a version: the `impl` of a trait, and conversions of enums and inputs.
//! Called by `cargo schema skeleton`, which prints them. The signatures equal the generated traits.
//!
//! ```text
//! impl v2026_10::Human for model::Human {
//!     async fn friends(&self, cx: &Context) -> Result<Vec<model::Human>, FieldError> { … }
//! }
//! impl From<model::Episode> for v2026_10::Episode {
//!     fn from(value: model::Episode) -> Self { match value { model::Episode::Jedi => Self::Jedi } }
//! }
//! /// Converts the input into the type that the operation takes.
//! fn review_input(input: v2026_10::ReviewInput) { let v2026_10::ReviewInput { stars, note } = input; … }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Schema, Type};
use dated_graphql_schema::walk;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use super::imports::{importable, imports};
use super::item::{Item, Lowered, Member, Method, Value};
use super::names::RustPaths;
use super::source::{all_identifiers, file_text, format_item, ident, tokens};
use super::spelling::field_name;
use super::version::Version;
use super::vocabulary::signature;
use super::{lower, with_versions};

/// Returns the skeletons that the version `version` adds to the previous version and `written` lacks; `None` if there are none. With a
/// coordinate, only the skeletons of this type or field.
pub fn skeletons(
    schemas: &[Schema],
    version: &str,
    names: &RustPaths,
    coordinate: Option<&str>,
    written: &Written,
) -> Option<String> {
    with_versions(schemas, names, |newest| {
        let mut versions = std::iter::successors(Some(newest), |version| version.previous);
        let version = versions.find(|known| known.schema.version == version)?;
        let mut of = coordinate.into_iter().flat_map(|coordinate| coordinate.split(['.', '(']));
        let type_name = of.next();
        let member =
            type_name.zip(of.next()).and_then(|(of, name)| version.spelling.get(&coordinate::member(of, name)));
        let type_name = type_name.map(|name| version.spelling.get(name).unwrap_or_default());
        let wanted = Wanted { type_name, member, written };
        let at = schemas.iter().position(|schema| schema.version == version.schema.version)?;
        let lowered: Vec<Lowered> =
            std::iter::successors(Some(version), |version| version.previous).map(lower::lower).collect();
        let before = at.checked_sub(1).map(|at| item_names(&schemas[at], version)).unwrap_or_default();
        let of = item_names(&schemas[at], version);
        // An older version declares the types of fields that its structs gain.
        let is_new = |item: &&Item| of.contains(item_name(item)) && !before.contains(item_name(item));
        let own = lowered[0].items.iter().filter(|item| of.contains(item_name(item)));
        let items = own.chain(lowered[1..].iter().flat_map(|older| &older.items).filter(is_new)).collect();
        Skeletons { lowered: &lowered[0], items, version, wanted }.text(version.names)
    })
}

/// The resolvers of a version that are not written yet.
pub struct Stubs {
    /// The module of the version, such as `v2026_10`.
    pub module: String,
    /// The names that the resolvers use and their file does not import, as `use` items.
    pub uses: String,
    pub impls: Vec<StubImpl>,
}

/// The `impl` of a trait, with the methods that are not written yet.
pub struct StubImpl {
    /// The Rust name of the trait.
    pub name: String,
    /// Whether it is for the type of the model with the same name, and not for the context.
    pub is_entity: bool,
    pub methods: Vec<String>,
    pub text: String,
}

/// The hand-written Rust of a project.
#[derive(Default)]
pub struct Written {
    /// The methods, by the module of their version, their trait and their name: the names in the signature of one in the file of the
    /// stubs of its version, nothing of another.
    pub methods: BTreeMap<(String, String, String), BTreeSet<String>>,
    /// The names that the file of the stubs of a version imports.
    pub imported: BTreeMap<String, BTreeSet<String>>,
    /// All identifiers.
    pub names: BTreeSet<String>,
}

impl Written {
    fn method(&self, module: &str, trait_name: &str, method: &str) -> Option<&BTreeSet<String>> {
        self.methods.get(&(module.to_owned(), trait_name.to_owned(), method.to_owned()))
    }
}

/// Returns the resolvers that a project lacks, by version.
pub fn stubs(schemas: &[Schema], names: &RustPaths, written: &Written) -> Vec<Stubs> {
    let of_version = |version: &Version<'_>| {
        let wanted = Wanted { type_name: None, member: None, written };
        let lowered = lower::lower(version);
        let items = lowered.items.iter().collect();
        let skeletons = Skeletons { lowered: &lowered, items, version, wanted };
        let (mut impls, mut items) = (vec![], vec![]);
        for item in &skeletons.items {
            let Item::Trait { name, methods, .. } = item else { continue };
            items.extend(methods.iter().filter_map(|method| skeletons.gained(name, method)));
            let Some(item) = skeletons.implementation(name, methods) else { continue };
            let lacking = methods.iter().filter(|method| skeletons.wants(name, method));
            impls.push(StubImpl {
                name: name.clone(),
                is_entity: methods[0].context,
                methods: lacking.map(|method| method.name.clone()).collect(),
                text: format_item(item.clone()),
            });
            items.push(item);
        }
        let imported = written.imported.get(&lowered.module);
        let uses = skeletons.uses(version.names, &items, imported.unwrap_or(&BTreeSet::new()));
        (!impls.is_empty()).then(|| Stubs { module: lowered.module.clone(), uses: format_item(uses), impls })
    };
    let stubs = with_versions(schemas, names, |newest| {
        Some(std::iter::successors(Some(newest), |version| version.previous).filter_map(of_version).collect())
    });
    stubs.unwrap_or_default()
}

/// The Rust names of the wanted type and field; every type and field, if there are none. The code in `written` is left out.
struct Wanted<'a> {
    type_name: Option<&'a str>,
    member: Option<&'a str>,
    written: &'a Written,
}

impl Wanted<'_> {
    fn includes(&self, type_name: &str) -> bool {
        self.type_name.is_none_or(|wanted| wanted == type_name)
    }

    /// Returns whether a type that is no trait is asked for. A project that names it has converted it as it likes.
    fn includes_type(&self, name: &str) -> bool {
        self.includes(name) && !self.written.names.contains(name)
    }
}

/// Returns the Rust names of the types that the file of a version has.
fn item_names(schema: &Schema, version: &Version<'_>) -> BTreeSet<String> {
    schema.types.iter().filter_map(|ty| version.spelling.get(&ty.name)).map(str::to_owned).collect()
}

struct Skeletons<'a> {
    lowered: &'a Lowered,
    /// The items to write for.
    items: Vec<&'a Item>,
    version: &'a Version<'a>,
    wanted: Wanted<'a>,
}

impl Skeletons<'_> {
    fn text(&self, names: &RustPaths) -> Option<String> {
        let items: Vec<TokenStream> = self.items.iter().flat_map(|item| self.item(item)).collect();
        if items.is_empty() {
            return None;
        }
        let banner = format!("// Version {}: to be written by hand.\n\n", self.lowered.version);
        let uses = self.uses(names, &items, &BTreeSet::new());
        Some(file_text(&banner, [uses].into_iter().chain(items).map(format_item)))
    }

    /// Imports the names that the items use and a file does not import.
    fn uses(&self, names: &RustPaths, items: &[TokenStream], imported: &BTreeSet<String>) -> TokenStream {
        let own = self.lowered.items.iter().map(item_name).chain(self.lowered.reused.iter().map(|name| &**name));
        let own: BTreeSet<String> = own.map(str::to_owned).collect();
        let (importable, mut used, mut used_own) = (importable(names), BTreeSet::new(), BTreeSet::new());
        for item in items {
            find_unqualified(item.clone(), &importable, &mut used);
            find_unqualified(item.clone(), &own, &mut used_own);
        }
        used.retain(|name| !imported.contains(name));
        let (module, root) = (ident(&self.lowered.module), tokens(&names.generated));
        let mut own: Vec<Ident> =
            used_own.iter().filter(|name| !imported.contains(*name)).map(|name| ident(name)).collect();
        if !imported.contains(&self.lowered.module) {
            own.insert(0, ident("self"));
        }
        let own = match &own[..] {
            [] => quote!(),
            [only] if only == "self" => quote!(use #root::#module;),
            own => quote!(use #root::#module::{#(#own),*};),
        };
        let uses = imports(names, &used);
        quote!(#(#uses)* #own)
    }

    fn item(&self, item: &Item) -> Vec<TokenStream> {
        let (module, unwritten) = (ident(&self.lowered.module), placeholder());
        match item {
            Item::Trait { name, methods, .. } => self.implementation(name, methods).into_iter().collect(),
            Item::Enum { name, values, .. } if self.wanted.includes_type(name) => self.conversions(name, values),
            Item::Input { name, fields, .. } if self.wanted.includes_type(name) => {
                let (function, name) = (function(name), ident(name));
                let fields = fields.iter().map(|Member { name, .. }| ident(name));
                vec![quote! {
                    /// Converts the input into the type that the operation takes.
                    #[expect(dead_code)]
                    fn #function(input: #module::#name) {
                        let #module::#name { #(#fields),* } = input;
                        #unwritten
                    }
                }]
            }
            Item::Struct { name, borrows, fields, .. } if self.wanted.includes_type(name) => {
                let (function, name) = (function(name), ident(name));
                let lifetime = borrows.then(|| quote!(<'static>));
                let fields = fields.iter().map(|Member { name, .. }| ident(name));
                vec![quote! {
                    /// The value, which a field that returns it fills in.
                    #[expect(dead_code)]
                    fn #function() -> #module::#name #lifetime { #module::#name { #(#fields: #unwritten,)* } }
                }]
            }
            Item::Enum { .. } | Item::Input { .. } | Item::Struct { .. } | Item::Choice { .. } => vec![],
        }
    }

    /// Returns whether a method of a trait is asked for.
    fn wants(&self, trait_name: &str, method: &Method) -> bool {
        let Wanted { member, written, .. } = self.wanted;
        let is_named = self.wanted.includes(trait_name) && member.is_none_or(|wanted| wanted == method.name);
        is_named && written.method(&self.lowered.module, trait_name, &method.name).is_none()
    }

    /// Returns the names in the signature of a method that the signature which is written does not have yet, because the schema changed.
    fn gained(&self, trait_name: &str, method: &Method) -> Option<TokenStream> {
        let written = self.wanted.written.method(&self.lowered.module, trait_name, &method.name)?;
        let mut names = BTreeSet::new();
        all_identifiers(signature(method), &mut names);
        let gained = names.difference(written).map(|name| ident(name));
        (!written.is_empty()).then(|| quote!(#(#gained)*))
    }

    /// Implements the wanted methods of a trait.
    fn implementation(&self, name: &str, methods: &[Method]) -> Option<TokenStream> {
        let wanted: Vec<&Method> = methods.iter().filter(|method| self.wants(name, method)).collect();
        let (module, id) = (ident(&self.lowered.module), ident(name));
        let implementor = if wanted.first()?.context { quote!(model::#id) } else { quote!(Context) };
        let methods = wanted.into_iter().map(|method| {
            let signature = signature(method);
            match method.is_async {
                true => quote!(#signature { Err(FieldError::not_implemented()) }),
                // In full, since nothing else in the file may need the import.
                false => quote!(#signature { dated_graphql::FieldError::not_implemented().unwind() }),
            }
        });
        Some(quote!(impl #module::#id for #implementor { #(#methods)* }))
    }

    /// Converts an enum from the value of the model where it is received, and to it where it is sent.
    fn conversions(&self, name: &str, values: &[Value]) -> Vec<TokenStream> {
        let schema = self.version.schema;
        let is_it = |of: &str| self.version.spelling.get(of) == Some(name);
        let received = schema.types.iter().flat_map(Type::fields).any(|field| is_it(&field.ty.name));
        let sent = walk::input_values(schema).iter().any(|value| is_it(&value.input.ty.name));
        let (module, name) = (ident(&self.lowered.module), ident(name));
        let values: Vec<_> = values.iter().map(|value| ident(&value.name)).collect();
        let convert = |from: TokenStream, to: TokenStream| {
            quote! {
                impl From<#from> for #to {
                    fn from(value: #from) -> Self { match value { #(#from::#values => Self::#values,)* } }
                }
            }
        };
        let (of_model, of_api) = (quote!(model::#name), quote!(#module::#name));
        let answer = received.then(|| convert(of_model.clone(), of_api.clone()));
        answer.into_iter().chain(sent.then(|| convert(of_api, of_model))).collect()
    }
}

/// Returns the name of a function for an item, which is as distinct as that of the item.
fn function(item: &str) -> Ident {
    let words = item.trim_end_matches('_');
    ident(&format!("{}{}", field_name(words), &item[words.len()..]))
}

/// Returns a placeholder that compiles; clippy refuses it.
fn placeholder() -> TokenStream {
    let name = ident("todo");
    quote!(#name!())
}

fn item_name(item: &Item) -> &str {
    match item {
        Item::Trait { name, .. }
        | Item::Struct { name, .. }
        | Item::Choice { name, .. }
        | Item::Enum { name, .. }
        | Item::Input { name, .. } => name,
    }
}

/// Adds the `wanted` names that stand in `tokens` without a path.
fn find_unqualified(tokens: TokenStream, wanted: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    let mut colons = 0;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => find_unqualified(group.stream(), wanted, found),
            TokenTree::Ident(ident) if colons < 2 => found.extend(wanted.get(&ident.to_string()).cloned()),
            _ => {}
        }
        colons = if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':') { colons + 1 } else { 0 };
    }
}
