//! From a schema to what is emitted for it: every decision of the emitter is made here.

use super::item::{Doc, From, Item, Lowered, Member, Method, Read, ReadValue, Target, Value, Writer};
use super::names::{field_name, type_name};
use super::version::Version;
use crate::model::{Field, Input, Kind, Type};
use crate::shape::Role;

/// What is emitted for `version`.
pub(super) fn lower(version: &Version<'_>) -> Lowered {
    let with_items = || version.schema.types.iter().filter(|ty| version.has_item(ty));
    let (reused, fresh): (Vec<_>, Vec<_>) = with_items().partition(|ty| version.item_unchanged(&ty.name));
    let mut reused: Vec<String> = reused.into_iter().map(|ty| type_name(&ty.name)).collect();
    reused.sort_unstable();
    Lowered {
        version: version.schema.version.clone(),
        module: version.module.clone(),
        marker: version.marker.clone(),
        older: std::iter::successors(version.previous, |older| older.previous)
            .map(|older| older.module.clone())
            .collect(),
        previous: version.previous.map(|previous| (previous.module.clone(), previous.marker.clone())),
        reused,
        items: fresh.into_iter().filter_map(|ty| item(version, ty)).collect(),
        writers: with_items().filter_map(|ty| writer(version, ty)).collect(),
        has_mutation: version.schema.mutation.is_some(),
    }
}

fn doc(description: &Option<String>, deprecated: &Option<String>) -> Doc {
    Doc { description: description.clone(), deprecated: deprecated.clone() }
}

/// The item for a type.
fn item(version: &Version<'_>, ty: &Type) -> Option<Item> {
    let (doc, name) = (doc(&ty.description, &None), type_name(&ty.name));
    let borrows = version.borrows(&ty.name);
    Some(match &ty.kind {
        Kind::Scalar { .. } => return None,
        Kind::Object { fields, .. } => match version.role(&ty.name)? {
            Role::Value => {
                let fields = fields.iter().map(|field| member(version, field)).collect();
                Item::Struct { doc, name, borrows, fields }
            }
            role => trait_item(version, ty, role, doc),
        },
        Kind::Interface { .. } | Kind::Union { .. } => {
            let members = version.schema.possible_types(ty).into_iter();
            let variants = members.map(|member| (type_name(member), version.named_output(member))).collect();
            Item::Choice { doc, name, borrows, variants }
        }
        Kind::Enum { values } => {
            let values = values.iter().map(|value| Value {
                doc: self::doc(&value.description, &value.deprecated),
                name: type_name(&value.name),
            });
            Item::Enum { doc, name, values: values.collect() }
        }
        Kind::Input { fields, .. } => {
            let fields = fields.iter().map(|field| input_member(version, field)).collect();
            Item::Input { doc, name, fields }
        }
    })
}

/// The trait for an entity or root: whole, or what it adds to the trait of the version before.
fn trait_item(version: &Version<'_>, ty: &Type, role: Role, doc: Doc) -> Item {
    let own = ty.fields().iter().filter(|field| !version.method_unchanged(&ty.name, field));
    let methods = own.map(|field| Method {
        doc: self::doc(&field.description, &field.deprecated),
        name: field_name(&field.name),
        context: role == Role::Entity,
        args: field.args.iter().map(|arg| (field_name(&arg.name), version.argument(arg))).collect(),
        output: version.output(&field.ty),
        resolved: version.resolved(ty, field),
    });
    Item::Trait {
        doc,
        name: type_name(&ty.name),
        graphql_name: ty.name.clone(),
        supertrait: version.supertrait(&ty.name).map(str::to_owned),
        methods: methods.collect(),
    }
}

fn member(version: &Version<'_>, field: &Field) -> Member {
    Member {
        doc: doc(&field.description, &field.deprecated),
        name: field_name(&field.name),
        ty: version.output(&field.ty),
    }
}

fn input_member(version: &Version<'_>, input: &Input) -> Member {
    let doc = doc(&input.description, &input.deprecated);
    Member { doc, name: field_name(&input.name), ty: version.input(input) }
}

/// How the values of a type are written or read; `None` where the version before does it for all versions.
fn writer(version: &Version<'_>, ty: &Type) -> Option<Writer> {
    let name = type_name(&ty.name);
    let lazy = version.is_lazy(&ty.name);
    match &ty.kind {
        Kind::Scalar { .. } => None,
        Kind::Enum { .. } | Kind::Input { .. } if version.item_unchanged(&ty.name) => None,
        Kind::Enum { values } => {
            let values = values.iter().map(|value| (value.name.clone(), type_name(&value.name))).collect();
            Some(Writer::Leaf { name, values })
        }
        Kind::Input { fields, .. } => {
            let fields = fields.iter().map(|field| (field_name(&field.name), field.name.clone()));
            Some(Writer::Parse { name, fields: fields.collect() })
        }
        _ if version.dispatch_unchanged(&ty.name) => {
            Some(Writer::Same { target: target(version, ty), graphql_name: ty.name.clone(), lazy })
        }
        Kind::Interface { .. } | Kind::Union { .. } => {
            let members = version.schema.possible_types(ty).into_iter();
            let variants = members.map(|member| (type_name(member), version.is_lazy(member))).collect();
            Some(Writer::Choice { target: target(version, ty), variants, lazy })
        }
        Kind::Object { fields, .. } => {
            let fields = fields.iter().map(|field| read(version, ty, field)).collect();
            let (target, graphql_name) = (target(version, ty), ty.name.clone());
            Some(if lazy {
                Writer::Object { target, graphql_name, fields }
            } else {
                Writer::Plain { target, graphql_name, fields }
            })
        }
    }
}

fn target(version: &Version<'_>, ty: &Type) -> Target {
    let name = type_name(&ty.name);
    match version.role(&ty.name) {
        Some(Role::Root) if ty.name == version.schema.query => Target::Query,
        Some(Role::Root) => Target::Mutation,
        Some(Role::Entity) => Target::Entity(name),
        _ => Target::Item { name, borrows: version.borrows(&ty.name) },
    }
}

/// How a field is read and written.
fn read(version: &Version<'_>, ty: &Type, field: &Field) -> Read {
    let (method, role) = (field_name(&field.name), version.role(&ty.name));
    let from = match role {
        Some(Role::Entity | Role::Root) => From::Method {
            module: version.declared_in(&ty.name, field).map(str::to_owned),
            trait_name: type_name(&ty.name),
            method,
            context: role == Some(Role::Entity),
        },
        _ => From::Member(method),
    };
    let value = if version.is_leaf(&field.ty.name) {
        ReadValue::Leaf
    } else if version.is_lazy(&field.ty.name) {
        ReadValue::Nested
    } else {
        ReadValue::Plain
    };
    Read {
        graphql_name: field.name.clone(),
        from,
        args: field.args.iter().map(|arg| arg.name.clone()).collect(),
        resolved: version.resolved(ty, field),
        value,
        leads_back: version.leads_back(&field.ty.name, &ty.name),
    }
}
