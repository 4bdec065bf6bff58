//! Poolers between the service and PostgreSQL that share a connection between transactions, such as PgBouncer with
//! `pool_mode = transaction`.
//!
//! Called when a database is opened. Behind such a pooler a statement finds nothing that another one left in its session: the
//! parameters are settings of the role, and migrations, LISTEN and locks use an address without the pooler.

use std::collections::BTreeSet;

use tokio_postgres::{Client, SimpleQueryMessage};

use super::connect::Connector;
use super::transfer::shared_lock;
use crate::base::limits;
use crate::store::error::Outage;
use crate::store::{OpenError, StoreError};

/// How often each of two connections is asked for the process that serves it.
const PROCESS_QUESTIONS: usize = 3;

/// The parameters of every connection that runs statements of requests and workers. The server limits the time of statements
/// and of idle transactions, which would keep their locks. The isolation level is the one that the queries are written for,
/// and so are their indexes: a statement that is planned while a table is empty must find its rows by an index when the
/// table has grown.
fn parameters() -> [(&'static str, String); 6] {
    [
        ("statement_timeout", limits::STATEMENT_WORK.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", limits::TRANSACTION_IDLE.as_millis().to_string()),
        ("default_transaction_isolation", "read committed".to_owned()),
        ("enable_seqscan", "off".to_owned()),
        ("plan_cache_mode", "force_generic_plan".to_owned()),
        ("jit", "off".to_owned()),
    ]
}

/// Returns the statements that set the parameters of a session of our own.
pub(super) fn set_parameters() -> String {
    parameters().iter().map(|(name, value)| format!("SET {name} = '{value}';")).collect()
}

/// Returns the statements that undo [`set_parameters`] where they are settings of the role.
pub(super) fn reset_parameters() -> String {
    let parameters = parameters();
    // DEFAULT would be the setting of the role. The planner is that of a new server.
    let value = |name: &str| match name {
        "default_transaction_isolation" => "read committed",
        "plan_cache_mode" => "auto",
        "enable_seqscan" | "jit" => "on",
        _ => "0",
    };
    parameters.iter().map(|(name, _)| format!("SET {name} = '{}';", value(name))).collect()
}

/// Returns the statement that checks a connection of a pooler: it raises an error if a parameter has another value, or
/// while the database is moved, and afterwards.
pub(super) fn check_connection() -> String {
    let wanted = parameters().map(|(name, value)| format!("('{name}', '{value}')")).join(", ");
    format!(
        "DO $$ DECLARE missing text; BEGIN
            SELECT string_agg(format('ALTER ROLE %I IN DATABASE %I SET %s = %L;', current_user, current_database(), name, value), ' ')
                INTO missing FROM (VALUES {wanted}) AS wanted (name, value) JOIN pg_settings USING (name) WHERE setting <> value;
            IF missing IS NOT NULL THEN
                RAISE EXCEPTION 'the connections of the pooler lack parameters; run these statements, and RECONNECT in the pooler: %', missing;
            END IF;
        END $$; {}",
        shared_lock("pg_try_advisory_xact_lock_shared")
    )
}

/// Returns an error if this address leads to no pooler, to one that does not keep the prepared statements of its clients, or
/// to connections without the parameters.
pub(super) async fn require_pooler(connector: &Connector) -> Result<(), StoreError> {
    let client = connect(connector).await?;
    // A pooler that prepares a statement on several connections gives it a name of its own.
    let named = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%FROM pg_prepared_statements%'";
    let names: Vec<String> = match answered(client.query(named, &[])).await {
        Ok(rows) => rows.iter().map(|row| row.get(0)).collect(),
        Err(StoreError::Failed(_)) => vec![], // it was prepared on another connection
        Err(unavailable) => return Err(unavailable),
    };
    let is_ours = |name: &String| name.strip_prefix('s').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    if names.is_empty() || names.iter().any(is_ours) {
        return Err(OpenError::Pooler(NO_STATEMENTS.to_owned()).into());
    }
    answered(client.batch_execute(&check_connection())).await.map_err(|error| match error {
        StoreError::Failed(refused) => OpenError::Pooler(refused.to_string()).into(),
        unavailable => unavailable,
    })
}

const NO_STATEMENTS: &str = "it does not keep the prepared statements of clients, as PgBouncer does from 1.21 on, with \
                             pool_mode = transaction and max_prepared_statements above 0. Without a pooler, or with one in \
                             session mode, leave DATABASE_DIRECT_URL out";

/// Returns an error if two connections are served by one process of PostgreSQL, or one by several.
pub(super) async fn require_own_sessions(connector: &Connector) -> Result<(), StoreError> {
    let clients = [connect(connector).await?, connect(connector).await?];
    let mut processes = [BTreeSet::new(), BTreeSet::new()];
    for _ in 0..PROCESS_QUESTIONS {
        for (client, processes) in clients.iter().zip(&mut processes) {
            let answer = answered(client.simple_query("SELECT pg_backend_pid()")).await?;
            let process = answer.iter().find_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            });
            processes.insert(process);
        }
    }
    let [one, other] = processes;
    let own = one.len() == 1 && other.len() == 1 && one != other;
    if own { Ok(()) } else { Err(OpenError::SharedSessions.into()) }
}

/// Waits for an answer. `Failed` holds the message of the server.
async fn answered<T>(asked: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, StoreError> {
    let limit = limits::DATABASE_WORK;
    let answer = tokio::time::timeout(limit, asked).await.map_err(|_| StoreError::from(Outage::Silent(limit)))?;
    answer.map_err(|error| match error.as_db_error() {
        Some(refused) => StoreError::Failed(refused.message().into()),
        None => StoreError::Unavailable(error.into()),
    })
}

async fn connect(connector: &Connector) -> Result<Client, StoreError> {
    connector.client().await.map_err(|error| StoreError::Unavailable(error.into()))
}
