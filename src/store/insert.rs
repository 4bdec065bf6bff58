//! The INSERT of a row that is inserted often, in one walk over its columns. Diesel's own walks each column five times to bind its
//! value, and one of an embedded row eleven times, because it asks at each level whether there is anything to write.

/// Makes a row a statement that inserts it: `INSERT INTO table (columns) VALUES (binds)`. The list of columns comes from the macro that
/// defines the row, so that both have the same ones.
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
