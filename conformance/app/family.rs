//! A browser without script: it keeps cookies and submits forms.

use std::collections::BTreeMap;

use serde_json::json;

use super::card::card_id;
use super::{Answer, Caller, PUBLIC_BASE, TestApp, http_client, wait_for};

/// A browser; it caches nothing.
#[derive(Clone)]
pub struct Browser {
    /// The start of every address.
    base: String,
    /// By name.
    pub cookies: BTreeMap<String, String>,
}

/// A part of a submitted form: a field or a file.
pub type Field<'a> = (&'a str, &'a str);

impl Browser {
    pub fn new(app: &TestApp) -> Self {
        Self { base: app.url(""), cookies: BTreeMap::new() }
    }

    /// A browser at a server with this address.
    pub fn at_address(base: &str) -> Self {
        Self { base: base.to_owned(), cookies: BTreeMap::new() }
    }

    /// A browser without a session at the listener of the administration.
    pub fn outside_administration(app: &TestApp) -> Self {
        Self { base: app.admin_url(""), cookies: BTreeMap::new() }
    }

    /// Opens a new link of this operator to the administration.
    pub async fn at_administration(app: &TestApp, operator: &str) -> Self {
        let mut browser = Self::outside_administration(app);
        let opened = browser.get(&app.admin_link(operator).await).await;
        assert_eq!(opened.status, 303, "{}", opened.text());
        browser
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The value of `Cookie`.
    pub fn cookie(&self) -> String {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.join("; ")
    }

    /// Opens a new link to the customizer of this card.
    pub async fn at_customizer(caller: &Caller, gid: &str) -> Self {
        let mut browser = Self::new(&caller.app);
        let opened = browser.get(&path_of(&caller.link(gid, "CUSTOMIZER").await)).await;
        assert_eq!(opened.status, 303, "{}", opened.text());
        browser
    }

    /// Requests a path without following redirects.
    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(http_client().get(self.url(path))).await
    }

    /// Requests a path and follows redirects.
    pub async fn open(&mut self, path: &str) -> Answer {
        let mut answer = self.get(path).await;
        for _ in 0..5 {
            match answer.header("location").filter(|_| answer.status == 303).map(str::to_owned) {
                Some(location) => answer = self.get(&location).await,
                None => return answer,
            }
        }
        panic!("{path} leads round in circles");
    }

    /// Submits the form of a page with its hidden fields and these fields.
    pub async fn submit(&mut self, path: &str, fields: &[Field<'_>]) -> Answer {
        let page = self.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text());
        self.post(path, &page.hidden_fields(), fields).await
    }

    /// Submits a form that was loaded earlier.
    pub async fn post(&mut self, path: &str, hidden: &[(String, String)], fields: &[Field<'_>]) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(hidden.iter())
            .extend_pairs(fields)
            .finish();
        let request =
            http_client().post(self.url(path)).header("content-type", "application/x-www-form-urlencoded").body(body);
        self.send(request).await
    }

    /// Submits the form of a page with a file.
    pub async fn upload(&mut self, path: &str, field: &str, file_name: &str, bytes: &[u8]) -> Answer {
        let hidden = self.get(path).await.hidden_fields();
        self.send_file(path, &hidden, field, file_name, bytes).await
    }

    /// Submits a form that was loaded earlier with a file after these fields.
    pub async fn send_file(
        &mut self,
        path: &str,
        fields: &[(String, String)],
        field: &str,
        file_name: &str,
        bytes: &[u8],
    ) -> Answer {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend(format!("--X\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
        }
        let head = format!(
            "--X\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{file_name}\"\r\n\
             content-type: application/octet-stream\r\n\r\n"
        );
        body.extend(head.bytes());
        body.extend(bytes);
        body.extend(b"\r\n--X--\r\n");
        let request = http_client().post(self.url(path)).header("content-type", "multipart/form-data; boundary=X");
        self.send(request.body(body)).await
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Answer {
        let request = if self.cookies.is_empty() { request } else { request.header("cookie", self.cookie()) };
        let answer = Answer::read(request.send().await.expect("the server answers")).await;
        for line in answer.headers.get_all("set-cookie") {
            let line = line.to_str().expect("a cookie is ASCII");
            let (name, value) = line.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        answer
    }
}

impl Caller {
    /// A new session link.
    pub async fn link(&self, gid: &str, target: &str) -> String {
        let document = "mutation ($cardId: ID!, $target: CardSessionTarget!) {
            cardSessionCreate(cardId: $cardId, target: $target) { cardSession { url } userErrors { message } }
        }";
        let data = self.data(document, json!({ "cardId": gid, "target": target })).await;
        let url = data["cardSessionCreate"]["cardSession"]["url"].as_str();
        url.unwrap_or_else(|| panic!("no link: {data}")).to_owned()
    }
}

impl Answer {
    /// Returns the hidden fields of the page's first form.
    pub fn hidden_fields(&self) -> Vec<(String, String)> {
        self.hidden_fields_of("")
    }

    /// Returns the hidden fields of the page's first form that is sent to a path with this end.
    pub fn hidden_fields_of(&self, end: &str) -> Vec<(String, String)> {
        let page = self.text();
        let mut forms = page.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap_or_default());
        let action = |form: &&str| form.split('>').next().is_some_and(|tag| tag.contains(&format!("{end}\"")));
        let form = forms.find(action).unwrap_or_default();
        let inputs = form.split("<input type=\"hidden\"").skip(1);
        inputs.map(|input| (attribute(input, "name"), attribute(input, "value"))).collect()
    }
}

impl TestApp {
    /// A live caller of a new partner account with a draft card, the card's global id, and a browser at its customizer.
    pub async fn draft_in_customizer(&self, dossier: &str) -> (Caller, String, Browser) {
        let (live, gid) = self.live_draft(dossier).await;
        let browser = Browser::at_customizer(&live, &gid).await;
        (live, gid, browser)
    }

    /// Waits until workers have given a card this status.
    pub async fn until(&self, gid: &str, status: &str) {
        let is_so = || async { (self.row(gid).await.status.as_str() == status).then_some(()) };
        wait_for(status, is_so).await;
    }
}

/// The path of a page of a card's customizer.
pub fn customizer(gid: &str, page: &str) -> String {
    let start = format!("/bewerken/{}", card_id(gid));
    if page.is_empty() { start } else { format!("{start}/{page}") }
}

/// The path of a public address.
#[track_caller]
pub fn path_of(public: &str) -> String {
    public.strip_prefix(PUBLIC_BASE).unwrap_or_else(|| panic!("{public} is not below {PUBLIC_BASE}")).to_owned()
}

pub fn attribute(tag: &str, name: &str) -> String {
    let value = tag.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
