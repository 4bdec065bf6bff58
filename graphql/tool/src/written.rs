//! What is written by hand already, as far as the text of `src/resolver` shows: the methods of traits and the conversions of a
//! version. Called by `cargo schema skeleton`, which prints the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use syn::{ImplItem, Item, UseTree};

use codegen::emit::Part;

/// The hand-written code for a version.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Trait and method.
    methods: BTreeSet<(String, String)>,
    /// The generated types that a conversion or a macro names.
    converted: BTreeSet<String>,
    /// Every identifier of the files that name the version; with `::` where a path goes on.
    named: BTreeSet<String>,
}

impl Written {
    /// Reads the files in and below a folder; none if it does not exist. `module` is the module of the version, `v2027_01`.
    pub(crate) fn read(folder: &Path, module: &str) -> io::Result<Self> {
        let mut written = Self::default();
        for path in files(folder)? {
            let text = fs::read_to_string(&path)?;
            // A file that is being edited may be no Rust.
            if let (true, Ok(file)) = (text.contains(module), syn::parse_file(&text)) {
                written.add(&file, &text, module);
            }
        }
        Ok(written)
    }

    /// Returns whether a part is written.
    pub(crate) fn has(&self, part: Part<'_>) -> bool {
        match part {
            Part::Method(name, method) => self.methods.contains(&(name.to_owned(), method.to_owned())),
            Part::Enum(name) => self.converted.contains(name) || self.named.contains(&format!("{name}::")),
            Part::Input(name) | Part::Struct(name) => self.named.contains(name),
        }
    }

    fn add(&mut self, file: &syn::File, text: &str, module: &str) {
        let mut imported = BTreeMap::new();
        for item in &file.items {
            if let Item::Use(item) = item {
                import(&item.tree, &mut vec![], &mut imported);
            }
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.named.extend(text.split(|c| !is_word(c)).map(str::to_owned));
        let parents = text.split("::").filter_map(|part| part.rsplit(|c| !is_word(c)).next());
        self.named.extend(parents.map(|name| format!("{name}::")));
        // The name in the module of the version that a path leads to.
        let generated = |path: &syn::Path| -> Option<String> {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>();
            let whole = match imported.get(segments.first()?) {
                Some(start) => [start, &segments[1..]].concat(),
                None => segments,
            };
            let [.., parent, name] = &whole[..] else { return None };
            (parent == module).then(|| name.clone())
        };
        for item in &file.items {
            match item {
                Item::Impl(item) => {
                    let Some((of, _)) = &item.trait_ else { continue };
                    if let Some(name) = generated(of) {
                        let methods = item.items.iter().filter_map(|item| match item {
                            ImplItem::Fn(method) => Some((name.clone(), method.sig.ident.to_string())),
                            _ => None,
                        });
                        self.methods.extend(methods);
                    }
                    self.converted.extend(types(of, &item.self_ty).filter_map(&generated));
                }
                Item::Macro(item) => {
                    let tokens = item.mac.tokens.to_string();
                    self.converted
                        .extend(tokens.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned));
                }
                _ => {}
            }
        }
    }
}

/// Returns the paths of the types that a trait with arguments and its implementor name.
fn types<'a>(of: &'a syn::Path, implementor: &'a syn::Type) -> impl Iterator<Item = &'a syn::Path> {
    let arguments = of.segments.last().into_iter().flat_map(|segment| match &segment.arguments {
        syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect::<Vec<_>>(),
        _ => vec![],
    });
    let arguments = arguments.filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    arguments.chain([implementor]).filter_map(|ty| match ty {
        syn::Type::Path(ty) => Some(&ty.path),
        _ => None,
    })
}

/// Adds the names that a `use` imports, with their paths.
fn import(tree: &UseTree, path: &mut Vec<String>, found: &mut BTreeMap<String, Vec<String>>) {
    let whole = |path: &[String], name: &syn::Ident| match name.to_string() {
        own if own == "self" => path.to_vec(),
        own => [path, &[own]].concat(),
    };
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            import(&part.tree, path, found);
            path.pop();
        }
        UseTree::Name(name) => {
            let whole = whole(path, &name.ident);
            found.extend(whole.last().cloned().map(|own| (own, whole)));
        }
        UseTree::Rename(name) => {
            found.insert(name.rename.to_string(), whole(path, &name.ident));
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| import(tree, path, found)),
        UseTree::Glob(_) => {}
    }
}

/// Returns the Rust files in and below a folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}
