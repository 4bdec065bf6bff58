//! The descriptions of a schema, its input values (arguments, fields of inputs, arguments of directives), and the types that others
//! lead to.

use std::collections::BTreeSet;

use crate::coordinate;
use crate::model::{Input, Kind, Schema, Type};

/// An input value of a schema.
pub struct InputValue<'a> {
    /// The schema coordinate; see [`crate::coordinate`].
    pub coordinate: String,
    /// The input value.
    pub input: &'a Input,
    /// For an argument of a field: the named type of the field.
    pub field_type: Option<&'a str>,
}

/// Returns the description of every element that can have one, by coordinate.
pub fn descriptions(schema: &Schema) -> Vec<(String, Option<&str>)> {
    let mut all = vec![(coordinate::SCHEMA.to_owned(), schema.description.as_deref())];
    for ty in &schema.types {
        all.push((ty.name.clone(), ty.description.as_deref()));
        let at = |name: &str| coordinate::member(&ty.name, name);
        all.extend(ty.fields().iter().map(|field| (at(&field.name), field.description.as_deref())));
        if let Kind::Enum { values } = &ty.kind {
            all.extend(values.iter().map(|value| (at(&value.name), value.description.as_deref())));
        }
    }
    let directives = schema.directives.iter();
    all.extend(directives.map(|item| (coordinate::directive(&item.name), item.description.as_deref())));
    all.extend(input_values(schema).into_iter().map(|value| (value.coordinate, value.input.description.as_deref())));
    all
}

/// Returns every input value in the order of the document, directives last.
pub fn input_values(schema: &Schema) -> Vec<InputValue<'_>> {
    let mut values: Vec<InputValue<'_>> = schema.types.iter().flat_map(of_type).collect();
    for directive in &schema.directives {
        let name = coordinate::directive(&directive.name);
        values.extend(directive.args.iter().map(|input| InputValue {
            coordinate: coordinate::argument(&name, &input.name),
            input,
            field_type: None,
        }));
    }
    values
}

fn of_type(ty: &Type) -> Vec<InputValue<'_>> {
    let mut values = vec![];
    for field in ty.fields() {
        let at = coordinate::member(&ty.name, &field.name);
        values.extend(field.args.iter().map(|input| InputValue {
            coordinate: coordinate::argument(&at, &input.name),
            input,
            field_type: Some(&*field.ty.name),
        }));
    }
    if let Kind::Input { fields, .. } = &ty.kind {
        values.extend(fields.iter().map(|input| InputValue {
            coordinate: coordinate::member(&ty.name, &input.name),
            input,
            field_type: None,
        }));
    }
    values
}

/// Leaves out the subscription root, and the types that only subscriptions lead to.
pub fn without_subscriptions(schema: Schema) -> Schema {
    let Some(root) = &schema.subscription else { return schema };
    let below = reached(&schema, [&**root]);
    let others = schema.types.iter().map(|ty| &*ty.name).filter(|name| !below.contains(name));
    let kept = reached(&schema, others.chain(starts(&schema).filter(|name| name != root)));
    let types = schema.types.iter().filter(|ty| kept.contains(&*ty.name)).cloned().collect();
    let mut served = schema.with_types(types);
    served.unserved = served.subscription.take();
    served
}

/// Returns the types of the roots and of the arguments of directives, from which a client reaches every other type.
pub fn starts(schema: &Schema) -> impl Iterator<Item = &str> {
    schema.roots().chain(schema.directives.iter().flat_map(|directive| directive.args.iter().map(|arg| &*arg.ty.name)))
}

/// Returns the types that `starts` lead to, and `starts` themselves.
pub fn reached<'a>(schema: &'a Schema, starts: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut open: Vec<&str> = starts.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(ty) = schema.get(name).filter(|_| reached.insert(name)) else { continue };
        open.extend(ty.fields().iter().map(|field| &*field.ty.name));
        open.extend(ty.fields().iter().flat_map(|field| field.args.iter().map(|arg| &*arg.ty.name)));
        open.extend(ty.implements().iter().map(|interface| &**interface));
        match &ty.kind {
            Kind::Union { .. } | Kind::Interface { .. } => open.extend(schema.possible_types(ty)),
            Kind::Input { fields, .. } => open.extend(fields.iter().map(|field| &*field.ty.name)),
            _ => {}
        }
    }
    reached
}
