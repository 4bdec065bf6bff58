//! SQL types that are native on both engines, and their values in rows.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{self, Binary, SqlOrd, SqlType, Text};
use diesel::sqlite::{Sqlite, SqliteValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::base::{Timestamp, rfc3339};
use crate::model::{
    Actor, CardStatus, DeliveryState, KeyMode, Layout, LeadIn, MailKind, PauseReason, SessionTarget, Topic, Visibility,
};

// Both are `pub` because diesel's `table!` uses them in public traits; the module is private.

/// `uuid` on PostgreSQL, a 16-byte `BLOB` on SQLite. Both sort bytewise.
#[derive(Clone, Copy, Debug, Default, QueryId, SqlType)]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
#[diesel(sqlite_type(name = "Binary"))]
pub struct UuidSql;
impl SqlOrd for UuidSql {}

/// `timestamptz` on PostgreSQL, an `INTEGER` of milliseconds since the epoch on SQLite.
#[derive(Clone, Copy, Debug, Default, QueryId, SqlType)]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
#[diesel(sqlite_type(name = "Long"))]
pub struct TimestampSql;
impl SqlOrd for TimestampSql {}

/// The id of a row.
#[derive(Clone, Copy, Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = UuidSql)]
pub(super) struct Id(pub Uuid);

impl ToSql<UuidSql, Pg> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<sql_types::Uuid, Pg>::to_sql(&self.0, out)
    }
}

impl FromSql<UuidSql, Pg> for Id {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        FromSql::<sql_types::Uuid, Pg>::from_sql(value).map(Self)
    }
}

impl ToSql<UuidSql, Sqlite> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(&self.0.as_bytes()[..]);
        Ok(IsNull::No)
    }
}

impl FromSql<UuidSql, Sqlite> for Id {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Self(Uuid::from_slice(value.read_blob())?))
    }
}

/// A timestamp in a row.
#[derive(Clone, Copy, Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = TimestampSql)]
pub(super) struct At(pub Timestamp);

impl ToSql<TimestampSql, Pg> for At {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<sql_types::Timestamptz, Pg>::to_sql(&self.0.utc(), &mut out.reborrow())
    }
}

impl FromSql<TimestampSql, Pg> for At {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let timestamp: DateTime<Utc> = FromSql::<sql_types::Timestamptz, Pg>::from_sql(value)?;
        Ok(Self(timestamp.into()))
    }
}

impl ToSql<TimestampSql, Sqlite> for At {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.millis());
        Ok(IsNull::No)
    }
}

impl FromSql<TimestampSql, Sqlite> for At {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let ms = <i64 as FromSql<sql_types::BigInt, Sqlite>>::from_sql(value)?;
        Timestamp::from_millis(ms).map(Self).ok_or_else(|| "a timestamp out of range".into())
    }
}

/// A date in a row: `date` on PostgreSQL, `YYYY-MM-DD` on SQLite.
#[derive(Clone, Copy, Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = sql_types::Date)]
pub(super) struct Day(pub NaiveDate);

impl ToSql<sql_types::Date, Pg> for Day {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<sql_types::Date, Pg>::to_sql(&self.0, &mut out.reborrow())
    }
}

impl FromSql<sql_types::Date, Pg> for Day {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        FromSql::<sql_types::Date, Pg>::from_sql(value).map(Self)
    }
}

impl ToSql<sql_types::Date, Sqlite> for Day {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.to_string());
        Ok(IsNull::No)
    }
}

impl FromSql<sql_types::Date, Sqlite> for Day {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let text = value.read_text();
        rfc3339::parse_date(text).map(Self).ok_or_else(|| format!("{text:?} is not a date").into())
    }
}

/// A SHA-256 digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub(super) struct Digest(pub [u8; 32]);

impl<DB: Backend> ToSql<Binary, DB> for Digest
where
    [u8]: ToSql<Binary, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.as_slice().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Binary, DB> for Digest
where
    Vec<u8>: FromSql<Binary, DB>,
{
    fn from_sql(value: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = Vec::<u8>::from_sql(value)?;
        bytes.try_into().map(Self).map_err(|_| "a digest of another length than 32 bytes".into())
    }
}

/// A value of an enum that rows store by name.
pub(super) trait Named: Copy {
    fn name(self) -> &'static str;
    fn by_name(name: &str) -> Option<Self>;
}

macro_rules! named {
    ($($set:ty),*) => {$(
        impl Named for $set {
            fn name(self) -> &'static str {
                self.as_str()
            }

            fn by_name(name: &str) -> Option<Self> {
                Self::parse(name)
            }
        }
    )*};
}
named!(
    Actor,
    CardStatus,
    DeliveryState,
    KeyMode,
    Layout,
    LeadIn,
    MailKind,
    PauseReason,
    SessionTarget,
    Topic,
    Visibility
);

/// An enum value in a row.
#[derive(Clone, Copy, Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub(super) struct Name<T>(pub T);

impl<DB: Backend, T: Named + std::fmt::Debug> ToSql<Text, DB> for Name<T>
where
    str: ToSql<Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.name().to_sql(out)
    }
}

impl<T: Named> FromSql<Text, Pg> for Name<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        by_name(std::str::from_utf8(value.as_bytes())?)
    }
}

impl<T: Named> FromSql<Text, Sqlite> for Name<T> {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        by_name(value.read_text())
    }
}

fn by_name<T: Named>(name: &str) -> deserialize::Result<Name<T>> {
    T::by_name(name).map(Name).ok_or_else(|| format!("{name:?} is an unknown name").into())
}

/// JSON in a column of text.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub(super) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromSql<Text, Pg> for Json<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_slice(value.as_bytes())?))
    }
}

impl<T: DeserializeOwned> FromSql<Text, Sqlite> for Json<T> {
    fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_str(value.read_text())?))
    }
}

impl<T: Serialize + fmt::Debug> ToSql<Text, Pg> for Json<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

impl<T: Serialize + fmt::Debug> ToSql<Text, Sqlite> for Json<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(serde_json::to_string(&self.0)?);
        Ok(IsNull::No)
    }
}
