//! The first page of the administration, and the lists that its numbers lead to.

use card_service::base::GlobalId;
use card_service::model::{DeliveryState, MailStateKind};
use card_service::services::CHECKS;
use chrono::Duration;

use crate::app::family::Browser;
use crate::app::mock_server::Reply;
use crate::app::{TestApp, tamper, wait_for};

/// The names of the drawings, in the order of the columns of the table.
const MEASURES: [&str; 6] =
    ["Cards made", "Cards ordered", "Cards gone online", "Notifications failed", "Mails waiting", "Mails lost"];

/// A day with its counts, in the order of the drawings.
type Day = (&'static str, [usize; 6]);

/// Returns the days with their counts that a drawing shows, and the sum beside it.
fn read_drawing(page: &str, name: &str) -> (Vec<(String, usize)>, usize) {
    let between = |text: &str, start: &str, end: &str| {
        text.split(start)
            .nth(1)
            .and_then(|rest| rest.split(end).next())
            .unwrap_or_else(|| panic!("{name}: {text}"))
            .to_owned()
    };
    let sum = between(page, &format!(">{name}</a> <strong>"), "</strong>").parse().expect("a sum");
    let drawing = between(page, &format!("aria-label=\"{name}: "), "</svg>");
    let bars = drawing.split("<title>").skip(1).map(|bar| {
        let (day, count) =
            bar.split("</title>").next().and_then(|title| title.split_once(": ")).expect("a day and a count");
        (day.to_owned(), count.parse().expect("a count"))
    });
    (bars.collect(), sum)
}

/// Returns the counts of each day in the table, earliest first.
fn read_table(page: &str) -> Vec<(String, Vec<usize>)> {
    let rows = page
        .split("<caption>On each day</caption>")
        .nth(1)
        .and_then(|rest| rest.split("</table>").next())
        .expect("a table");
    let cells = |row: &str| {
        row.split("<td>")
            .skip(1)
            .map(|cell| cell.split("</td>").next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let rows = rows.split("<tr>").map(cells).filter(|cells| !cells.is_empty()).map(|cells| {
        let day = cells[0].split(['>', '<']).nth(2).expect("a day").to_owned();
        (day, cells[1..].iter().map(|count| count.parse().expect("a count")).collect())
    });
    let mut rows: Vec<_> = rows.collect();
    rows.reverse();
    rows
}

/// Asserts that drawings, sums and table all show these days, and zero on the others.
#[track_caller]
fn assert_shows(page: &str, expected: &[Day]) {
    let table = read_table(page);
    assert_eq!(table.len(), 30, "{page}");
    let counted: Vec<_> = table.iter().filter(|(_, counts)| counts.iter().any(|count| *count > 0)).cloned().collect();
    let wanted: Vec<_> = expected.iter().map(|(day, counts)| ((*day).to_owned(), counts.to_vec())).collect();
    assert_eq!(counted, wanted);
    for (nth, name) in MEASURES.iter().enumerate() {
        let column: Vec<_> =
            table.iter().map(|(day, counts)| (day.clone(), counts[nth])).filter(|(_, count)| *count > 0).collect();
        let sum = column.iter().map(|(_, count)| count).sum();
        assert_eq!(read_drawing(page, name), (column, sum), "{name}");
    }
}

on_both_databases! {
    async fn numbers_of_each_day_are_drawn_and_tabled(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        // The first day: 10 November 2026, 09:30 in the Netherlands.
        let (first, second) = (live.draft("D-1").await, live.draft("D-2").await);
        live.draft("D-3").await;
        test.draft("T-1").await;
        app.pass(Duration::minutes(14 * 60 + 29));
        live.draft("D-4").await;
        app.mock_server().play("/hook", [Reply::Status(200)]);
        let subscription = live.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.pass(Duration::minutes(1));
        live.draft("D-5").await;
        app.pass(Duration::days(2));
        app.partner("Zuid").await.live().await.draft("D-6").await;
        test.draft("T-2").await;
        app.online(&first).await;
        app.queued_until(&first, |mails| mails.iter().all(|mail| mail.state.kind() == MailStateKind::Sent)).await;
        tamper(app.database_url(), "UPDATE mails SET failed_at = sent_at, sent_at = NULL WHERE sent_at IS NOT NULL").await;
        app.order(&second).await;
        let id = GlobalId::parse(&subscription).expect("a global id").uuid;
        wait_for("both notifications arrive", || async {
            let delivered = app.store().deliveries_in_state(id, DeliveryState::Delivered, 9).await.expect("the store answers");
            (delivered.len() == 2).then_some(())
        })
        .await;
        tamper(app.database_url(), "UPDATE deliveries SET state = 'FAILED', success_started_at = NULL, success_duration_ms = NULL, success_status = NULL").await;

        let mut browser = Browser::at_administration(&app, "Piet").await;
        let page = browser.get("/admin").await.text();
        assert_shows(&page, &[("10 Nov", [4, 0, 0, 0, 0, 0]), ("11 Nov", [1, 0, 0, 1, 0, 0]), ("13 Nov", [1, 2, 1, 0, 1, 1])]);
        assert!(page.contains("Live cards alone.") && page.contains("aria-label=\"Cards made: 6 in 30 days, at most 4 on a day, 10 Nov\""), "{page}");
        let of_test = [("10 Nov", [1, 0, 0, 0, 0, 0]), ("13 Nov", [1, 0, 0, 1, 0, 0])];
        assert_shows(&browser.get("/admin?kind=test").await.text(), &of_test);
        let noord = format!("/admin/partners/{}", partner.id);
        let of_noord = browser.get(&noord).await.text();
        assert_shows(&of_noord, &[("10 Nov", [4, 0, 0, 0, 0, 0]), ("11 Nov", [1, 0, 0, 1, 0, 0]), ("13 Nov", [0, 2, 1, 0, 1, 1])]);
        assert_shows(&browser.get(&format!("{noord}?kind=test")).await.text(), &of_test);

        // Each number leads to its rows.
        let linked = |page: &str, name: &str| {
            let before = page.split(&format!("\">{name}</a>")).next().expect("a start");
            before.rsplit("href=\"").next().expect("a link").replace("&amp;", "&")
        };
        let dossiers = |list: &str| ["D-1", "D-2", "D-3", "D-4", "D-5", "D-6", "T-1", "T-2"].map(|dossier| list.contains(&format!(">{dossier}</a>")));
        for (page, name, listed) in [
            (&page, "Cards made", [true, true, true, true, true, true, false, false]),
            (&of_noord, "Cards made", [true, true, true, true, true, false, false, false]),
            (&page, "Cards gone online", [true, false, false, false, false, false, false, false]),
            (&page, "Mails waiting", [true, true, false, false, false, false, false, false]),
        ] {
            let list = browser.get(&linked(page, name)).await;
            assert_eq!((list.status, dossiers(&list.text())), (200, listed), "{name}: {}", list.text());
        }
        for (page, listed) in [("/admin/cards", [true, true, true, true, true, true, false, false]), ("/admin/cards?kind=test&status=DRAFT", [false, false, false, false, false, false, true, true])] {
            assert_eq!(dossiers(&browser.get(page).await.text()), listed, "{page}");
        }
        let orders = browser.get(&linked(&of_noord, "Cards ordered")).await.text();
        assert!(orders.contains("<td>2026-11</td><td>Noord</td><td>2</td>"), "{orders}");
        assert_eq!(linked(&of_noord, "Notifications failed"), "#subscriptions");
        assert!(of_noord.contains("id=\"subscriptions\""));
        let subscriptions = browser.get(&linked(&page, "Notifications failed")).await.text();
        assert!(subscriptions.contains("<td>2</td>"), "the failed ones, of test cards too: {subscriptions}");

        // A day leaves the page after thirty days.
        app.pass(Duration::days(27));
        let later = Browser::at_administration(&app, "Piet").await.get("/admin").await.text();
        let table = read_table(&later);
        assert_eq!((table[0].0.as_str(), table[0].1[0], read_drawing(&later, "Cards made").1), ("11 Nov", 1, 2));
    }

    async fn state_of_every_check_is_marked(app: TestApp) {
        let live = app.live().await;
        let gid = live.draft("1").await;
        let marks = |page: &str| page.split("<ul class=\"marks\">").nth(1).and_then(|rest| rest.split("</ul>").next()).expect("marks").to_owned();
        let wrong = |page: &str| {
            let wrong = marks(page).split("<li").filter(|mark| mark.contains(" class=\"wrong\"")).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(page.matches("class=\"said not\"").count(), wrong.len(), "each in full: {page}");
            wrong
        };
        let mut browser = Browser::at_administration(&app, "Piet").await;
        let page = browser.get("/admin").await.text();
        assert_eq!(marks(&page).matches("<li").count(), CHECKS.len());
        let before = wrong(&page);
        assert!(!before.iter().any(|mark| mark.contains("mail_lost")), "{before:?}");
        app.online(&gid).await;
        app.queued_until(&gid, |mails| mails.iter().all(|mail| mail.state.kind() == MailStateKind::Sent)).await;
        tamper(app.database_url(), "UPDATE mails SET failed_at = sent_at, sent_at = NULL WHERE sent_at IS NOT NULL").await;
        let page = browser.get("/admin").await.text();
        let check = CHECKS.iter().find(|check| check.name == "mail_lost").expect("it is a check");
        let mark = wrong(&page).into_iter().find(|mark| mark.contains(check.name)).expect("it is marked");
        assert!(mark.contains("fails") && page.contains(&format!("{} No: ", check.question)), "{page}");
        assert!(page.contains("mail list --state refused"), "what to do: {page}");
    }
}
