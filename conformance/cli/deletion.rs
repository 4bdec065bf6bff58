//! `card delete`, `invitees purge`: what they delete, and that nothing else changes (specification, section 1).

use card_service::base::limits::{INVITEES_DELETED_AT_ONCE, INVITEES_MAX};
use card_service::model::{DeliveryState, MailState};
use card_service::operation::invitee::{self, NewInvitee};
use serde_json::{Value, json};

use crate::app::family::{Browser, customizer, path_of};
use crate::app::mock_server::Reply;
use crate::app::{Caller, Program, TestApp, card_id, picture, wait_for};

/// Words that occur only in the deleted card.
const MARK: &str = "Zilvervosje";

impl TestApp {
    /// The operator's command line on the same database.
    pub fn operator(&self) -> Program {
        Program::with(self.database_url(), self.folder()).set("PUBLIC_BASE_URL", crate::app::PUBLIC_BASE)
    }
}

/// An ordered card that is online, every field of which holds `mark`, with a photo, visits, links and invitees.
pub(super) async fn lived_in(caller: &Caller, theme: &str, mark: &str) -> String {
    let app = &caller.app;
    let photo = app.mock_server().photo(&format!("/{mark}.jpeg"), "image/jpeg", picture::photo("jpeg"));
    let input = json!({
        "externalDossierId": format!("{mark}-dossier"), "externalFuneralDirectorId": format!("{mark}-leider"),
        "themeId": theme,
        "deceased": {
            "firstName": format!("{mark}-voor"), "lastName": format!("{mark}-achter"),
            "dateOfBirth": "1931-03-07", "dateOfDeath": "2026-11-02", "photoUrl": photo,
        },
        "livestreamUrl": format!("https://{mark}.example/live"),
        "familyContact": { "name": format!("{mark}-contact"), "email": format!("{mark}@voorbeeld.nl") },
    });
    let created = caller.with_key(&format!("sleutel-{}", mark.len())).create(input).await;
    let gid = created.gid();
    let mut browser = Browser::at_customizer(caller, &gid).await;
    let edited = browser.submit(&customizer(&gid, "tekst"), &[("text", &format!("{mark}-tekst"))]).await;
    assert_eq!(edited.status, 303, "{}", edited.text());
    let (place, address, note) = (format!("{mark}-kerk"), format!("{mark}-straat"), format!("{mark}-bloemen"));
    let farewell = [("farewell_place", &*place), ("farewell_address", &*address), ("farewell_note", &*note)];
    let edited = browser.submit(&customizer(&gid, "afscheid"), &farewell).await;
    assert_eq!(edited.status, 303, "{}", edited.text());
    let unused = caller.link(&gid, "CUSTOMIZER").await;
    assert!(!unused.is_empty());
    let ordered = browser.submit(&customizer(&gid, "bestellen"), &[("agree", "ja")]).await;
    assert_eq!(ordered.status, 303, "{}", ordered.text());
    app.until(&gid, "ACTIVE").await;
    let mut list = Browser::new(app);
    list.get(&path_of(&caller.link(&gid, "INVITEE_LIST").await)).await;
    let page = format!("/gasten/{}", card_id(&gid));
    let hidden = list.get(&page).await.hidden_fields();
    let fields = [("naam", format!("{mark}-gast")), ("email", format!("gast@{mark}.example"))];
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let added = list.post(&format!("{page}/toevoegen"), &hidden, &fields).await;
    assert!(added.status < 400, "{}", added.text());
    let noted = list.post(&format!("{page}/bericht"), &hidden, &[("bericht", &*format!("{mark}-woorden"))]).await;
    assert!(noted.status < 400, "{}", noted.text());
    let invited = list.post(&format!("{page}/lijst"), &hidden, &[("allen", "ja")]).await;
    assert!(invited.header("location").is_some_and(|place| place.ends_with("allen-uitgenodigd")), "{}", invited.text());
    caller.update(&gid, json!({ "deceased": { "lastName": format!("{mark}-later") } })).await;
    gid
}

/// Returns the lines of a dump that contain a word.
fn holding<'a>(dump: &'a [String], word: &str) -> Vec<&'a String> {
    dump.iter().filter(|line| line.to_lowercase().contains(&word.to_lowercase())).collect()
}

/// Waits until every portrait has its three renditions: four files for each card.
pub(super) async fn wait_until_rendered(app: &TestApp, cards: usize) {
    wait_for("the renditions are made", || async { (app.media_files().len() == 4 * cards).then_some(()) }).await;
}

