//! `partner add`, `partner list`.

use crate::app::{FreshDatabase, Program};

on_both_databases! {
    async fn partner_is_added_once(database: FreshDatabase) {
        let program = Program::on(&database);
        let added = program.json(&["partner", "add", "Uitvaart \"Noord\" 🕯"]);
        assert_eq!(added["partner"]["name"], "Uitvaart \"Noord\" 🕯");
        let again = program.run(&["partner", "add", "Uitvaart \"Noord\" 🕯"]);
        assert!(!again.status.success());
        let said = String::from_utf8(again.stderr).expect("UTF-8");
        assert!(said.contains("Noord") && !said.contains("panicked"), "{said}");
        let listed = program.json(&["partner", "list"]);
        assert_eq!(listed["partners"].as_array().expect("a list").len(), 1, "{listed}");
    }

    async fn partner_without_a_name_is_refused(database: FreshDatabase) {
        let program = Program::on(&database);
        for name in ["", "  ", &"x".repeat(256)] {
            let refused = program.run(&["partner", "add", name]);
            assert!(!refused.status.success(), "{name:?}");
            assert!(!refused.stderr.is_empty());
        }
    }
}
