//! How one line of `dispatch.rs` becomes an operation on either engine.

/// Writes the two arms of each operation.
///
/// - `read`: a SELECT or a few. SQLite runs it in place; PostgreSQL takes a connection.
/// - `write`: one statement. SQLite's writer runs it; PostgreSQL needs no transaction around it, unless it is audited.
/// - `transaction`: several statements, all or nothing.
///
/// What is written through an audited handle is noted in the same transaction. What waits for PostgreSQL is boxed: its
/// future is large, and every caller on SQLite would carry room for it about.
macro_rules! operations {
    ($($(#[$doc:meta])* $visible:vis $kind:ident $name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        impl $crate::store::Store { $(
            $(#[$doc])*
            $visible async fn $name(&self, $($arg: $ty),*) -> $out {
                $crate::store::operations::operations!(@$kind self $name($($arg),*))
            }
        )* }
    };
    (@read $self:ident $name:ident($($arg:ident),*)) => {
        match &$self.engine {
            $crate::store::dispatch::Engine::Sqlite(db) => {
                db.read(async |c| $crate::store::sqlite::queries::$name(c, $($arg),*).await)
            }
            $crate::store::dispatch::Engine::Postgres(db) => {
                let run = async move {
                    let mut held = db.connection().await?;
                    let since = held.since();
                    let out = db.bounded(since, $crate::store::postgres::queries::$name(&mut held, $($arg),*)).await;
                    $crate::store::postgres::settled(held, out)
                };
                $crate::base::trace::store(stringify!($name), Box::pin(run)).await
            }
        }
    };
    (@write $self:ident $name:ident($($arg:ident),*)) => {
        match &$self.engine {
            $crate::store::dispatch::Engine::Sqlite(db) => {
                $crate::store::operations::operations!(@sqlite $self db $name($($arg),*))
            }
            $crate::store::dispatch::Engine::Postgres(db) => {
                let audit = $self.audit.clone();
                let run = async move {
                    let mut held = db.connection().await?;
                    let since = held.since();
                    let work = async {
                        let (c, begun) = (&mut *held, audit.is_some());
                        if begun {
                            $crate::store::postgres::Postgres::begin(c).await?;
                        }
                        let out = $crate::store::postgres::queries::$name(c, $($arg),*).await;
                        let out = $crate::store::postgres::queries::noted(c, audit, out).await;
                        if begun { $crate::store::postgres::Postgres::end(c, out).await } else { out }
                    };
                    let out = db.bounded(since, work).await;
                    $crate::store::postgres::settled(held, out)
                };
                $crate::base::trace::store(stringify!($name), Box::pin(run)).await
            }
        }
    };
    (@transaction $self:ident $name:ident($($arg:ident),*)) => {
        match &$self.engine {
            $crate::store::dispatch::Engine::Sqlite(db) => {
                $crate::store::operations::operations!(@sqlite $self db $name($($arg),*))
            }
            $crate::store::dispatch::Engine::Postgres(db) => {
                let audit = $self.audit.clone();
                let run = async move {
                    let mut held = db.connection().await?;
                    let since = held.since();
                    let work = async {
                        let c = &mut *held;
                        $crate::store::postgres::Postgres::begin(c).await?;
                        let out = $crate::store::postgres::queries::$name(c, $($arg),*).await;
                        let out = $crate::store::postgres::queries::noted(c, audit, out).await;
                        $crate::store::postgres::Postgres::end(c, out).await
                    };
                    let out = db.bounded(since, work).await;
                    $crate::store::postgres::settled(held, out)
                };
                $crate::base::trace::store(stringify!($name), Box::pin(run)).await
            }
        }
    };
    (@sqlite $self:ident $db:ident $name:ident($($arg:ident),*)) => {{
        let audit = $self.audit.clone();
        $db.write(async move |c| {
            let out = $crate::store::sqlite::queries::$name(c, $($arg),*).await;
            $crate::store::sqlite::queries::noted(c, audit, out).await
        })
        .await
    }};
}

pub(super) use operations;
