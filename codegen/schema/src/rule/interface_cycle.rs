//! No interface implements itself, not even by a detour (specification, section 3.7).

use super::document::{Document, TypeKind, kind};
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types().filter(|ty| kind(*ty) == TypeKind::Interface) {
        for (name, span) in document.implements(ty) {
            if name == ty.name() || leads_to(document, name, ty.name(), &mut vec![]) {
                let message = format!("interface `{}` implements itself", ty.name());
                let label = if name == ty.name() { "itself".to_owned() } else { format!("`{name}` leads back here") };
                found.push(Diagnostic::new(span, message, label).help("remove one of them".to_owned()));
            }
        }
    }
}

fn leads_to<'a>(document: &Document<'a>, from: &'a str, to: &str, seen: &mut Vec<&'a str>) -> bool {
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    let above = document.get(from).map(|ty| document.implements(ty)).unwrap_or_default();
    above.into_iter().any(|(name, _)| name == to || leads_to(document, name, to, seen))
}
