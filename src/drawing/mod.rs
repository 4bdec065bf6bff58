//! The look of a card outside its page: colours by theme, crops of photos, and the picture for link previews and letters.
//!
//! `card_picture` reads the parts of the picture, `svg` writes it, and `name_lines` breaks its name into lines. `look` and `crop` are
//! also for the page.

mod card_picture;
mod crop;
mod look;
mod name_lines;
mod svg;

pub(crate) use card_picture::{CardPicture, PictureError};
pub(crate) use crop::{placement, ratio};
pub(crate) use look::{CardStyle, Look, look_of};
pub(crate) use svg::SIZE;
