//! Adds the resolvers that a project lacks, which answer the error NOT_IMPLEMENTED. Called by `cargo schema init` and `generate`.
//!
//! A resolver is a method of an `impl` of a generated trait. One that is anywhere in `src/` is never touched. The others of a version go
//! to its file in the folder of the stubs, `src/resolver/<version>.rs`: into the `impl` that is there, or into a new one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dated_graphql_schema::model::Schema;
use quote::ToTokens as _;
use syn::{ImplItem, Item, ItemImpl, UseTree};

use crate::emit::{RustPaths, StubImpl, Written, all_identifiers, stubs};
use crate::sync::replace;

/// The lints that stubs break.
const HEAD: &str = "#![allow(unused_variables)] // of resolvers that are not written yet\n\n";

/// Adds the resolvers that the project in `root` lacks. Returns a line for each `impl`: its file, its trait and its methods.
pub fn add(root: &Path, schemas: &[Schema], names: &RustPaths) -> io::Result<Vec<String>> {
    let folder = root.join(&names.stubs_folder);
    let project = Sources::read(root, names)?;
    let (mut lines, mut modules, mut entities) = (vec![], vec![], vec![]);
    for stubs in stubs(schemas, names, &project.written) {
        let path = folder.join(format!("{}.rs", stubs.module));
        let mut text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => HEAD.to_owned(),
            text => text?,
        };
        for stub in &stubs.impls {
            add_impl(&mut text, &stubs.module, stub);
            lines.push(format!(
                "added to {}/{}.rs, {}: {}",
                names.stubs_folder,
                stubs.module,
                stub.name,
                stub.methods.join(", ")
            ));
            entities.extend(stub.is_entity.then(|| stub.name.clone()));
        }
        add_uses(&mut text, &stubs.uses);
        fs::create_dir_all(&folder)?;
        replace(&path, &text)?;
        modules.push(stubs.module);
    }
    let modules = modules.iter().filter(|module| !project.modules.contains(*module));
    append(&folder.join("mod.rs"), modules.map(|module| format!("mod {module};\n")).collect())?;
    let entities: BTreeSet<String> = entities.into_iter().filter(|name| !project.types.contains(name)).collect();
    let entities = entities.iter().map(|name| format!("\n#[derive(Clone, Debug)]\npub struct {name};\n"));
    append(&root.join("src/model.rs"), entities.collect())?;
    Ok(lines)
}

/// Reads the hand-written Rust of the project in `root`.
pub fn written(root: &Path, names: &RustPaths) -> io::Result<Written> {
    Sources::read(root, names).map(|project| project.written)
}

/// Appends to a file, which need not exist.
fn append(path: &Path, text: String) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let before = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        before => before?,
    };
    replace(path, &(before + &text))
}

/// Adds the methods of an `impl` to the one for the same trait in a file, or the whole at its end.
fn add_impl(text: &mut String, module: &str, stub: &StubImpl) {
    let items = parse(text).unwrap_or_default();
    let mut impls = items.iter().filter_map(|item| match item {
        Item::Impl(item) if trait_of(item, &BTreeMap::new()) == Some((module.to_owned(), stub.name.clone())) => {
            Some(item)
        }
        _ => None,
    });
    match impls.next() {
        Some(existing) => {
            let methods = stub.text.find("{\n").zip(stub.text.rfind('}'));
            let methods = methods.map(|(open, close)| &stub.text[open + 1..close]).unwrap_or_default();
            text.insert_str(existing.brace_token.span.close().byte_range().start, methods);
        }
        None => {
            text.push('\n');
            text.push_str(&stub.text);
        }
    }
}

/// Adds `use` items behind those of a file, or before its first item.
fn add_uses(text: &mut String, uses: &str) {
    let items = parse(text).unwrap_or_default();
    let ends = items.iter().filter_map(|item| match item {
        Item::Use(item) => Some(item.semi_token.span.byte_range().end + 1),
        _ => None,
    });
    let at = ends.max().unwrap_or(if text.starts_with(HEAD) { HEAD.len() } else { 0 });
    text.insert_str(at.min(text.len()), uses);
}

