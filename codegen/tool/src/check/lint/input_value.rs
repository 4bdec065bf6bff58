//! The input values of a schema: arguments, fields of inputs, arguments of directives.

use schema::coordinate;
use schema::model::{Input, Kind, Type};
use schema::sdl::Sdl;

/// An input value of a schema.
pub(super) struct InputValue<'a> {
    pub coordinate: String,
    pub input: &'a Input,
    /// For an argument of a field: the named type of the field.
    pub field_type: Option<&'a str>,
}

/// Returns every input value in the order of the document, those of directives last.
pub(super) fn input_values(sdl: &Sdl) -> Vec<InputValue<'_>> {
    let mut values: Vec<InputValue<'_>> = sdl.schema.types.iter().flat_map(of_type).collect();
    for directive in &sdl.schema.directives {
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
