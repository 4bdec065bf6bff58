//! The INSERT of a row that is inserted often, in one walk over its columns. Diesel's own walks each column five times to bind its
//! value, and one of an embedded row eleven times, because it asks at each level whether there is anything to write.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;

/// `INSERT INTO table (columns) VALUES (binds)`. The row is a [`QueryFragment`], made by [`insertable!`].
#[derive(Debug)]
pub(super) struct Insert<R> {
    row: R,
    unless: Option<&'static str>,
}

/// Inserts a row.
pub(super) fn insert<R>(row: R) -> Insert<R> {
    Insert { row, unless: None }
}

impl<R> Insert<R> {
    /// Inserts nothing if a row has the same values in these columns, which have a unique key.
    pub(super) fn unless_conflict(self, columns: &'static str) -> Self {
        Self { unless: Some(columns), ..self }
    }
}

impl<DB: Backend, R: QueryFragment<DB>> QueryFragment<DB> for Insert<R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.row.walk_ast(out.reborrow())?;
        if let Some(columns) = self.unless {
            out.push_sql(" ON CONFLICT (");
            out.push_sql(columns);
            out.push_sql(") DO NOTHING");
        }
        Ok(())
    }
}

impl<R> QueryId for Insert<R> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false; // the columns of a conflict are not in its type
}

/// Makes a row insertable, from the list of its columns and the fields that hold their values.
macro_rules! insertable {
    ($row:ident in $table:ident { $($column:ident: $($field:ident).+,)+ }) => {
        insertable!(@for diesel::sqlite::Sqlite, $row in $table $($column: $($field).+,)+);
        insertable!(@for diesel::pg::Pg, $row in $table $($column: $($field).+,)+);
    };
    (@for $backend:path, $row:ident in $table:ident $first:ident: $($value:ident).+, $($column:ident: $($field:ident).+,)+) => {
        impl diesel::query_builder::QueryFragment<$backend> for $row {
            fn walk_ast<'b>(&'b self, mut out: diesel::query_builder::AstPass<'_, 'b, $backend>) -> diesel::QueryResult<()> {
                out.push_sql(concat!(
                    "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($column),)+ ") VALUES ("
                ));
                out.push_bind_param::<diesel::dsl::SqlTypeOf<$table::$first>, _>(&self.$($value).+)?;
                $(
                    out.push_sql(", ");
                    out.push_bind_param::<diesel::dsl::SqlTypeOf<$table::$column>, _>(&self.$($field).+)?;
                )+
                out.push_sql(")");
                Ok(())
            }
        }
    };
}

pub(super) use insertable;
