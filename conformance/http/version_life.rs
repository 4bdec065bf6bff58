//! Deprecation and retirement: the operator's decisions about a version in its responses (decisions H2, H3).

use card_service::http::version_lives;
use card_service::operation::version::{self, DecideVersionError};
use card_service::worker::upkeep;
use chrono::{Days, NaiveDate};
use serde_json::{Value, json};

use crate::app::{Answer, Caller, TestApp, wait_for};

const VERSION: &str = "2026-10";
const PING: &str = "{ __typename }";

/// Returns the entry of 2026-10 in the list of versions.
async fn read_version(app: &TestApp) -> Value {
    let list = app.get("/partner/api/versions").await.json();
    let versions = list["versions"].as_array().expect("a list");
    versions.iter().find(|version| version["name"] == VERSION).expect("it is listed").clone()
}

/// Waits until the server applies a decision.
async fn until_status(app: &TestApp, status: &str) {
    wait_for(status, || async { (read_version(app).await["status"] == status).then_some(()) }).await;
}

fn in_days(app: &TestApp, days: u64) -> NaiveDate {
    app.now().utc().date_naive().checked_add_days(Days::new(days)).expect("a day")
}

async fn deprecate(app: &TestApp, days: u64, link: Option<&str>) {
    let sunset = in_days(app, days);
    version::deprecate(app.services(), version_lives(), VERSION, sunset, link).await.expect("it may be deprecated");
    until_status(app, "deprecated").await;
}

async fn ping(caller: &Caller) -> Answer {
    caller.graphql(PING, json!({})).await
}

