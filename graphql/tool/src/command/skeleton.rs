//! `cargo schema skeleton`: prints the code to write by hand for a field, a type or a version.

use crate::finding::Findings;
use dated_graphql_codegen::emit::{RustPaths, Written, cost, skeletons};
use dated_graphql_codegen::{load, stub};
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Schema;
use dated_graphql_schema::{Sdl, nearest, walk};

use super::exit::{Exit, Failure, print};
use super::{Project, input};

/// Print the Rust to write by hand: the `impl` with its signatures, conversions of enums and inputs. No file is changed.
#[derive(clap::Args)]
pub(crate) struct Skeleton {
    /// A type or a field, such as `Human.height`; by default what src/ does not have: methods of traits, and conversions of types
    /// that it names nowhere.
    coordinate: Option<String>,
}

impl Skeleton {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let sdls = input::versions(&project.root)?;
        let Some(newest) = sdls.last() else { return Err(Failure::new("schema/ has no version")) };
        let schemas: Vec<Schema> = sdls.iter().map(|sdl| walk::without_subscriptions(sdl.schema.clone())).collect();
        let names = load::names(&project.root)?.0.map_err(|report| Findings::from(&report))?;
        match &self.coordinate {
            Some(coordinate) => print_named(&schemas, &names, newest, coordinate),
            None => print_missing(&schemas, &names, &stub::written(&project.root, &names)?),
        }
    }
}

/// Prints what a coordinate needs in the newest version that asks for it.
fn print_named(schemas: &[Schema], names: &RustPaths, newest: &Sdl, coordinate: &str) -> Result<Exit, Failure> {
    if newest.spans.get(coordinate).is_none() {
        let all: Vec<String> = walk::descriptions(&newest.schema).into_iter().map(|(name, _)| name).collect();
        let meant = nearest(coordinate, all.iter().map(|name| &**name));
        let meant = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        return Err(Failure::new(format!("{} has no `{coordinate}`{meant}", newest.version())));
    }
    let of_version =
        |schema: &Schema| skeletons(schemas, &schema.version, names, Some(coordinate), &Written::default());
    match schemas.iter().rev().find_map(of_version) {
        Some(text) => print(&text)?,
        None => {
            println!("`{}` needs nothing that is written by hand", coordinate::parent(coordinate).unwrap_or(coordinate))
        }
    }
    Ok(Exit::Ok)
}

/// Prints what the project does not have.
fn print_missing(schemas: &[Schema], names: &RustPaths, written: &Written) -> Result<Exit, Failure> {
    let cost = cost(schemas, names).into_iter().map(|line| format!("// {line}.\n"));
    let missing: Vec<String> =
        schemas.iter().filter_map(|schema| skeletons(schemas, &schema.version, names, None, written)).collect();
    let missing =
        if missing.is_empty() { "// Nothing else is to be written.\n".to_owned() } else { missing.join("\n") };
    print(&(cost.collect::<String>() + &missing))?;
    Ok(Exit::Ok)
}
