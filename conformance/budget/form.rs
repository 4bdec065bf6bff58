//! Hostile forms: every field of every form on the pages of a browser session, with every text.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Input, Target};
use crate::app::family::{Browser, customizer};
use crate::app::{card_id, http_client};

/// Repeated to the length of a form.
const TEXTS: [&str; 20] = [
    "<", ">", "<>", "<a ", "\"", "'", "(", "[", "@", "a@", "a@b.nl ", "a@b.nl, ", ";", "1\n", "\n", "1. ", "a. b.nl/",
    "\u{301}", "\u{202e}", "http://",
];

/// The bytes of a text: a form takes 256 KiB. Each field gets one text of all these bytes, and the other texts in a quarter of them,
/// where a cost that grows with their square is far over the budget too.
const BYTES: usize = 250_000;

/// The address of a form, its hidden fields with their values, and the names of all its fields.
type PageForm = (String, Vec<(String, String)>, BTreeSet<String>);

impl Target {
    pub(super) async fn hold_forms(&mut self) {
        let contact = json!({ "name": "Pieter", "email": "pieter@voorbeeld.nl" });
        let input = json!({ "externalDossierId": "formulier", "themeId": "1", "familyContact": contact });
        let gid = self.serving.create(&self.token, input).await;
        let list = format!("/gasten/{}", card_id(&gid));
        for (environment, start) in [("CUSTOMIZER", &customizer(&gid, "")), ("INVITEE_LIST", &list)] {
            let mut browser = Browser::at_address(&self.serving.base);
            browser.get(&self.serving.link(&self.token, &gid, environment).await).await;
            if *start == list {
                let hidden = browser.get(&list).await.hidden_fields();
                let fields = [("naam", "Aal"), ("email", "aal@voorbeeld.nl")];
                assert_eq!(browser.post(&format!("{list}/toevoegen"), &hidden, &fields).await.status, 303);
            }
            let forms = forms_below(&mut browser, start).await;
            let fields: usize = forms.iter().map(|(_, _, fields)| fields.len()).sum();
            assert!(fields >= if *start == list { 10 } else { 40 }, "{start}: {fields} fields are found");
            for (action, hidden, fields) in &forms {
                let numbered = fields.iter().enumerate();
                for (n, field, m) in numbered.flat_map(|(n, field)| (0..TEXTS.len()).map(move |m| (n, field, m))) {
                    let text = TEXTS[m];
                    let bytes = if n % TEXTS.len() == m { BYTES } else { BYTES / 4 };
                    let others = hidden.iter().filter(|(name, _)| name != field);
                    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(others).finish();
                    let body = format!("{body}&{field}={}", text.repeat(bytes / text.len()));
                    let (bytes, name) = (body.len(), format!("{action} {field} {text:?}"));
                    let request = http_client().post(browser.url(action)).header("cookie", browser.cookie());
                    let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
                    let answer = self.hold(Input { family: "form", name: name.clone(), request, bytes }).await;
                    // The form was taken, and judged by its field.
                    let is_judged = matches!(answer.status, 200 | 204 | 303 | 409 | 422);
                    assert!(is_judged || field == "form_token" && answer.status == 403, "{name}: {}", answer.status);
                }
            }
        }
    }
}

/// Returns the forms of all pages that can be reached from `start` below it, and the addresses of cards next to forms.
async fn forms_below(browser: &mut Browser, start: &str) -> Vec<PageForm> {
    let (mut seen, mut open, mut forms) = (BTreeSet::new(), vec![start.to_owned()], Vec::<PageForm>::new());
    while let Some(path) = open.pop() {
        let answer = browser.open(&path).await;
        let page = answer.text();
        for form in page.split("<form").skip(1).filter(|form| form.contains("method=\"post\"")) {
            let form = form.split("</form>").next().unwrap_or_default();
            let action = values(form, "action").remove(0);
            let frames = values(&page, "src").into_iter().filter(|src| src.starts_with(&action));
            for to in frames.chain([action.clone()]) {
                if !forms.iter().any(|(known, _, _)| *known == to) {
                    forms.push((to, answer.hidden_fields_of(&action), values(form, "name").into_iter().collect()));
                }
            }
        }
        let links = values(&page, "href").into_iter().filter(|link| link.starts_with(start));
        open.extend(links.filter(|link| seen.insert(link.clone())));
    }
    forms
}

/// The values of an attribute in a page.
fn values(page: &str, name: &str) -> Vec<String> {
    let value = |piece: &str| piece.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&");
    page.split(&format!(" {name}=\"")).skip(1).map(value).collect()
}
