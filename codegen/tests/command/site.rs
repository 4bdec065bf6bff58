//! `docs`: the reference site in a folder.
