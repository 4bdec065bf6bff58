//! Every mistake that is known is made, and has to be found.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;
use crate::base::Entropy;
use crate::webhook::signature::sign;

const ID: &str = "evt_01JD0000000000000000000000";
const SIGNED_AT: i64 = 1_732_044_535;
const TIMESTAMP: &str = "1732044535";
/// With all that libraries write differently: a slash, a letter beyond ASCII, an apostrophe, fields in no alphabet.
const BODY: &str = concat!(
    r#"{"id":"evt_01JD0000000000000000000000","type":"cards/ordered","sequence":3,"test":false,"#,
    r#""changedFields":["status"],"data":{"card":{"id":"gid://service/Card/1","externalDossierId":"Één d'A","cardUrl":null}}}"#
);

fn secret() -> SigningSecret {
    SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").expect("the vector is valid")
}

fn genuine() -> String {
    sign(&[secret()], ID, SIGNED_AT, BODY.as_bytes())
}

fn found(received: &SignedRequest<'_>, now: Option<i64>) -> Vec<(Part, String)> {
    inspect(&secret(), received, now).into_iter().map(|finding| (finding.part, finding.message)).collect()
}

/// Asserts that the notification differs in this way alone, and that the plain check agrees that it does.
#[track_caller]
fn differs(received: SignedRequest<'_>, difference: Difference) {
    let told = crate::webhook::signature::verify(&[secret()], &received, SIGNED_AT);
    assert!(told.is_err(), "{difference:?} fits all the same");
    assert_eq!(found(&received, None), [(difference.part(), difference.to_string())]);
}

#[test]
fn genuine_notification_has_no_findings() {
    let signature = genuine();
    let received = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &signature, body: BODY.as_bytes() };
    assert_eq!(found(&received, Some(SIGNED_AT)), []);
    assert_eq!(inspect_own(&secret(), &received, &signature), []);
    assert_eq!(inspect_own(&secret(), &received, signature.trim_start_matches("v1,")), []);
}

#[test]
fn body_that_was_changed_on_the_way_is_told_how() {
    use BodyDifference::*;
    let signature = genuine();
    let spaced = BODY.replace(':', ": ").replace(',', ", ").replace("gid: //", "gid://");
    let sorted = concat!(
        r#"{"changedFields":["status"],"data":{"card":{"cardUrl":null,"externalDossierId":"Één d'A","id":"gid://service/Card/1"}},"#,
        r#""id":"evt_01JD0000000000000000000000","sequence":3,"test":false,"type":"cards/ordered"}"#
    );
    let php = BODY.replace('/', "\\/").replace('É', "\\u00c9").replace('é', "\\u00e9");
    let mojibake: String = BODY.bytes().map(char::from).collect();
    for (body, difference) in [
        (format!("{BODY}\n"), LineBreakAdded),
        (format!("{BODY}\r\n"), LineBreakAdded),
        (format!(" {BODY}"), SpaceAround),
        (format!("\u{feff}{BODY}"), ByteOrderMark),
        (spaced, Spacing),
        (php.clone(), Escapes),
        (format!("{php}\n"), Escapes),
        (mojibake, Charset),
    ] {
        let received = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &signature, body: body.as_bytes() };
        differs(received, Difference::Body(difference));
    }
    // The order of the fields is told where the documented one was signed.
    let documented = sign(&[secret()], ID, SIGNED_AT, documented().as_bytes());
    let received = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &documented, body: sorted.as_bytes() };
    differs(received, Difference::Body(Order));
}

/// The body with its fields in the order of the documentation.
fn documented() -> String {
    concat!(
        r#"{"id":"evt_01JD0000000000000000000000","type":"cards/ordered","test":false,"sequence":3,"changedFields":["status"],"#,
        r#""data":{"card":{"id":"gid://service/Card/1","externalDossierId":"Één d'A","cardUrl":null}}}"#
    )
    .to_owned()
}

#[test]
fn header_of_another_request_is_told() {
    let signature = genuine();
    let whole = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &signature, body: BODY.as_bytes() };
    differs(SignedRequest { id: " evt_01JD0000000000000000000000", ..whole }, Difference::IdSpace);
    differs(SignedRequest { id: "evt_01JD0000000000000000000009", ..whole }, Difference::IdOfBody(ID.to_owned()));
    differs(SignedRequest { timestamp: "1732044535\r", ..whole }, Difference::TimestampSpace);
    differs(SignedRequest { timestamp: "1732044535000", ..whole }, Difference::TimestampUnit(SIGNED_AT));
    differs(SignedRequest { timestamp: "1732041000", ..whole }, Difference::TimestampOther(SIGNED_AT));
}

