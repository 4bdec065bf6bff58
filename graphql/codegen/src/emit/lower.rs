//! Lowers a schema to the items and writers that are emitted for it. Makes every decision of the emitter.

use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Field, Input, Kind, Type};
use dated_graphql_schema::walk;

use super::item::{
    Doc, Item, Lowered, Member, Method, Read, ReadInput, ReadValue, Responses, Source, Target, Value, Variant, Writer,
};
use super::reuse::WrittenBy;
use super::shape::Role;
use super::version::{Version, values};

/// Lowers a version.
pub(super) fn lower(version: &Version<'_>) -> Lowered {
    let with_items = || version.schema.types.iter().filter(|ty| version.has_item(ty));
    let (reused, fresh): (Vec<_>, Vec<_>) = with_items().partition(|ty| version.item_unchanged(&ty.name));
    let mut reused: Vec<String> = reused.into_iter().map(|ty| version.spelling.type_name(&ty.name)).collect();
    reused.sort_unstable();
    let older = std::iter::successors(version.previous, |version| version.previous);
    let root = |name: &String| match version.written_by(name) {
        WrittenBy::Older(older) => marker_path(older),
        WrittenBy::This | WrittenBy::ThisForAll => version.marker.clone(),
    };
    Lowered {
        version: version.schema.version.clone(),
        module: version.module.clone(),
        marker: version.marker.clone(),
        older: older.map(|older| older.module.clone()).collect(),
        reused,
        items: fresh.into_iter().filter_map(|ty| item(version, ty)).collect(),
        writers: with_items().filter_map(|ty| writer(version, ty)).collect(),
        resolved: resolved(version),
        scalars: scalars(version),
        query: root(&version.schema.query),
        mutation: version.schema.mutation.as_ref().map(root),
    }
}

/// Returns the path of the marker of an older version.
fn marker_path(older: &Version<'_>) -> String {
    format!("{}::{}", older.module, older.marker)
}

/// Returns the coordinates of the resolved fields of entities.
fn resolved(version: &Version<'_>) -> Vec<String> {
    let entities = version.schema.types.iter().filter(|ty| version.is_entity(&ty.name));
    let fields = entities.flat_map(|ty| ty.fields().iter().map(move |field| (ty, field)));
    let resolved = fields.filter(|(ty, field)| version.is_resolved(ty, field));
    resolved.map(|(ty, field)| coordinate::member(&ty.name, &field.name)).collect()
}

/// Returns the custom scalars of arguments and input fields, with their Rust types.
fn scalars(version: &Version<'_>) -> Vec<(String, String)> {
    let inputs = walk::input_values(version.schema);
    let sent = |ty: &&Type| inputs.iter().any(|value| value.input.ty.name == ty.name);
    let custom = version.schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Scalar { .. })).filter(sent);
    custom.filter_map(|ty| Some((ty.name.clone(), version.names.scalar(&ty.name)?.input.clone()))).collect()
}

fn doc(description: &Option<String>, deprecated: &Option<String>) -> Doc {
    Doc { description: description.clone(), deprecated: deprecated.clone() }
}

/// Lowers a type to its item.
fn item(version: &Version<'_>, ty: &Type) -> Option<Item> {
    let (doc, name) = (doc(&ty.description, &None), version.spelling.type_name(&ty.name));
    let borrows = version.borrows(&ty.name);
    Some(match &ty.kind {
        Kind::Scalar { .. } => return None,
        Kind::Object { .. } => match version.role(&ty.name)? {
            Role::Value => {
                let fields = version.written_fields(ty).map(|field| member(version, ty, field)).collect();
                Item::Struct { doc, name, borrows, fields }
            }
            role => trait_item(version, ty, role, doc),
        },
        Kind::Interface { .. } | Kind::Union { .. } => {
            let members = values(version.schema, ty).into_iter();
            let variants =
                members.map(|member| (version.spelling.type_name(member), version.named_output(member))).collect();
            Item::Choice { doc, name, borrows, variants }
        }
        Kind::Enum { values } => {
            let values = values.iter().map(|value| Value {
                doc: self::doc(&value.description, &value.deprecated),
                name: version.spelling.member(&ty.name, &value.name),
            });
            Item::Enum { doc, name, values: values.collect() }
        }
        Kind::Input { fields, .. } => {
            let fields = fields.iter().map(|field| input_member(version, ty, field)).collect();
            Item::Input { doc, name, fields }
        }
    })
}

