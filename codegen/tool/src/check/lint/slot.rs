//! Everything in a schema that takes a value: arguments, fields of inputs, arguments of directives.

use crate::coordinate;
use crate::model::{Input, Kind, Type};
use crate::sdl::Sdl;

/// Something that takes a value.
pub(super) struct Slot<'a> {
    pub coordinate: String,
    pub input: &'a Input,
    /// The named type of the field whose argument it is.
    pub leads_to: Option<&'a str>,
}

/// All of them, in the order of the document; those of directives last.
pub(super) fn all(sdl: &Sdl) -> Vec<Slot<'_>> {
    let mut slots: Vec<Slot<'_>> = sdl.schema.types.iter().flat_map(of_type).collect();
    for directive in &sdl.schema.directives {
        let name = coordinate::directive(&directive.name);
        slots.extend(directive.args.iter().map(|input| Slot {
            coordinate: coordinate::argument(&name, &input.name),
            input,
            leads_to: None,
        }));
    }
    slots
}

fn of_type(ty: &Type) -> Vec<Slot<'_>> {
    let mut slots = vec![];
    for field in ty.fields() {
        let at = coordinate::member(&ty.name, &field.name);
        slots.extend(field.args.iter().map(|input| Slot {
            coordinate: coordinate::argument(&at, &input.name),
            input,
            leads_to: Some(&*field.ty.name),
        }));
    }
    if let Kind::Input { fields, .. } = &ty.kind {
        slots.extend(fields.iter().map(|input| Slot {
            coordinate: coordinate::member(&ty.name, &input.name),
            input,
            leads_to: None,
        }));
    }
    slots
}
