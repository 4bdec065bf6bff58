//! Lowers a schema to the items and writers that are emitted for it. Makes every decision of the emitter.

use schema::model::{Field, Input, Kind, Type};
use schema::shape::Role;

use super::dispatch_owner::DispatchOwners;
use super::item::{
    DispatchOwner, Doc, From, Item, Lowered, Member, Method, Read, ReadInput, ReadValue, Target, Value, Variant, Writer,
};
use super::names::{field_name, type_name};
use super::version::Version;

/// Lowers the version at `at`.
pub(super) fn lower<'a>(owners: &DispatchOwners<'a>, at: usize) -> Lowered {
    let version = owners.versions[at];
    let with_items = || version.schema.types.iter().filter(|ty| version.has_item(ty));
    let (reused, fresh): (Vec<_>, Vec<_>) = with_items().partition(|ty| version.item_unchanged(&ty.name));
    let mut reused: Vec<String> = reused.into_iter().map(|ty| type_name(&ty.name)).collect();
    reused.sort_unstable();
    let others = owners.versions.iter().filter(|other| other.module != version.module);
    let root = |name: &str| owner(owners, at, owners.oldest(at, name));
    let returns_root = |version: &&Version<'_>| {
        version.schema.types.iter().flat_map(Type::fields).any(|field| version.schema.is_root(&field.ty.name))
    };
    Lowered {
        version: version.schema.version.clone(),
        module: version.module.clone(),
        marker: version.marker.clone(),
        others: others.map(|other| other.module.clone()).collect(),
        previous: version.previous.map(|previous| previous.module.clone()),
        reused,
        items: fresh.into_iter().filter_map(|ty| item(version, ty)).collect(),
        writers: with_items().filter_map(|ty| writer(owners, at, ty)).collect(),
        query: root(&version.schema.query),
        mutation: version.schema.mutation.as_deref().map(root),
        query_is_value: owners.versions.iter().any(returns_root),
    }
}

/// Returns the version at `of` as the owner of a dispatch, from the view of the version at `at`.
fn owner(owners: &DispatchOwners<'_>, at: usize, of: usize) -> DispatchOwner {
    let version = owners.versions[of];
    if of == at { DispatchOwner::Own } else { DispatchOwner::Other(version.module.clone(), version.marker.clone()) }
}

fn doc(description: &Option<String>, deprecated: &Option<String>) -> Doc {
    Doc { description: description.clone(), deprecated: deprecated.clone() }
}

/// Lowers a type to its item.
fn item(version: &Version<'_>, ty: &Type) -> Option<Item> {
    let (doc, name) = (doc(&ty.description, &None), type_name(&ty.name));
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
            let fields = fields.iter().map(|field| input_member(version, ty, field)).collect();
            Item::Input { doc, name, fields }
        }
    })
}

/// Lowers an entity or root to its trait, without the methods of the trait that it extends.
fn trait_item(version: &Version<'_>, ty: &Type, role: Role, doc: Doc) -> Item {
    let own = version.written_fields(ty).filter(|field| !version.method_unchanged(&ty.name, field));
    let methods = own.map(|field| Method {
        doc: self::doc(&field.description, &field.deprecated),
        name: field_name(&field.name),
        context: role == Role::Entity,
        args: field.args.iter().map(|arg| (field_name(&arg.name), version.argument(arg))).collect(),
        output: version.output(&field.ty),
        is_async: version.is_async(ty, field),
    });
    Item::Trait {
        doc,
        name: type_name(&ty.name),
        graphql_name: ty.name.clone(),
        supertrait: version.supertrait(&ty.name).map(str::to_owned),
        methods: methods.collect(),
    }
}

fn member(version: &Version<'_>, ty: &Type, field: &Field) -> Member {
    Member {
        doc: doc(&field.description, &field.deprecated),
        name: field_name(&field.name),
        ty: version.member(ty, field),
    }
}

fn input_member(version: &Version<'_>, ty: &Type, input: &Input) -> Member {
    let doc = doc(&input.description, &input.deprecated);
    Member { doc, name: field_name(&input.name), ty: version.input(ty, input) }
}

/// Lowers a type to its writer; `None` if an older version owns its dispatch.
fn writer<'a>(owners: &DispatchOwners<'a>, at: usize, ty: &'a Type) -> Option<Writer> {
    let version = owners.versions[at];
    let name = type_name(&ty.name);
    match &ty.kind {
        Kind::Scalar { .. } => return None,
        Kind::Enum { .. } | Kind::Input { .. } if version.item_unchanged(&ty.name) => return None,
        Kind::Enum { values } => {
            let values = values.iter().map(|value| (value.name.clone(), type_name(&value.name))).collect();
            return Some(Writer::Leaf { name, values });
        }
        Kind::Input { fields, .. } => {
            let fields = fields.iter().map(|field| ReadInput {
                name: field_name(&field.name),
                graphql_name: field.name.clone(),
                ty: version.input(ty, field),
            });
            return Some(Writer::Parse { name, fields: fields.collect() });
        }
        Kind::Object { .. } | Kind::Interface { .. } | Kind::Union { .. } => {}
    }
    if owners.oldest(at, &ty.name) != at {
        return None;
    }
    let (newest, ty) = owners.whole(at, &ty.name)?;
    let (target, graphql_name, is_async) = (target(version, ty), ty.name.clone(), owners.is_async(newest, &ty.name));
    if let Kind::Object { fields, .. } = &ty.kind {
        let fields = fields.iter().map(|field| read(owners, at, newest, ty, field)).collect();
        return Some(if is_async {
            Writer::Object { target, graphql_name, fields }
        } else {
            Writer::Preloaded { target, graphql_name, fields }
        });
    }
    let variants = owners.versions[newest].schema.possible_types(ty).into_iter().map(|member| Variant {
        name: type_name(member),
        is_async: owners.is_async(newest, member),
        owner: owner(owners, at, owners.oldest(newest, member)),
    });
    Some(Writer::Choice { target, variants: variants.collect(), is_async })
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

/// Lowers a field of the version at `newest` for the dispatch of the version at `at`.
fn read<'a>(owners: &DispatchOwners<'a>, at: usize, newest: usize, ty: &'a Type, field: &'a Field) -> Read {
    let (version, of) = (owners.versions[newest], &*field.ty.name);
    let (method, role) = (field_name(&field.name), version.role(&ty.name));
    let from = match role {
        _ if version.schema.is_root(of) => From::QueryRoot { nullable: !field.ty.is_non_null() },
        Some(Role::Entity | Role::Root) => {
            let module = version.declared_in(&ty.name, field);
            From::Method {
                module: (module != owners.versions[at].module).then(|| module.to_owned()),
                trait_name: type_name(&ty.name),
                method,
                context: role == Some(Role::Entity),
            }
        }
        _ => From::Member(method),
    };
    let value = if version.is_leaf(of) {
        ReadValue::Leaf
    } else if owners.is_async(newest, of) {
        ReadValue::Async
    } else {
        ReadValue::Preloaded
    };
    Read {
        graphql_name: field.name.clone(),
        from,
        args: field.args.iter().map(|arg| arg.name.clone()).collect(),
        is_async: version.is_async(ty, field),
        value,
        owner: owner(owners, at, owners.oldest(newest, of)),
        leads_back: owners.leads_back(newest, of, &ty.name),
    }
}
