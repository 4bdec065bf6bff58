//! Tables as the catalogue of PostgreSQL describes them, in an order in which references find their rows.

use std::collections::BTreeSet;

use super::MoveError;

/// A table with its columns, in the order of PostgreSQL.
#[derive(Clone, Debug)]
pub(in crate::store) struct Table {
    pub name: String,
    pub columns: Vec<Column>,
}

#[derive(Clone, Debug)]
pub(in crate::store) struct Column {
    pub name: String,
    pub kind: Kind,
}

/// The type of a column, which each engine stores in its own way (`sql_type.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Kind {
    Uuid,
    /// `timestamptz`; milliseconds on SQLite.
    Moment,
    /// `date`; text on SQLite.
    Date,
    Bool,
    Integer,
    BigInt,
    Text,
    Bytes,
}

impl Kind {
    /// The kind of a type of PostgreSQL, as `format_type` writes it.
    pub(in crate::store) fn from_sql_type(table: &str, column: &str, sql_type: &str) -> Result<Self, MoveError> {
        Ok(match sql_type {
            "uuid" => Kind::Uuid,
            "timestamp with time zone" => Kind::Moment,
            "date" => Kind::Date,
            "boolean" => Kind::Bool,
            "integer" => Kind::Integer,
            "bigint" => Kind::BigInt,
            "text" => Kind::Text,
            "bytea" => Kind::Bytes,
            other => return Err(MoveError::Type(format!("{table}.{column}"), other.to_owned())),
        })
    }
}

impl Table {
    /// The names of the columns as in a statement.
    pub(in crate::store) fn column_list(&self) -> String {
        self.columns.iter().map(|column| quote(&column.name)).collect::<Vec<_>>().join(", ")
    }

    /// The name as in a statement.
    pub(in crate::store) fn quote(&self) -> String {
        quote(&self.name)
    }
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Sorts tables so that each comes after the tables that it refers to. `references` are pairs of both.
pub(in crate::store) fn sort_by_reference(
    mut tables: Vec<Table>,
    references: &[(String, String)],
) -> Result<Vec<Table>, MoveError> {
    let mut sorted: Vec<Table> = Vec::new();
    while !tables.is_empty() {
        let left: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
        let waits = |name: &str| references.iter().any(|(of, to)| of == name && to != name && left.contains(to));
        let (later, ready): (Vec<_>, Vec<_>) = tables.into_iter().partition(|table| waits(&table.name));
        if ready.is_empty() {
            return Err(MoveError::Schema("its tables refer to each other in a circle".to_owned()));
        }
        sorted.extend(ready);
        tables = later;
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_comes_after_the_tables_it_refers_to() {
        let table = |name: &str| Table { name: name.to_owned(), columns: vec![] };
        let pair = |of: &str, to: &str| (of.to_owned(), to.to_owned());
        let references = [pair("a", "b"), pair("b", "c"), pair("b", "b")];
        let sorted =
            sort_by_reference(vec![table("a"), table("b"), table("c"), table("d")], &references).expect("no circle");
        let names: Vec<_> = sorted.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["c", "d", "b", "a"]);
        assert!(sort_by_reference(vec![table("a"), table("b")], &[pair("a", "b"), pair("b", "a")]).is_err());
    }

    #[test]
    fn type_without_a_kind_is_named() {
        let error = Kind::from_sql_type("cards", "price", "numeric(10,2)").expect_err("no such column exists");
        assert_eq!(error.to_string(), "the column cards.price has the type numeric(10,2), which cannot be moved");
    }
}
