//! A schema as a sorted list of facts, one a line, read by cynic-parser, so that a difference names itself.

use std::collections::BTreeSet;

use cynic_parser::type_system::{
    Definition, Description, Directive, FieldDefinition, InputValueDefinition, TypeDefinition, TypeSystemDocument,
};

/// The facts of a schema.
#[derive(Debug, Default)]
pub struct Facts(pub BTreeSet<String>);

impl Facts {
    #[track_caller]
    fn state(&mut self, fact: String, description: Option<&str>) {
        let line = description.map_or(fact.clone(), |text| format!("{fact} \u{2014} {text:?}"));
        assert!(self.0.insert(line.clone()), "stated twice: {line}");
    }
}

/// Reads the types and directives of an SDL.
pub fn facts(source: &str) -> Facts {
    let document = parse(source);
    let mut facts = Facts::default();
    for definition in document.definitions() {
        match definition {
            Definition::Schema(_) => {} // its description; the roots have the usual names
            Definition::Type(ty) => state_type(&mut facts, ty, source),
            Definition::Directive(directive) => {
                let locations = directive.locations().map(|l| l.to_string()).collect::<Vec<_>>().join(" | ");
                let repeatable = directive.is_repeatable();
                let fact = format!("directive @{} on {locations}, repeatable {repeatable}", directive.name());
                facts.state(fact, text(directive.description()).as_deref());
            }
            Definition::SchemaExtension(_) | Definition::TypeExtension(_) => {
                panic!("a published schema is whole: it extends nothing")
            }
        }
    }
    facts
}

/// The names of a type's fields, in the order of the file.
pub fn fields_of(source: &str, name: &str) -> Vec<String> {
    let document = parse(source);
    let found = document.definitions().find_map(|definition| match definition {
        Definition::Type(TypeDefinition::Object(object)) if object.name() == name => {
            Some(object.fields().map(|field| field.name().to_owned()).collect())
        }
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is an object {name}"))
}

fn parse(source: &str) -> TypeSystemDocument {
    cynic_parser::parse_type_system_document(source).unwrap_or_else(|e| panic!("the SDL parses: {e}"))
}

fn state_type(facts: &mut Facts, ty: TypeDefinition<'_>, source: &str) {
    let name = ty.name();
    let (kind, description) = match ty {
        TypeDefinition::Scalar(scalar) => ("SCALAR", scalar.description()),
        TypeDefinition::Object(object) => {
            object.implements_interfaces().for_each(|other| facts.state(format!("{name} implements {other}"), None));
            object.fields().for_each(|field| state_field(facts, name, field, source));
            ("OBJECT", object.description())
        }
        TypeDefinition::Interface(interface) => {
            interface.implements_interfaces().for_each(|other| facts.state(format!("{name} implements {other}"), None));
            interface.fields().for_each(|field| state_field(facts, name, field, source));
            ("INTERFACE", interface.description())
        }
        TypeDefinition::Union(union) => {
            union.members().for_each(|member| facts.state(format!("{name} has member {}", member.name()), None));
            ("UNION", union.description())
        }
        TypeDefinition::Enum(values) => {
            for value in values.values() {
                let fact = format!("{name}.{}{}", value.value(), deprecation(value.directives()));
                facts.state(fact, text(value.description()).as_deref());
            }
            ("ENUM", values.description())
        }
        TypeDefinition::InputObject(input) => {
            input.fields().for_each(|field| state_input(facts, &format!("{name}.{}", field.name()), field, source));
            ("INPUT_OBJECT", input.description())
        }
    };
    facts.state(format!("{kind} {name}"), text(description).as_deref());
}

fn state_field(facts: &mut Facts, owner: &str, field: FieldDefinition<'_>, source: &str) {
    let place = format!("{owner}.{}", field.name());
    for argument in field.arguments() {
        state_input(facts, &format!("{place}({})", argument.name()), argument, source);
    }
    let fact = format!("{place}: {}{}", field.ty(), deprecation(field.directives()));
    facts.state(fact, text(field.description()).as_deref());
}

fn state_input(facts: &mut Facts, place: &str, input: InputValueDefinition<'_>, source: &str) {
    let default = input.default_value().map_or(String::new(), |value| {
        let span = value.span();
        format!(" = {}", &source[span.start..span.end])
    });
    let fact = format!("{place}: {}{default}{}", input.ty(), deprecation(input.directives()));
    facts.state(fact, text(input.description()).as_deref());
}

fn text(description: Option<Description<'_>>) -> Option<String> {
    description.map(|description| description.to_cow().into_owned())
}

fn deprecation<'a>(mut directives: impl Iterator<Item = Directive<'a>>) -> String {
    let deprecated = directives.find(|found| found.name() == "deprecated");
    let reason = deprecated.and_then(|found| found.arguments().find(|argument| argument.name() == "reason"));
    reason.map_or(String::new(), |reason| format!(" deprecated: {:?}", reason.value().as_str()))
}
