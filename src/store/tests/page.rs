//! Pages both ways, while rows come and go.

use uuid::Uuid;

use super::database::{TestDatabase, now};
use crate::base::{Entropy, Timestamp};
use crate::model::{Page, PageRequest, PageStart, Scope, Topic};

on_both_engines! {
    themes_are_paged_both_ways,
    themes_with_one_position_follow_their_number,
    subscriptions_are_paged_newest_first_while_rows_come_and_go,
    subscriptions_are_filtered_by_topic_and_partner,
    page_of_size_0_tells_what_lies_around,
}

fn request<K>(start: PageStart, size: usize, after: Option<K>, before: Option<K>) -> PageRequest<K> {
    PageRequest { start, size, after, before }
}

/// The handles of a page, and whether there is more before and after it.
fn outline(page: &Page<crate::model::Theme>) -> (String, bool, bool) {
    (page.items.iter().map(|t| t.handle.as_str()).collect(), page.has_previous, page.has_next)
}

async fn themes_are_paged_both_ways(db: &TestDatabase) {
    for (handle, position) in [("c", 3), ("a", 1), ("e", 5), ("b", 2), ("d", 4)] {
        db.store.put_theme(db.theme(handle, position)).await.unwrap();
    }
    let key = async |handle: &str| {
        let theme = db.store.theme_by_handle(handle).await.unwrap().unwrap();
        Some((theme.position, theme.number))
    };
    let (b, d) = (key("b").await, key("d").await);
    use PageStart::{First, Last};
    let cases = [
        (request(First, 2, None, None), ("ab", false, true)),
        (request(First, 9, None, None), ("abcde", false, false)),
        (request(First, 5, None, None), ("abcde", false, false)),
        (request(First, 2, b, None), ("cd", true, true)),
        (request(First, 9, d, None), ("e", true, false)),
        (request(First, 9, None, d), ("abc", false, true)),
        (request(First, 9, b, d), ("c", true, true)),
        (request(Last, 2, None, None), ("de", true, false)),
        (request(Last, 2, None, d), ("bc", true, true)),
        (request(Last, 9, b, None), ("cde", true, false)),
        (request(Last, 9, b, d), ("c", true, true)),
        (request(Last, 9, None, b), ("a", false, true)),
        (request(First, 9, key("e").await, None), ("", true, false)),
        (request(Last, 9, None, key("a").await), ("", false, true)),
    ];
    for (request, (handles, previous, next)) in cases {
        let page = db.store.themes_page(&request).await.unwrap();
        assert_eq!(outline(&page), (handles.to_owned(), previous, next), "{request:?}");
    }
}

async fn themes_with_one_position_follow_their_number(db: &TestDatabase) {
    for handle in ["a", "b", "c", "d"] {
        db.store.put_theme(db.theme(handle, 7)).await.unwrap();
    }
    let mut seen = String::new();
    let mut after = None;
    loop {
        let page = db.store.themes_page(&request(PageStart::First, 1, after, None)).await.unwrap();
        seen.extend(page.items.iter().map(|t| t.handle.as_str()));
        after = page.items.last().map(|t| (t.position, t.number));
        if !page.has_next {
            break;
        }
    }
    assert_eq!(seen, "abcd");
}

/// Adds a subscription made `n` milliseconds after the others; its id sorts accordingly.
async fn subscribe(db: &TestDatabase, partner_id: Uuid, topic: Topic, n: i64) -> Uuid {
    let mut subscription = db.subscription(partner_id, topic, &format!("https://example.org/{n}"));
    let moment = Timestamp::from_millis(now().millis() + n).unwrap();
    subscription.id = Entropy::system().uuid(moment);
    let id = subscription.id;
    db.store.create_subscription(subscription, 100).await.unwrap();
    id
}