#[test]
fn two_mistakes_at_once_are_both_told() {
    let signature = genuine();
    let body = format!("{BODY}\n");
    let received =
        SignedRequest { id: "evt_1", timestamp: "1732044535000", signature: &signature, body: body.as_bytes() };
    let parts: Vec<_> = found(&received, Some(SIGNED_AT)).into_iter().map(|(part, _)| part).collect();
    assert_eq!(parts, [Part::Id, Part::Timestamp, Part::Body, Part::Timestamp]);
}

#[test]
fn mistake_of_the_receivers_own_code_is_told() {
    let signature = genuine();
    let received = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &signature, body: BODY.as_bytes() };
    let text = secret().reveal();
    let own = |key: &[u8], before: &[&str], body: &str| STANDARD.encode(mac(key, before, body.as_bytes()));
    let (key, right) = (secret().key().to_vec(), [ID, ".", TIMESTAMP, "."]);
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(BODY).unwrap()).unwrap();
    for (computed, part) in [
        (own(text.as_bytes(), &right, BODY), Part::Secret),
        (own(&text.as_bytes()[6..], &right, BODY), Part::Secret),
        (own(&key, &[TIMESTAMP, "."], BODY), Part::Content),
        (own(&key, &[ID, "."], BODY), Part::Content),
        (own(&key, &[ID, TIMESTAMP], BODY), Part::Content),
        (own(&key, &[], BODY), Part::Content),
        (own(&key, &right, ""), Part::Body),
        (own(&key, &right, &format!("{BODY}\n")), Part::Body),
        (own(&key, &right, &pretty), Part::Body),
        (own(&key, &right, "something else"), Part::Unknown),
        ("hello".to_owned(), Part::Header),
    ] {
        let findings = inspect_own(&secret(), &received, &computed);
        assert!(findings.iter().any(|finding| finding.part == part), "{part:?}: {findings:?}");
    }
    let hexadecimal: String = mac(&key, &right, BODY.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    let findings = inspect_own(&secret(), &received, &hexadecimal);
    assert_eq!(findings.iter().map(|f| f.part).collect::<Vec<_>>(), [Part::Header], "{findings:?}");
}

#[test]
fn secret_of_somebody_else_is_told_to_be_unknown() {
    let stranger = SigningSecret::generate(&Entropy::seeded(1));
    let signature = sign(&[stranger], ID, SIGNED_AT, BODY.as_bytes());
    let received = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &signature, body: BODY.as_bytes() };
    assert_eq!(found(&received, Some(SIGNED_AT))[0].0, Part::Unknown);
    let nothing = SignedRequest { body: b"", ..received };
    assert_eq!(found(&nothing, Some(SIGNED_AT))[0].0, Part::Body);
}

#[test]
fn age_is_told_beside_the_rest_and_only_when_asked() {
    let signature = genuine();
    let received = SignedRequest { id: ID, timestamp: TIMESTAMP, signature: &signature, body: BODY.as_bytes() };
    assert_eq!(found(&received, None), []);
    for (now, said) in [(SIGNED_AT + 7_200, "2 hours old"), (SIGNED_AT - 301, "5 minutes ahead")] {
        let findings = found(&received, Some(now));
        assert!(matches!(&findings[..], [(Part::Timestamp, message)] if message.contains(said)), "{findings:?}");
    }
    let strange = SignedRequest { timestamp: "soon", ..received };
    assert!(found(&strange, Some(SIGNED_AT)).iter().any(|(part, _)| *part == Part::Timestamp));
}

#[test]
fn header_without_a_signature_is_told_and_nothing_else_is_guessed() {
    let received = SignedRequest { id: "", timestamp: TIMESTAMP, signature: "v1,AAAA", body: BODY.as_bytes() };
    let parts: Vec<_> = found(&received, None).into_iter().map(|(part, _)| part).collect();
    assert_eq!(parts, [Part::Header, Part::Header]);
}