on_both_databases! {
    async fn deleted_card_leaves_nothing_personal_and_others_unchanged(app: TestApp) {
        let theme = app.theme("zee", 1).await.number.to_string();
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        let updates = caller.subscribe("CARDS_UPDATE", &app.mock_server().secure_url("/failing")).await;
        app.mock_server().reply("/hook", Reply::Status(200));
        app.mock_server().reply("/failing", Reply::Status(500));
        let kept = lived_in(&caller, &theme, "Blijver").await;
        wait_until_rendered(&app, 1).await;
        let files = app.media_files();
        let gone = lived_in(&caller, &theme, MARK).await;
        wait_until_rendered(&app, 2).await;
        app.settle(&subscription, DeliveryState::Delivered, 2).await;
        // Waits for the workers, so that only the deletion changes the database.
        app.mails_done(&[&kept, &gone]).await;
        app.next_of_all(&updates).await;
        let slug = app.row(&gone).await.slug.expect("it is online");
        let tokens = app.store().invitees_of(card_id(&gone)).await.expect("the store answers");
        let before = app.dump().await;
        assert!(holding(&before, MARK).len() >= 6, "{:#?}", holding(&before, MARK));
        let kept_before = (caller.card(&kept).await, holding(&before, "Blijver").len());

        assert!(app.operator().expect_failure(&["card", "delete", &gone]).contains("--yes"));
        assert_eq!(app.dump().await.len(), before.len(), "without --yes nothing goes");
        assert_eq!(app.operator().json(&["card", "delete", &gone, "--yes"])["deleted"], gone.as_str());

        let after = app.dump().await;
        // The guest's count of invitations is deleted too; the partner's count of this day stays.
        let rows = |dump: &[String], table: &str| holding(dump, &format!("{table}: ")).len();
        let counts = |dump: &[String]| (rows(dump, "invitation_counts"), rows(dump, "invitation_days"));
        assert_eq!((counts(&before), counts(&after)), ((2, 3), (1, 2)));
        for word in [MARK, &slug, &tokens[0].token] {
            assert!(holding(&after, word).is_empty(), "{word}: {:#?}", holding(&after, word));
        }
        assert_eq!(app.media_files(), files, "its photo and renditions, and no others");
        assert_eq!(caller.card(&gone).await, Value::Null);
        assert_eq!((caller.card(&kept).await, holding(&after, "Blijver").len()), kept_before);
        assert_eq!(app.store().invitees_of(card_id(&kept)).await.expect("the store answers").len(), 1);

        // Its order stays for the invoice, without who placed it; what was delivered stays as its ids.
        let order = app.store().order_of(card_id(&gone)).await.expect("the store answers").expect("it stays");
        assert_eq!(order.customer, None);
        let mut delivered = app.deliveries(&subscription, DeliveryState::Delivered).await;
        delivered.sort_by_key(|delivery| delivery.card_id == card_id(&gone)); // both happened in one millisecond
        let cards: Vec<_> = delivered.iter().map(|delivery| delivery.card_id).collect();
        assert_eq!(cards, [card_id(&kept), card_id(&gone)]);
        let waiting = app.deliveries(&updates, DeliveryState::Due).await;
        assert!(waiting.iter().all(|delivery| delivery.card_id == card_id(&kept)), "{waiting:?}");
        // A replay does not send it again: its body is deleted.
        let replayed = app.operator().json(&["webhook", "replay", &subscription, "--since", "2026-01-01T00:00:00Z", "--yes"]);
        assert_eq!(replayed["replayed"], 1, "{replayed}");
        let emptied = delivered[1].id.to_string();
        app.operator().expect_failure(&["webhook", "resend", &emptied, "--yes"]);
        // The number of the case is free again, and so is the key.
        let again = caller.with_key(&format!("sleutel-{}", MARK.len()));
        again.create(json!({ "externalDossierId": format!("{MARK}-dossier") })).await.gid();
        app.operator().expect_failure(&["card", "delete", &gone, "--yes"]); // it is deleted
    }

    async fn deletion_is_noted_with_its_card_and_no_value(app: TestApp) {
        let gid = app.live().await.draft(&format!("{MARK}-9")).await;
        app.operator().json(&["card", "delete", &gid, "--yes"]);
        let audit = app.operator().json(&["audit", "list"]);
        let entries = audit["audit"].as_array().expect("a list");
        assert_eq!(entries.len(), 1, "{audit}");
        assert_eq!((&entries[0]["command"], &entries[0]["subject"]), (&json!("card delete"), &json!(gid)));
        assert!(!entries[0]["actor"].as_str().expect("a name").is_empty());
        assert!(holding(&app.dump().await, MARK).is_empty());
    }

    async fn purge_takes_the_test_cards_of_one_partner_alone(app: TestApp) {
        let (noord, zuid) = (app.partner("Uitvaart Noord").await, app.partner("Uitvaart Zuid").await);
        let (live, test) = (noord.live().await, noord.test().await);
        let kept = [live.draft("echt").await, zuid.test().await.draft("zuid").await];
        let mut old = [test.draft("1").await, test.draft("2").await];
        old.sort(); // both were made in one millisecond
        app.pass(chrono::Duration::days(2));
        let young = test.draft("3").await;
        let purge = |more: &[&str]| {
            app.operator().json(&[&["card", "delete", "--test-cards-of", "Uitvaart Noord", "--yes"], more].concat())
        };
        // The commands' clock is the machine's: the test's own lies in November 2026.
        assert_eq!(purge(&["--before", "2026-11-11"])["deleted"], json!(old));
        assert_eq!(test.card(&young).await["id"], json!(young));
        assert_eq!(purge(&["--before", "2027-01-01"])["deleted"], json!([young]));
        for gid in old.iter().chain([&young]) {
            assert_eq!(test.card(gid).await, Value::Null);
        }
        for gid in &kept {
            assert!(app.store().any_card(card_id(gid)).await.expect("the store answers").is_some(), "{gid}");
        }
    }

    async fn invitees_purged_are_gone_with_their_mails_and_the_card_stays(app: TestApp) {
        let theme = app.theme("zee", 1).await.number.to_string();
        let live = app.live().await;
        let (one, other) = (lived_in(&live, &theme, "Eerste").await, lived_in(&live, &theme, "Tweede-kaart").await);
        let count = async |gid: &str| app.store().invitees_of(card_id(gid)).await.expect("the store answers").len();
        for (selection, people) in [(["--card", &one], 1), (["--before", "2026-11-01"], 0), (["--before", "2026-12-01"], 2)] {
            let asked = app.operator().expect_failure(&[&["invitees", "purge"], &selection[..]].concat()); // --yes is missing
            assert!(asked.contains(&format!("removes {people} people")), "{asked}");
        }
        assert_eq!(count(&one).await, 1);
        assert_eq!(app.operator().json(&["invitees", "purge", "--card", &one, "--yes"])["removed"], 1);
        assert_eq!((count(&one).await, count(&other).await), (0, 1));
        assert_eq!(app.operator().json(&["invitees", "purge", "--before", "2026-11-01", "--yes"])["removed"], 0);
        assert_eq!(app.operator().json(&["invitees", "purge", "--before", "2026-12-01", "--yes"])["removed"], 1);
        assert_eq!(live.card(&other).await["status"], "ACTIVE");
    }

    async fn invitees_of_more_than_one_batch_are_purged(app: TestApp) {
        let live = app.live().await;
        for dossier in ["1", "2", "3"] {
            let card = card_id(&live.draft(dossier).await);
            let people = (0..INVITEES_MAX).map(|n| NewInvitee { name: format!("Gast {n}"), email: None }).collect();
            invitee::add(app.services(), card, people).await.expect("the store answers");
        }
        assert_eq!(2 * INVITEES_MAX as i64, INVITEES_DELETED_AT_ONCE, "the first batch is full");
        let purged = app.operator().json(&["invitees", "purge", "--before", "2026-12-01", "--yes"]);
        assert_eq!(purged["removed"], 3 * INVITEES_MAX);
    }
}

impl TestApp {
    /// Advances the clock until no mail of these cards waits; an order mail may be postponed until its card is online.
    pub async fn mails_done(&self, cards: &[&str]) {
        let done = || async {
            let mut waiting = 0;
            for gid in cards {
                let mails = self.queued_mails(gid).await;
                assert!(!mails.is_empty(), "{gid} was ordered");
                waiting += mails.iter().filter(|mail| matches!(mail.state, MailState::Due(_))).count();
            }
            if waiting > 0 {
                self.pass(chrono::Duration::seconds(6));
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            (waiting == 0).then_some(())
        };
        wait_for("no mail waits", done).await;
    }

    /// Waits until every due delivery of a subscription has been tried and waits for its next attempt.
    async fn next_of_all(&self, subscription: &str) {
        let tried = || async {
            let due = self.deliveries(subscription, DeliveryState::Due).await;
            let all = due.iter().all(|delivery| delivery.lease.is_none() && delivery.attempt_count > 0);
            (all && !due.is_empty()).then_some(())
        };
        wait_for("every delivery is tried", tried).await;
    }
}
