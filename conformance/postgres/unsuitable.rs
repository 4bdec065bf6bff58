//! Databases that cannot hold every name, or that take no writes, are refused by `init` and at the start with what to do.

use serde_json::{Value, json};
use url::Url;

use crate::app::{Database, FreshDatabase, Program, run_alone, tamper};

/// A database with options of its own, on the server of the tests.
struct Other {
    maintenance: String,
    name: String,
    program: Program,
}

impl Other {
    /// Creates it, with the unique name of `database`.
    async fn create(database: &FreshDatabase, options: &str) -> Self {
        let (maintenance, name) = database.postgres().expect("a PostgreSQL");
        tamper(&maintenance, &format!("CREATE DATABASE {name} TEMPLATE template0 {options}")).await;
        let mut url = Url::parse(&maintenance).expect("an address");
        url.set_path(&name);
        let program = Program::with(url.as_str(), database.folder.path());
        Self { maintenance, name, program }
    }

    async fn drop(self) {
        tamper(&self.maintenance, &format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
    }
}

#[test]
fn encoding_that_cannot_hold_every_name_is_refused() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        for encoding in ["LATIN1", "WIN1252", "EUC_JP"] {
            let options = format!("ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'");
            let other = Other::create(&database, &options).await;
            for command in [["init"].as_slice(), &["serve", "--create"], &["partner", "list"]] {
                let said = other.program.expect_failure(command);
                let advice = "createdb --encoding=UTF8 --template=template0";
                assert!(said.contains(encoding) && said.contains(advice), "{said}");
            }
            other.drop().await;
        }
    });
}

/// The encoding of a PostgreSQL that was set up without a locale. It holds the bytes of UTF-8 as they are.
#[test]
fn database_of_sql_ascii_holds_every_name() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let other = Other::create(&database, "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'").await;
        let program = other.program.clone().create_database();
        let (token, serving) = (program.token("live"), program.serve());
        let name = "Łukasz 字 🕯";
        let gid = serving.create(&token, json!({ "externalDossierId": "1", "deceased": { "firstName": name } })).await;
        let document = "query ($id: ID!) { card(id: $id) { deceased { firstName } } }";
        let data = serving.data(&token, document, json!({ "id": gid })).await;
        assert_eq!(data["card"]["deceased"]["firstName"], name);
        assert!(serving.terminate());
        other.drop().await;
    });
}

#[test]
fn database_that_takes_no_writes_is_refused_with_the_cause() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let other = Other::create(&database, "").await;
        let program = other.program.clone().create_database();
        let set = |value: &str| format!("ALTER DATABASE {} {value}", other.name);
        tamper(&other.maintenance, &set("SET default_transaction_read_only = on")).await;
        for command in [["serve"].as_slice(), &["partner", "add", "Noord"]] {
            let said = program.expect_failure(command);
            assert!(said.contains("default_transaction_read_only is on"), "{said}");
        }
        tamper(&other.maintenance, &set("RESET default_transaction_read_only")).await;
        assert_ne!(program.json(&["partner", "add", "Noord"])["partner"], Value::Null);
        other.drop().await;
    });
}