/// Lowers an entity or root to its trait, without the methods of the trait that it extends.
fn trait_item(version: &Version<'_>, ty: &Type, role: Role, doc: Doc) -> Item {
    let own = version.written_fields(ty).filter(|field| !version.method_unchanged(&ty.name, field));
    let argument = |field: &Field, argument: &Input| {
        (version.spelling.argument(&ty.name, &field.name, &argument.name), version.argument(argument))
    };
    let methods = own.map(|field| Method {
        doc: self::doc(&field.description, &field.deprecated),
        name: version.spelling.member(&ty.name, &field.name),
        context: role == Role::Entity,
        args: field.args.iter().map(|arg| argument(field, arg)).collect(),
        output: version.output(&field.ty),
        is_async: version.is_resolved(ty, field),
    });
    Item::Trait {
        doc,
        name: version.spelling.type_name(&ty.name),
        graphql_name: ty.name.clone(),
        supertrait: version.supertrait(&ty.name).map(str::to_owned),
        methods: methods.collect(),
    }
}

fn member(version: &Version<'_>, ty: &Type, field: &Field) -> Member {
    Member {
        doc: doc(&field.description, &field.deprecated),
        name: version.spelling.member(&ty.name, &field.name),
        ty: version.output(&field.ty),
    }
}

fn input_member(version: &Version<'_>, ty: &Type, input: &Input) -> Member {
    let doc = doc(&input.description, &input.deprecated);
    Member { doc, name: version.spelling.member(&ty.name, &input.name), ty: version.input(ty, input) }
}

/// Lowers a type to its writer; `None` if an older version writes or reads it.
fn writer(version: &Version<'_>, ty: &Type) -> Option<Writer> {
    let name = version.spelling.type_name(&ty.name);
    match &ty.kind {
        Kind::Scalar { .. } => return None,
        Kind::Enum { .. } | Kind::Input { .. } if version.item_unchanged(&ty.name) => return None,
        Kind::Enum { values } => {
            let values =
                values.iter().map(|value| (value.name.clone(), version.spelling.member(&ty.name, &value.name)));
            return Some(Writer::Leaf { name, values: values.collect() });
        }
        Kind::Input { fields, .. } => {
            let fields = fields.iter().map(|field| ReadInput {
                name: version.spelling.member(&ty.name, &field.name),
                graphql_name: field.name.clone(),
                ty: version.input(ty, field),
            });
            return Some(Writer::Parse { name, fields: fields.collect() });
        }
        Kind::Object { .. } | Kind::Interface { .. } | Kind::Union { .. } => {}
    }
    let (target, graphql_name, is_async) = (target(version, ty), ty.name.clone(), version.is_async(&ty.name));
    let responses = match version.written_by(&ty.name) {
        WrittenBy::Older(older) => {
            let reused = || Writer::Reused { target, is_async, older: marker_path(older) };
            return version.is_entity(&ty.name).then(reused);
        }
        WrittenBy::This => Responses::OfThis,
        WrittenBy::ThisForAll => {
            let entities = version.required_entities(&ty.name).into_iter();
            Responses::OfAll(entities.map(|name| (version.spelling.type_name(name), version.is_async(name))).collect())
        }
    };
    if let Kind::Object { fields, .. } = &ty.kind {
        let older = version.extended(ty);
        let own = fields.iter().filter(|field| older.is_none() || !version.method_unchanged(&ty.name, field));
        let (fields, older) = (own.map(|field| read(version, ty, field)).collect(), older.map(marker_path));
        return Some(if is_async {
            Writer::Object { target, graphql_name, fields, older, responses }
        } else {
            Writer::Preloaded { target, graphql_name, fields, responses }
        });
    }
    let variant = |member| Variant { name: version.spelling.type_name(member), is_async: version.is_async(member) };
    let variants = values(version.schema, ty).into_iter().map(variant).collect();
    Some(Writer::Choice { target, variants, is_async, responses })
}

fn target(version: &Version<'_>, ty: &Type) -> Target {
    let name = version.spelling.type_name(&ty.name);
    match version.role(&ty.name) {
        Some(Role::Root) if ty.name == version.schema.query => Target::Query,
        Some(Role::Root) => Target::Mutation,
        Some(Role::Entity) => Target::Entity(name),
        _ => Target::Item { name, borrows: version.borrows(&ty.name), is_boxed: version.is_boxed(&ty.name) },
    }
}

/// Lowers a field for the dispatch.
fn read(version: &Version<'_>, ty: &Type, field: &Field) -> Read {
    let (of, method, role) = (&*field.ty.name, version.spelling.member(&ty.name, &field.name), version.role(&ty.name));
    let source = match role {
        _ if version.schema.is_root(of) => Source::QueryRoot { nullable: !field.ty.is_non_null() },
        Some(Role::Entity | Role::Root) => {
            let module = version.declared_in(&ty.name, field);
            Source::Method {
                module: (module != version.module).then(|| module.to_owned()),
                trait_name: version.spelling.type_name(&ty.name),
                method,
                context: role == Some(Role::Entity),
            }
        }
        _ => Source::Member(method),
    };
    let value = if version.is_async(of) { ReadValue::Async } else { ReadValue::Preloaded };
    Read {
        graphql_name: field.name.clone(),
        source,
        args: field.args.iter().map(|arg| arg.name.clone()).collect(),
        is_async: version.is_resolved(ty, field),
        value,
    }
}
