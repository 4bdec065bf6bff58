//! An e-mail address is accepted everywhere or nowhere: API, forms, pasted lists, settings of a partner and of the service
//! (decisions V4).

use card_service::app::Settings;
use card_service::operation;
use card_service::operation::partner::PartnerSetting;
use serde_json::json;

use super::invitees::{at_list, paste, send, stored_invitees};
use crate::app::family::{Browser, customizer};
use crate::app::{TestApp, card_id};

/// What is written, and the address that is stored; `None` for one to which no mail can be delivered.
const ADDRESSES: [(&str, Option<&str>); 12] = [
    ("jan@voorbeeld.nl", Some("jan@voorbeeld.nl")),
    ("jan@münchen.de", Some("jan@münchen.de")),
    ("\u{a0}jan@voorbeeld.nl\u{200b}", Some("jan@voorbeeld.nl")),
    ("\u{202a}jan@voorbeeld.nl\u{202c} ", Some("jan@voorbeeld.nl")),
    ("o'neil+a@voorbeeld.nl", Some("o'neil+a@voorbeeld.nl")),
    ("zoë@voorbeeld.nl", None),
    ("\"a.b\"@voorbeeld.nl", None),
    ("jan@voor_beeld.nl", None),
    ("jan@voorbeeld.nl?subject=hoi", None),
    ("jan@voorbeeld.n", None),
    ("jan@1.2.3.4", None),
    ("jan@voorbeeld", None),
];

on_both_databases! {
    async fn email_address_is_accepted_everywhere_or_nowhere(app: TestApp) {
        let live = app.live().await;
        for (number, (written, stored)) in ADDRESSES.into_iter().enumerate() {
            let stored = stored.map(str::to_owned);
            let gid = live.draft(&number.to_string()).await;
            let created = live.update(&gid, json!({ "familyContact": { "email": written } })).await;
            assert_eq!(created.faults.is_empty(), stored.is_some(), "API: {written:?}");
            assert_eq!(app.row(&gid).await.family_contact.email, stored, "API: {written:?}");

            let gid = live.draft(&format!("form {number}")).await;
            let mut browser = Browser::at_customizer(&live, &gid).await;
            let sent = browser.submit(&customizer(&gid, "contact"), &[("email", written)]).await;
            assert_eq!(sent.status == 303, stored.is_some(), "customizer: {written:?}: {}", sent.text());
            assert_eq!(app.row(&gid).await.family_contact.email, stored, "customizer: {written:?}");

            let mut browser = at_list(&live, &gid).await;
            let invited = async || stored_invitees(&app, &gid).await.into_iter().filter_map(|one| one.email).next_back();
            send(&mut browser, &gid, "toevoegen", &[("naam", "Aal"), ("email", written)]).await;
            assert_eq!(invited().await, stored, "list: {written:?}");
            for one in stored_invitees(&app, &gid).await {
                app.store().delete_invitee(card_id(&gid), one.id).await.expect("the store answers");
            }
            let setting = PartnerSetting::TestAddress(Some(written));
            let partner = operation::partner::change(app.services(), "Uitvaart Noord", vec![setting]).await;
            assert_eq!(partner.ok().and_then(|partner| partner.test_address), stored, "test address: {written:?}");

            // Where a name may stand before the address, quotes belong to the name.
            if written.contains('"') {
                continue;
            }
            paste(&mut browser, &gid, &format!("Aal <{written}>")).await;
            assert_eq!(invited().await, stored, "pasted: {written:?}");
            let sender = format!("Kaart <{written}>");
            let read = Settings::from_env(|name| (name == "MAIL_FROM").then(|| sender.clone()));
            assert_eq!(read.is_ok(), stored.as_deref() == Some(written), "MAIL_FROM: {written:?}");
        }
    }
}