async fn subscriptions_are_paged_newest_first_while_rows_come_and_go(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let mut ids = vec![];
    for n in 0..9 {
        ids.push(subscribe(db, partner_id, Topic::CardsUpdate, n * 10).await);
    }
    let page = async |request| db.store.subscriptions_page(Scope::account(partner_id), &[], &request).await.unwrap();
    let newest = page(request(PageStart::First, 3, None, None)).await;
    assert_eq!(newest.items.iter().map(|s| s.id).collect::<Vec<_>>(), [ids[8], ids[7], ids[6]]);
    assert_eq!((newest.has_previous, newest.has_next), (false, true));

    // The cursor's own row goes, and others come before and after it: the next page shows each row once.
    assert!(db.store.delete_subscription(Scope::account(partner_id), ids[6]).await.unwrap());
    assert!(db.store.delete_subscription(Scope::account(partner_id), ids[5]).await.unwrap());
    let (newer, between) = (
        subscribe(db, partner_id, Topic::CardsUpdate, 200).await,
        subscribe(db, partner_id, Topic::CardsUpdate, 45).await,
    );
    let next = page(request(PageStart::First, 2, Some(ids[6]), None)).await;
    assert_eq!(next.items.iter().map(|s| s.id).collect::<Vec<_>>(), [between, ids[4]]);
    assert_eq!((next.has_previous, next.has_next), (true, true));

    let back = page(request(PageStart::Last, 9, None, Some(ids[6]))).await;
    assert_eq!(back.items.iter().map(|s| s.id).collect::<Vec<_>>(), [newer, ids[8], ids[7]]);
    assert_eq!((back.has_previous, back.has_next), (false, true));

    let oldest = page(request(PageStart::Last, 2, None, None)).await;
    assert_eq!(oldest.items.iter().map(|s| s.id).collect::<Vec<_>>(), [ids[1], ids[0]]);
    assert_eq!((oldest.has_previous, oldest.has_next), (true, false));
}

async fn subscriptions_are_filtered_by_topic_and_partner(db: &TestDatabase) {
    let (partner_id, other) = (db.partner().await, db.partner().await);
    let create = subscribe(db, partner_id, Topic::CardsCreate, 1).await;
    let update = subscribe(db, partner_id, Topic::CardsUpdate, 2).await;
    let ordered = subscribe(db, partner_id, Topic::CardsOrdered, 3).await;
    let foreign = subscribe(db, other, Topic::CardsOrdered, 4).await;
    let all = request(PageStart::First, 50, None, None);
    use Topic::{CardsActivated, CardsCreate, CardsOrdered};
    let cases: [(&[Topic], &[Uuid]); 5] = [
        (&[], &[ordered, update, create]),
        (&Topic::ALL, &[ordered, update, create]),
        (&[CardsOrdered, CardsCreate], &[ordered, create]),
        (&[CardsCreate; 500], &[create]),
        (&[CardsActivated], &[]),
    ];
    for (topics, ids) in cases {
        let page = db.store.subscriptions_page(Scope::account(partner_id), topics, &all).await.unwrap();
        assert_eq!(page.items.iter().map(|s| s.id).collect::<Vec<_>>(), ids, "{topics:?}");
    }
    assert_eq!(db.store.subscription(Scope::account(partner_id), foreign).await.unwrap(), None);
    assert!(!db.store.delete_subscription(Scope::account(partner_id), foreign).await.unwrap());
    // The other partner's rows lie around the page, and are no reason to say that there is more.
    let around = request(PageStart::First, 50, Some(foreign), Some(create));
    let page = db.store.subscriptions_page(Scope::account(partner_id), &[CardsOrdered], &around).await.unwrap();
    assert_eq!((page.items.len(), page.has_previous, page.has_next), (1, false, false));
}

async fn page_of_size_0_tells_what_lies_around(db: &TestDatabase) {
    let empty = request(PageStart::First, 0, None, None);
    assert_eq!(outline(&db.store.themes_page(&empty).await.unwrap()), (String::new(), false, false));
    db.store.put_theme(db.theme("a", 1)).await.unwrap();
    assert_eq!(outline(&db.store.themes_page(&empty).await.unwrap()), (String::new(), false, true));
}
