//! Inserts the attempts of many deliveries by one prepared statement, which has an array for each column. A statement with
//! a row for each attempt has another text for each number of attempts, and is parsed and planned at each call.

use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text};
use diesel_async::RunQueryDsl;

use super::QueryConn;
use crate::store::StoreError;
use crate::store::delivery::row::AttemptRow;
use crate::store::prepared_query::prepared;
use crate::store::sql_type::{At, Id, MomentSql, UuidSql};

/// Inserts attempts that are not stored yet.
pub(super) async fn insert_attempts(connection: &mut QueryConn<'_>, rows: Vec<AttemptRow>) -> Result<(), StoreError> {
    fn column<T>(rows: &[AttemptRow], value: impl Fn(&AttemptRow) -> T) -> Vec<T> {
        rows.iter().map(value).collect()
    }
    let insert = diesel::sql_query(
        "INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status, failure)
         SELECT * FROM unnest($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    )
    .bind::<Array<UuidSql>, Vec<Id>>(column(&rows, |row| row.delivery_id))
    .bind::<Array<BigInt>, Vec<i64>>(column(&rows, |row| row.number))
    .bind::<Array<MomentSql>, Vec<At>>(column(&rows, |row| row.started_at))
    .bind::<Array<BigInt>, Vec<i64>>(column(&rows, |row| row.duration_ms))
    .bind::<Array<Nullable<Integer>>, Vec<Option<i32>>>(column(&rows, |row| row.status))
    .bind::<Array<Nullable<Text>>, Vec<Option<String>>>(column(&rows, |row| row.failure.clone()));
    prepared!(insert).execute(connection).await?;
    Ok(())
}