fn parse(text: &str) -> syn::Result<Vec<Item>> {
    syn::parse_file(text).map(|file| file.items)
}

/// Returns the module and the name of the trait of an `impl`. A name without a module is looked up in `imports`.
fn trait_of(item: &ItemImpl, imports: &BTreeMap<String, Vec<String>>) -> Option<(String, String)> {
    let (path, _) = item.trait_.as_ref()?;
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names = match &names[..] {
        [only] => imports.get(only)?,
        names => names,
    };
    let [.., module, name] = names else { return None };
    Some((module.clone(), name.clone()))
}

/// The hand-written Rust of a project.
#[derive(Default)]
struct Sources {
    /// The folder of the stubs.
    folder: PathBuf,
    written: Written,
    /// The names of all types.
    types: BTreeSet<String>,
    /// The modules that the folder of stubs declares.
    modules: BTreeSet<String>,
}

impl Sources {
    fn read(root: &Path, names: &RustPaths) -> io::Result<Self> {
        let mut sources = Self { folder: root.join(&names.stubs_folder), ..Self::default() };
        sources.read_folder(&root.join("src"))?;
        Ok(sources)
    }

    /// Reads the files in and below a folder, which need not exist.
    fn read_folder(&mut self, folder: &Path) -> io::Result<()> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                self.read_folder(&path)?;
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let file = syn::parse_file(&fs::read_to_string(&path)?).map_err(|error| {
                    let at = error.span().start();
                    let at = format!("{}:{}:{}", path.display(), at.line, at.column + 1);
                    io::Error::new(io::ErrorKind::InvalidData, format!("{at}: {error}; no stubs were added"))
                })?;
                self.add(&path, &file.items);
                all_identifiers(file.into_token_stream(), &mut self.written.names);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, items: &[Item]) {
        let mut imports = BTreeMap::new();
        for item in items {
            if let Item::Use(item) = item {
                add_imports(&item.tree, &mut vec![], &mut imports);
            }
        }
        let is_stub = path.parent() == Some(&self.folder);
        for item in items {
            match item {
                Item::Impl(item) => {
                    let Some((module, name)) = trait_of(item, &imports) else { continue };
                    for item in &item.items {
                        let ImplItem::Fn(method) = item else { continue };
                        let (mut names, id) = (BTreeSet::new(), method.sig.ident.to_string());
                        if is_stub && path.file_stem().is_some_and(|stem| *stem == *module) {
                            all_identifiers(method.sig.to_token_stream(), &mut names);
                        }
                        self.written.methods.insert((module.clone(), name.clone(), id), names);
                    }
                }
                Item::Struct(item) => self.types.extend([item.ident.to_string()]),
                Item::Enum(item) => self.types.extend([item.ident.to_string()]),
                Item::Type(item) => self.types.extend([item.ident.to_string()]),
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    self.modules.extend((is_stub && path.ends_with("mod.rs")).then_some(name));
                    item.content.iter().for_each(|(_, items)| self.add(path, items));
                }
                _ => {}
            }
        }
        let module = path.file_stem().filter(|_| is_stub).and_then(|name| name.to_str());
        if let Some(module) = module {
            self.written.imported.entry(module.to_owned()).or_default().extend(imports.into_keys());
        }
    }
}

/// Adds the imported names of a `use` item with their paths.
fn add_imports(tree: &UseTree, path: &mut Vec<String>, imports: &mut BTreeMap<String, Vec<String>>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            add_imports(&part.tree, path, imports);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            imports.extend(path.last().map(|last| (last.clone(), path.clone())));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            imports.insert(name.clone(), path.iter().cloned().chain([name]).collect());
        }
        UseTree::Rename(rename) => {
            let last = rename.ident.to_string();
            imports.insert(rename.rename.to_string(), path.iter().cloned().chain([last]).collect());
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| add_imports(tree, path, imports)),
        UseTree::Glob(_) => {}
    }
}