/// Returns the reason why the version is not retired.
async fn expect_refusal(app: &TestApp) -> String {
    upkeep::write_usage(app.services()).await.expect("the database takes the counts");
    match version::retire(app.services(), version_lives(), VERSION, false).await {
        Err(error @ (DecideVersionError::Doubts { .. } | DecideVersionError::Stage(_))) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

on_both_databases! {
    async fn deprecated_version_sends_its_headers_until_restored(app: TestApp) {
        let live = app.live().await;
        let unknown = Caller::new(app.clone(), "nonsense");
        deprecate(&app, 365, Some("https://voorbeeld.nl/verhuizen?van=2026-10")).await;
        for answer in [
            ping(&live).await,
            live.graphql("{ nothing }", json!({})).await,
            live.send("not JSON").await,
            ping(&unknown).await,
            app.get("/partner/api/2026-10/schema.graphql").await,
            app.get("/partner/api/2026-10/nothing").await,
        ] {
            assert_eq!(answer.header("deprecation"), Some("@1794268800"), "10 November 2026, RFC 9745");
            assert_eq!(answer.header("sunset"), Some("Wed, 10 Nov 2027 00:00:00 GMT"), "RFC 8594");
            let page = "<https://voorbeeld.nl/verhuizen?van=2026-10>";
            let links = answer.header("link").expect("a link");
            let expected = format!("{page}; rel=\"deprecation\", {page}; rel=\"sunset\"");
            assert!(links.starts_with(&expected), "{links}");
        }
        assert_eq!(app.get("/partner/api/versions").await.header("deprecation"), None);
        let shown = read_version(&app).await;
        assert_eq!((&shown["deprecated"], &shown["sunset"]), (&json!("2026-11-10"), &json!("2027-11-10")));
        // The end may move. The day of deprecation stays, and so does the page unless another is given.
        app.pass(chrono::Duration::days(1));
        deprecate(&app, 730, None).await;
        wait_for("the later end", || async { (read_version(&app).await["sunset"] == "2028-11-10").then_some(()) }).await;
        let answer = ping(&live).await;
        assert_eq!(answer.header("deprecation"), Some("@1794268800"));
        assert!(answer.header("link").is_some_and(|links| links.starts_with("<https://voorbeeld.nl/")));
        // It works as before.
        assert_eq!(ping(&live).await.json()["data"]["__typename"], "Query");

        version::restore(app.services(), version_lives(), VERSION).await.expect("there was a decision");
        until_status(&app, "current").await;
        let answer = ping(&live).await;
        assert!(["deprecation", "sunset", "link"].iter().all(|name| answer.header(name).is_none()));
    }

    async fn version_is_retired_from_its_sunset_on_without_live_use(app: TestApp) {
        let partner = app.partner("Uitvaart Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        assert!(expect_refusal(&app).await.contains("is not deprecated"));
        deprecate(&app, 181, None).await; // six months
        ping(&live).await;
        let said = expect_refusal(&app).await;
        for part in [
            "partners were promised that it answers until 2027-05-10",
            "Uitvaart Noord used it with a live key, last on 2026-11-10",
            "was counted since 2026-11-10 only",
        ] {
            assert!(said.contains(part), "{said}");
        }
        // A month later without live use the counts say enough, and the sunset is still ahead.
        app.pass(chrono::Duration::days(31));
        ping(&test).await;
        let said = expect_refusal(&app).await;
        assert!(said.contains("until 2027-05-10") && !said.contains("used it") && !said.contains("counted since"), "{said}");
        assert!(ping(&live).await.status == 200 && expect_refusal(&app).await.contains("last on 2026-12-11"));

        app.pass(chrono::Duration::days(150)); // the day of the sunset
        ping(&test).await;
        upkeep::write_usage(app.services()).await.expect("the database takes the counts");
        version::retire(app.services(), version_lives(), VERSION, false).await.expect("nothing speaks against it");
        until_status(&app, "retired").await;
        for answer in [
            ping(&live).await,
            ping(&Caller::new(app.clone(), "nonsense")).await,
            app.get("/partner/api/2026-10/schema.graphql").await,
        ] {
            let error = answer.expect_error(404, "VERSION_NOT_FOUND");
            assert_eq!(error["extensions"]["requested"], VERSION);
            // It was the only published version.
            assert_eq!((&error["extensions"]["available"], &error["extensions"]["latest"]), (&json!([]), &json!(null)));
            let found = "Deze versie wordt niet meer aangeboden. Er is op dit moment geen versie beschikbaar.";
            assert_eq!(error["message"], found);
            let detail = error["extensions"]["detail"].as_str().expect("a text");
            assert!(detail.ends_with("was retired on 2027-05-10. No version is available."), "{detail}");
        }
        assert!(expect_refusal(&app).await.contains("is retired"));
        let again = version::deprecate(app.services(), version_lives(), VERSION, in_days(&app, 9), None).await;
        assert!(again.expect_err("it is retired").to_string().contains("is retired"));
        let unknown = app.get("/partner/api/2099-01/schema.graphql").await;
        let error = unknown.expect_error(404, "VERSION_NOT_FOUND");
        let detail = "There is no version `2099-01`. No version is available.";
        assert_eq!((&error["extensions"]["latest"], &error["extensions"]["detail"]), (&json!(null), &json!(detail)));

        version::restore(app.services(), version_lives(), VERSION).await.expect("there was a decision");
        until_status(&app, "current").await;
        assert_eq!(ping(&live).await.status, 200);
    }

    async fn version_that_is_still_used_is_retired_by_force(app: TestApp) {
        let live = app.live().await;
        ping(&live).await;
        deprecate(&app, 181, None).await;
        assert!(expect_refusal(&app).await.contains("--force"));
        version::retire(app.services(), version_lives(), VERSION, true).await.expect("the operator insists");
        until_status(&app, "retired").await;
        assert_eq!(ping(&live).await.status, 404);
    }

    async fn decision_that_makes_no_sense_is_refused(app: TestApp) {
        let tomorrow = in_days(&app, 1);
        let decided = async |name: &str, sunset, link| {
            version::deprecate(app.services(), version_lives(), name, sunset, link).await.map_err(|error| error.to_string())
        };
        let refusal = async |name: &str, sunset, link| decided(name, sunset, link).await.expect_err("it is refused");
        assert!(refusal("2031-01", tomorrow, None).await.contains("no version 2031-01"));
        for days in [0, 1, 180] {
            let said = refusal(VERSION, in_days(&app, days), None).await;
            assert!(said.contains("at least 6 months") && said.contains("the first day is 2027-05-10"), "{said}");
        }
        for link in ["javascript:alert(1)", "verhuizen.html", "https://voorbeeld.nl/é"] {
            assert!(refusal(VERSION, tomorrow, Some(link)).await.contains("no http or https address"), "{link}");
        }
        let nothing = version::restore(app.services(), version_lives(), VERSION).await.expect_err("nothing was decided");
        assert!(nothing.to_string().contains("its release applies"), "{nothing}");
        for candidate in version_lives().iter().filter(|life| life.published.is_none()) {
            assert!(refusal(candidate.name, tomorrow, None).await.contains("is a candidate"));
            let retired = version::retire(app.services(), version_lives(), candidate.name, true).await;
            assert!(retired.expect_err("it is refused").to_string().contains("is a candidate"));
        }
        assert_eq!(read_version(&app).await["status"], "current");
    }
}
