//! Rules for the defaults of input fields, which a default takes in where it leaves out the field: `{}` for
//! `input Page { size: Int = 10 }` is `{size: 10}`.

use std::collections::BTreeMap;

use dated_graphql_syntax::{Literal, TypeKind, Value};

use super::document::{Document, LocatedInput};
use crate::diagnostic::Diagnostic;
use crate::graph::Graph;
use crate::model::Ty;

/// The number of lists and objects in each other in a default, with the defaults that it takes in.
pub const DEFAULT_LEVELS_MAX: usize = 64;
/// The number of values in a default, with those in its lists and objects and the defaults that it takes in.
pub const DEFAULT_VALUES_MAX: usize = 1_000;

/// The defaults of a document, and which of them takes in which.
struct Defaults<'d, 'a> {
    document: &'d Document<'a>,
    inputs: Vec<LocatedInput<'a>>,
    /// The indices of the input fields.
    fields: BTreeMap<String, usize>,
    graph: Graph,
}

/// How large a default is.
#[derive(Clone, Copy, Default)]
struct Size {
    levels: usize,
    values: usize,
}

impl<'d, 'a> Defaults<'d, 'a> {
    fn new(document: &'d Document<'a>) -> Self {
        let inputs: Vec<_> = document.inputs().filter(|located| located.input.default.is_some()).collect();
        let fields = inputs.iter().enumerate().filter(|(_, located)| !located.argument);
        let fields = fields.map(|(at, located)| (located.path.clone(), at)).collect();
        let mut defaults = Self { document, inputs, fields, graph: Graph::new(vec![]) };
        let taken = |at| {
            let mut taken = vec![];
            defaults.size(at, &mut |field| {
                taken.push(field);
                Size::default()
            });
            taken
        };
        defaults.graph = Graph::new((0..defaults.inputs.len()).map(taken).collect());
        defaults
    }

    /// Returns the size of a default; `taken` returns that of a default that it takes in.
    fn size(&self, at: usize, taken: &mut dyn FnMut(usize) -> Size) -> Size {
        let input = &self.inputs[at].input;
        input.default.as_ref().map_or_else(Size::default, |value| self.measure(&Ty::from(&input.ty), value, taken))
    }

    fn measure(&self, ty: &Ty, value: &Value<'_>, taken: &mut dyn FnMut(usize) -> Size) -> Size {
        let mut size = Size { levels: 0, values: 1 };
        match (&value.literal, ty.item()) {
            (Literal::Null, _) => {}
            (Literal::List(items), item) => {
                let item = item.as_ref().unwrap_or(ty);
                items.iter().for_each(|value| size.add(self.measure(item, value, taken)));
            }
            (_, Some(item)) => size.add(self.measure(&item, value, taken)),
            (Literal::Object(given), None) => match self.document.get(&ty.name) {
                Some(own) if own.kind == TypeKind::Input => {
                    for field in &own.inputs {
                        if let Some(given) = given.iter().find(|given| given.name.text == field.name.text) {
                            size.add(self.measure(&Ty::from(&field.ty), &given.value, taken));
                        } else if let Some(at) = self.fields.get(&format!("{}.{}", own.name.text, field.name.text)) {
                            size.add(taken(*at));
                        }
                    }
                }
                _ => given.iter().for_each(|field| size.add(self.measure(ty, &field.value, taken))),
            },
            _ => {}
        }
        size
    }
}

impl Size {
    /// Adds an item of a list or a field of an object.
    fn add(&mut self, item: Self) {
        self.levels = self.levels.max(item.levels + 1);
        self.values = self.values.saturating_add(item.values);
    }

    fn is_too_large(self) -> bool {
        self.levels > DEFAULT_LEVELS_MAX || self.values > DEFAULT_VALUES_MAX
    }
}

/// No default takes in itself, directly or through others (GraphQL specification, section 3.10,
/// `InputObjectDefaultValueHasCycle`).
pub(super) fn default_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let defaults = Defaults::new(document);
    for (at, located) in defaults.inputs.iter().enumerate() {
        let (Some(next), Some(value)) = (defaults.graph.next_in_cycle(at), &located.input.default) else {
            continue;
        };
        let taken = &defaults.inputs[next];
        let message = format!("the default of `{}` contains itself", located.path);
        let label = match next == at {
            true => format!("takes in itself, because it leaves out `{}`", taken.input.name.text),
            false => format!("takes in the default of `{}`, which leads back to it", taken.path),
        };
        let help = match taken.input.ty.is_non_null() {
            true => "remove one of the defaults".to_owned(),
            false => format!("write `{}: null` in it, or remove the default", taken.input.name.text),
        };
        let diagnostic = Diagnostic::new(value.span, message, label).help(help);
        let related = taken.input.default.as_ref().filter(|_| next != at);
        found.push(match related {
            Some(default) => diagnostic.related(default.span, "this default"),
            None => diagnostic,
        });
    }
}

/// A default is not large with the defaults that it takes in, which can double it at each level.
pub(super) fn default_size(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let defaults = Defaults::new(document);
    if (0..defaults.inputs.len()).any(|at| defaults.graph.next_in_cycle(at).is_some()) {
        return; // a default that contains itself has no size
    }
    let mut sizes = vec![Size::default(); defaults.inputs.len()];
    for at in defaults.graph.leaves_first() {
        let mut takes_too_large = false;
        let size = defaults.size(at, &mut |taken| {
            takes_too_large |= sizes[taken].is_too_large();
            sizes[taken]
        });
        sizes[at] = size;
        let located = &defaults.inputs[at];
        let Some(value) = located.input.default.as_ref().filter(|_| size.is_too_large() && !takes_too_large) else {
            continue;
        };
        let what = match size.levels > DEFAULT_LEVELS_MAX {
            true => format!("more than {DEFAULT_LEVELS_MAX} lists and objects in each other"),
            false => format!("more than {DEFAULT_VALUES_MAX} values"),
        };
        let message = format!("the default of `{}` has {what}", located.path);
        let help = "the defaults of the fields that it leaves out are part of it".to_owned();
        found.push(Diagnostic::new(value.span, message, "too large").help(help));
    }
}
