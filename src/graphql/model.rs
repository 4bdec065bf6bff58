//! A version's schema as the engine looks things up in it: made once per version, kept for the life of the process.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use async_graphql::Value as ConstValue;
use async_graphql::parser::types::OperationType;
use codegen::coordinate;
use codegen::model::{self as sdl, Kind, Schema, Ty, Type};

use super::coordinate::{Coordinates, Number};
use super::literal;

/// The schema, its introspection types, and what is looked up for each request.
pub struct Model {
    pub schema: &'static Schema,
    /// What every schema has: the built-in scalars and directives, `__Schema` and its kin.
    pub meta: &'static Schema,
    /// What the schema is made of, numbered.
    pub coordinates: Coordinates,
    composites: HashMap<&'static str, Composite>,
    inputs: HashMap<&'static str, InputObject>,
    enums: HashMap<&'static str, EnumDefinition>,
    directives: HashMap<&'static str, Vec<InputDefinition>>,
}

/// A type with fields, or a union.
pub struct Composite {
    /// The object types its values can have.
    pub possible: Vec<&'static str>,
    fields: HashMap<&'static str, FieldDefinition>,
}

/// A field of an object or interface.
pub struct FieldDefinition {
    pub field: &'static sdl::Field,
    pub arguments: Vec<InputDefinition>,
    /// Whether its value is waited for.
    pub resolved: bool,
    /// `None`: a field of introspection.
    pub coordinate: Option<Number>,
}

/// An argument, or a field of an input type.
pub struct InputDefinition {
    pub input: &'static sdl::Input,
    pub name: &'static str,
    pub ty: &'static Ty,
    pub default: Option<ConstValue>,
    /// `None`: of introspection, or of a directive.
    pub coordinate: Option<Number>,
}

/// An input type.
pub struct InputObject {
    pub one_of: bool,
    pub fields: Vec<InputDefinition>,
}

/// An enum.
struct EnumDefinition {
    values: &'static [sdl::EnumValue],
    /// The coordinate of its first value; the others follow.
    first: Option<Number>,
}

impl Model {
    /// The model of a version; the same one however often it is asked for.
    ///
    /// # Panics
    /// When the SDL is wrong, which the build would have refused.
    pub fn of(version: &'static str, source: &'static str) -> &'static Model {
        static MODELS: Mutex<BTreeMap<(&str, &str), &Model>> = Mutex::new(BTreeMap::new());
        let mut models = MODELS.lock().unwrap_or_else(PoisonError::into_inner);
        models.entry((version, source)).or_insert_with(|| {
            let schema = Schema::parse(version, source).expect("the build has checked the schema");
            let meta = Schema::parse_introspection(include_str!("introspection.graphql"));
            let meta = meta.expect("the types of introspection follow the rules");
            Box::leak(Box::new(Model::new(Box::leak(Box::new(schema)), Box::leak(Box::new(meta)))))
        })
    }

    fn new(schema: &'static Schema, meta: &'static Schema) -> Self {
        let coordinates = Coordinates::of(schema);
        let (mut composites, mut inputs, mut enums) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (of, ty) in schema.types.iter().map(|t| (schema, t)).chain(meta.types.iter().map(|t| (meta, t))) {
            if let Kind::Input { one_of, fields } = &ty.kind {
                let at = |field: &sdl::Input| coordinates.number(&coordinate::member(&ty.name, &field.name));
                inputs.insert(&*ty.name, InputObject { one_of: *one_of, fields: input_definitions(fields, at) });
            }
            if let Kind::Enum { values } = &ty.kind {
                let first = values.first().and_then(|v| coordinates.number(&coordinate::member(&ty.name, &v.name)));
                enums.insert(&*ty.name, EnumDefinition { values, first });
            }
            let possible = of.possible_types(ty);
            // The query root of the introspection types only carries `__schema` and `__type`.
            if possible.is_empty() || (std::ptr::eq(of, meta) && !ty.name.starts_with("__")) {
                continue;
            }
            let fields =
                ty.fields().iter().map(|f| (&*f.name, FieldDefinition::new(&coordinates, of, ty, f))).collect();
            composites.insert(&*ty.name, Composite { possible, fields });
        }
        let introspection = meta.get(&meta.query).expect("the introspection types have a root");
        let root = composites.get_mut(&*schema.query).expect("the schema has a query root");
        for field in introspection.fields() {
            let definition = FieldDefinition::new(&coordinates, meta, introspection, field).loaded();
            root.fields.insert(&field.name, definition);
        }
        let directives = meta.directives.iter().chain(&schema.directives);
        let directives = directives.map(|d| (&*d.name, input_definitions(&d.args, |_| None))).collect();
        Self { schema, meta, coordinates, composites, inputs, enums, directives }
    }

    /// The object, interface or union called `name`.
    pub fn composite(&self, name: &str) -> Option<&Composite> {
        self.composites.get(name)
    }

    /// The field called `name` of the type called `ty`; `__schema` and `__type` are fields of the query root.
    pub fn field(&self, ty: &str, name: &str) -> Option<&FieldDefinition> {
        self.composites.get(ty)?.fields.get(name)
    }

    /// The root of operations of a kind.
    pub fn root(&self, kind: OperationType) -> Option<&'static str> {
        match kind {
            OperationType::Query => Some(&self.schema.query),
            OperationType::Mutation => self.schema.mutation.as_deref(),
            OperationType::Subscription => None,
        }
    }

    /// The arguments of the directive called `name`.
    pub fn directive(&self, name: &str) -> Option<&[InputDefinition]> {
        self.directives.get(name).map(|arguments| &**arguments)
    }

    /// The input type called `name`.
    pub fn input(&self, name: &str) -> Option<&InputObject> {
        self.inputs.get(name)
    }

    /// The type called `name`, built-in scalars and introspection types included.
    pub fn ty(&self, name: &str) -> Option<&'static Type> {
        self.schema.get(name).or_else(|| self.meta.get(name))
    }

    /// The values of the enum called `name`.
    pub fn enum_values(&self, name: &str) -> Option<&'static [sdl::EnumValue]> {
        self.enums.get(name).map(|definition| definition.values)
    }

    /// A value of the enum called `name`, with its coordinate.
    pub fn enum_value(&self, name: &str, value: &str) -> Option<(&'static str, Option<Number>)> {
        let EnumDefinition { values, first } = self.enums.get(name)?;
        let at = values.iter().position(|known| known.name == value)?;
        Some((&values[at].name, first.map(|first| first + at as Number)))
    }
}

impl FieldDefinition {
    fn new(coordinates: &Coordinates, schema: &Schema, ty: &Type, field: &'static sdl::Field) -> Self {
        let resolved = codegen::shape::resolved(schema, ty, field);
        let at = coordinate::member(&ty.name, &field.name);
        let argument = |input: &sdl::Input| coordinates.number(&coordinate::argument(&at, &input.name));
        let arguments = input_definitions(&field.args, argument);
        Self { field, arguments, resolved, coordinate: coordinates.number(&at) }
    }

    fn loaded(self) -> Self {
        Self { resolved: false, ..self }
    }
}

/// `coordinate` tells where each of them is.
pub(super) fn input_definitions(
    inputs: &'static [sdl::Input],
    coordinate: impl Fn(&sdl::Input) -> Option<Number>,
) -> Vec<InputDefinition> {
    let definition = |i: &'static sdl::Input| InputDefinition {
        input: i,
        name: &i.name,
        ty: &i.ty,
        default: i.default.as_deref().map(literal::from_sdl),
        coordinate: coordinate(i),
    };
    inputs.iter().map(definition).collect()
}
