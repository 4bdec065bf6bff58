//! Whether a type can replace another without a break (graphql-js: `isChangeSafeForObjectOrInterfaceField` and
//! `isChangeSafeForInputObjectFieldOrFieldArg`).

use crate::model::{Ty, Wrap};

/// Returns whether every answer of type `new` is one of type `old`: only null may be lost.
pub(super) fn output(old: &Ty, new: &Ty) -> bool {
    old.name == new.name && output_wrap(&old.wrap, &new.wrap)
}

fn output_wrap(old: &[Wrap], new: &[Wrap]) -> bool {
    match (old.first(), new.first()) {
        (None, None) => true,
        (Some(a), Some(b)) if a == b => output_wrap(&old[1..], &new[1..]),
        (Some(Wrap::NonNull), _) => false,
        (_, Some(Wrap::NonNull)) => output_wrap(old, &new[1..]),
        _ => false,
    }
}

/// Returns whether every value for `old` is one for `new`: only null may be gained.
pub(super) fn input(old: &Ty, new: &Ty) -> bool {
    old.name == new.name && input_wrap(&old.wrap, &new.wrap)
}

fn input_wrap(old: &[Wrap], new: &[Wrap]) -> bool {
    match (old.first(), new.first()) {
        (None, None) => true,
        (Some(a), Some(b)) if a == b => input_wrap(&old[1..], &new[1..]),
        (Some(Wrap::NonNull), _) => input_wrap(&old[1..], new),
        _ => false,
    }
}
