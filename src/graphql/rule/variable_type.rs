//! Variables are of input types (GraphQL specification, section 5.8.2) and carry no directive, because the schema has
//! none for them (section 5.7.2). The checker panics on a list of an unknown type.

use async_graphql::parser::types::ExecutableDocument;
use codegen::model::Kind;

use super::invalid;
use crate::graphql::error::RefusalError;
use crate::graphql::model::Model;
use crate::graphql::planner::ast_type;

pub(super) fn check(model: &Model, document: &ExecutableDocument, errors: &mut Vec<RefusalError>) {
    for (_, operation) in document.operations.iter() {
        for definition in &operation.node.variable_definitions {
            for directive in &definition.node.directives {
                let name = &directive.node.name.node;
                errors
                    .push(invalid(format!("The directive \"@{name}\" cannot stand on a variable.")).at(directive.pos));
            }
            let (variable, ty) = (&definition.node.name.node, ast_type(&definition.node.var_type.node));
            let detail = match model.ty(&ty.name).map(|ty| &ty.kind) {
                Some(Kind::Scalar { .. } | Kind::Enum { .. } | Kind::Input { .. }) => continue,
                Some(_) => format!("Variable \"${variable}\" cannot be of type \"{ty}\", which is no input type."),
                None => {
                    let name: String = ty.name.chars().take(100).collect();
                    format!("Variable \"${variable}\" is of unknown type \"{name}\".")
                }
            };
            errors.push(invalid(detail).at(definition.pos));
        }
    }
}
