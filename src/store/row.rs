//! `row!`: a row whose columns are the fields of a type of the model, and its conversions both ways.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::base::{HttpUrl, Timestamp};
use crate::model::{PhotoKey, Price, SigningSecret};
use crate::store::sql_type::{At, Day, Digest, Id, Json, Name};

/// A column that stores a value of the model.
pub(super) trait Column<T> {
    fn from_model(value: T) -> Self;
    fn into_model(self) -> T;
}

impl<T, C: Column<T>> Column<Option<T>> for Option<C> {
    fn from_model(value: Option<T>) -> Self {
        value.map(C::from_model)
    }

    fn into_model(self) -> Option<T> {
        self.map(C::into_model)
    }
}

impl<T> Column<T> for Name<T> {
    fn from_model(value: T) -> Self {
        Name(value)
    }

    fn into_model(self) -> T {
        self.0
    }
}

impl<T> Column<T> for Json<T> {
    fn from_model(value: T) -> Self {
        Json(value)
    }

    fn into_model(self) -> T {
        self.0
    }
}

macro_rules! columns {
    ($($column:ty = $type:ty: $of:expr, $value:expr;)+) => {$(
        impl Column<$type> for $column {
            fn from_model(value: $type) -> Self {
                $of(value)
            }

            fn into_model(self) -> $type {
                $value(self)
            }
        }
    )+};
}

columns! {
    bool = bool: std::convert::identity, std::convert::identity;
    i64 = i64: std::convert::identity, std::convert::identity;
    String = String: std::convert::identity, std::convert::identity;
    At = Timestamp: At, |at: At| at.0;
    Day = NaiveDate: Day, |day: Day| day.0;
    Digest = [u8; 32]: Digest, |digest: Digest| digest.0;
    Id = Uuid: Id, |id: Id| id.0;
    String = PhotoKey: |key: PhotoKey| key.as_str().to_owned(), PhotoKey::trusted;
    String = HttpUrl: |url: HttpUrl| url.as_str().to_owned(), HttpUrl::trusted;
    Vec<u8> = SigningSecret: |secret: SigningSecret| secret.key().to_vec(), SigningSecret::trusted;
    // A price that is out of range, set by hand in the database, reads as the default.
    i64 = Price: |price: Price| price.cents(), |cents| Price::from_cents(cents).unwrap_or(Price::DEFAULT);
}

/// Defines a row and its conversions. Columns that have the name of their field come first; the others name their field
/// after `=`. A row that is `inserted often` is [`insertable!`](crate::store::insert) too. The row has no `Debug`, which would print
/// secrets.
macro_rules! row {
    ($row:ident in $table:ident is $model:ident { $($field:ident: $column:ty),+ $(,)? } inserted often) => {
        row!($row in $table is $model { $($field: $column),+ });
        crate::store::insert::insertable!($row in $table { $($field: $field,)+ });
    };
    ($row:ident in $table:ident is $model:ident {
        $($field:ident: $column:ty),+ $(; $($other:ident: $kind:ty = $renamed:ident),+)? $(,)?
    }) => {
        #[derive(diesel::Queryable, diesel::Selectable, diesel::Insertable)]
        #[diesel(
            table_name = $table,
            check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg),
            treat_none_as_default_value = false
        )]
        pub(in crate::store) struct $row {
            $($field: $column,)+
            $($($other: $kind,)+)?
        }

        impl From<$row> for $model {
            fn from(row: $row) -> Self {
                $model { $($field: Column::into_model(row.$field),)+ $($($renamed: Column::into_model(row.$other),)+)? }
            }
        }

        impl From<$model> for $row {
            fn from(value: $model) -> Self {
                $row { $($field: Column::from_model(value.$field),)+ $($($other: Column::from_model(value.$renamed),)+)? }
            }
        }
    };
}
pub(super) use row;
