//! A complete mail and its message format (RFC 5322, RFC 2046).

use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};
use uuid::Uuid;

use super::MailError;
use crate::base::{Timestamp, email_address, limits};

/// The content id of the picture of a mail: its HTML shows `cid:omslag` (RFC 2392).
pub const PICTURE_ID: &str = "omslag";

/// The longest line of a header with an encoded word (RFC 2047, section 2).
const HEADER_LINE_CHARS_MAX: usize = 76;

/// A mail to one recipient, as plain text and as HTML.
#[derive(Clone, PartialEq, Eq)]
pub struct Email {
    /// The id of the queued mail, used in the Message-ID so that a mail that is sent twice can be recognised.
    pub id: Uuid,
    pub at: Timestamp,
    /// The display name of the sender, if it is not the name of the service. The address of the sender is always the service's.
    pub from_name: Option<String>,
    /// The address for answers, if they do not go to the service.
    pub reply_to: Option<String>,
    pub to_name: Option<String>,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// A JPEG that the HTML shows as [`PICTURE_ID`].
    pub picture: Option<Bytes>,
}

impl std::fmt::Debug for Email {
    /// Prints the id only: the output may be logged.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Email").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Email {
    pub(super) fn into_message(self, sender: &Mailbox) -> Result<Message, MailError> {
        let address = parse_address(&self.to).ok_or(MailError::BadAddress)?;
        // A line break in a name would start another header. A long name is left out.
        let fits = |name: &String| (1..=limits::MAIL_HEADER_NAME_CHARS_MAX).contains(&name.chars().count());
        let one_line_name = |name: Option<String>| name.map(|name| one_line(&name)).filter(fits);
        let from = Mailbox::new(one_line_name(self.from_name).or(sender.name.clone()), sender.email.clone());
        let parts = MultiPart::alternative().singlepart(SinglePart::plain(self.text));
        let html = SinglePart::html(self.html);
        let parts = match self.picture {
            Some(picture) => {
                let jpeg = ContentType::parse("image/jpeg").map_err(|error| MailError::Malformed(error.into()))?;
                let picture = Attachment::new_inline(PICTURE_ID.to_owned()).body(picture.to_vec(), jpeg);
                parts.multipart(MultiPart::related().singlepart(html).singlepart(picture))
            }
            None => parts.singlepart(html),
        };
        let sent = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.at.millis()).unwrap_or(0));
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted"); // RFC 3834: prevents automatic replies
        let reply_to = self.reply_to.and_then(|address| parse_address(&address));
        let message = Message::builder();
        let message = match reply_to {
            Some(address) => message.reply_to(Mailbox::new(None, address)),
            None => message,
        };
        message
            .from(from)
            .to(Mailbox::new(one_line_name(self.to_name), address))
            .subject(one_line(&self.subject))
            .date(sent)
            .message_id(Some(format!("<{}@{}>", self.id, sender.email.domain())))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .multipart(parts)
            .map_err(|error| MailError::Malformed(error.into()))
    }
}

/// Returns a message as it is sent. A line with an encoded name has at most 76 characters (RFC 2047, section 2): the address behind it
/// is on the next one.
pub(super) fn format(message: &Message) -> Vec<u8> {
    let text = String::from_utf8(message.formatted()).expect("a mail is ASCII");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let fold = |line: &str| match line.len() > HEADER_LINE_CHARS_MAX {
        true => line.replacen("?= <", "?=\r\n <", 1),
        false => line.to_owned(),
    };
    let head: Vec<_> = head.split("\r\n").map(fold).collect();
    [&head.join("\r\n"), "\r\n\r\n", body].concat().into_bytes()
}

/// Parses an address, with its domain in ASCII: of another one the envelope and the headers need SMTPUTF8 (RFC 6531).
pub(super) fn parse_address(address: &str) -> Option<Address> {
    email_address::to_ascii(address)?.parse().ok()
}

/// Replaces control characters, line breaks among them, with spaces.
fn one_line(text: &str) -> String {
    let blanks = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(blanks).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Mailer, mailbox};

    fn email() -> Email {
        Email {
            id: Uuid::nil(),
            at: Timestamp::from_millis(1_794_299_400_000).expect("a timestamp"),
            from_name: None,
            reply_to: None,
            to_name: Some("Pieter van der Meer".to_owned()),
            to: "pieter@voorbeeld.nl".to_owned(),
            subject: "Uw bestelling".to_owned(),
            text: "Geachte heer, 😊".to_owned(),
            html: "<p>Geachte heer,</p>".to_owned(),
            picture: None,
        }
    }

    fn wire(email: Email) -> String {
        let sender = "Gedenkkaart <post@kaarten.example>".parse().expect("a sender");
        String::from_utf8(format(&email.into_message(&sender).expect("a message"))).expect("a mail is ASCII")
    }

    #[test]
    fn email_has_two_parts_and_the_headers_of_an_automatic_mail() {
        let wire = wire(email());
        for line in [
            "From: Gedenkkaart <post@kaarten.example>\r\n",
            "<pieter@voorbeeld.nl>\r\n",
            "Message-ID: <00000000-0000-0000-0000-000000000000@kaarten.example>\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "Date: Tue, 10 Nov 2026 08:30:00 +0000\r\n",
            "Content-Type: multipart/alternative;",
            "Content-Type: text/plain; charset=utf-8\r\n",
            "Content-Type: text/html; charset=utf-8\r\n",
        ] {
            assert!(wire.contains(line), "{line}\n{wire}");
        }
    }

    #[test]
    fn name_and_subject_cannot_add_a_header() {
        let evil = "Aal\r\nBcc: ander@voorbeeld.nl\r\n\r\n<p>".to_owned();
        let wire = wire(Email { from_name: Some(evil.clone()), to_name: Some(evil.clone()), subject: evil, ..email() });
        let head = wire.split("\r\n\r\n").next().expect("a head");
        assert!(!head.lines().any(|line| line.to_ascii_lowercase().starts_with("bcc")), "{head}");
    }

    #[test]
    fn email_of_a_family_has_its_name_and_shows_its_picture() {
        let from_name = Some("Els de Vries via Gedenkkaart".to_owned());
        let wire = wire(Email { from_name, picture: Some(Bytes::from_static(b"\xFF\xD8\xFF")), ..email() });
        for line in [
            "From: \"Els de Vries via Gedenkkaart\" <post@kaarten.example>\r\n",
            "Content-Type: multipart/related;",
            "Content-ID: <omslag>\r\n",
            "Content-Disposition: inline\r\n",
            "Content-Type: image/jpeg\r\n",
        ] {
            assert!(wire.contains(line), "{line}\n{wire}");
        }
    }

    #[test]
    fn name_too_long_for_a_header_is_left_out() {
        let longest = "n".repeat(limits::MAIL_HEADER_NAME_CHARS_MAX);
        for (name, is_there) in [(longest.clone(), true), (longest + "n", false)] {
            let wire = wire(Email { from_name: Some(name.clone()), to_name: Some(name), ..email() });
            assert_eq!(wire.contains("nnnnnnnnnn"), is_there, "{wire}");
            assert!(
                wire.contains("<pieter@voorbeeld.nl>\r\n") || wire.contains("To: pieter@voorbeeld.nl\r\n"),
                "{wire}"
            );
            assert_eq!(wire.contains("From: Gedenkkaart <post@kaarten.example>\r\n"), !is_there, "{wire}");
        }
    }

    #[test]
    fn line_of_a_header_has_at_most_76_characters() {
        for name in ["é".repeat(20), "Zoë van der Meer-Schimmelpenninck".to_owned(), "王".repeat(40), "n".repeat(60)]
        {
            let from_name = Some(format!("{name} via Gedenkkaart"));
            let wire = wire(Email { from_name, to_name: Some(name.clone()), subject: name.repeat(2), ..email() });
            let head = wire.split("\r\n\r\n").next().expect("a head");
            let long = head.split("\r\n").find(|line| line.contains("=?") && line.len() > 76);
            assert!(long.is_none() && head.contains("<post@kaarten.example>\r\n"), "{long:?}: {head}");
            assert!(head.split("\r\n").all(|line| line.len() <= 998), "{head}");
        }
    }

    #[test]
    fn sender_is_one_address_that_can_be_delivered_to() {
        for (sender, header) in [
            ("post@x.nl", "From: post@x.nl\r\n"),
            ("Gedenkkaart <post@x.nl>", "From: Gedenkkaart <post@x.nl>\r\n"),
            ("Jansen & Zn. <post@x.nl>", "From: =?utf-8?b?SmFuc2VuICYgWm4u?= <post@x.nl>\r\n"),
            ("\"Jansen, Uitvaart\" <post@x.nl>", "From: =?utf-8?b?SmFuc2VuLCBVaXR2YWFydA==?= <post@x.nl>\r\n"),
            ("Kaart <post@münchen.de>", "From: Kaart <post@xn--mnchen-3ya.de>\r\n"),
        ] {
            assert!(Mailer::is_sender(sender), "{sender}");
            let mailbox = mailbox(sender).expect(sender);
            let wire = String::from_utf8(format(&email().into_message(&mailbox).expect(sender))).expect("ASCII");
            assert!(wire.contains(header), "{sender}: {wire}");
        }
        for sender in
            ["", "Kaart", "Jansen, Uitvaart <post@x.nl>", "a@x.nl, b@x.nl", "<a@x.nl> <b@x.nl>", "Kaart <post@x>"]
        {
            assert!(!Mailer::is_sender(sender), "{sender}");
        }
    }

    #[test]
    fn invalid_address_is_refused_and_not_repeated() {
        for to in
            ["", "geen adres", "a@b@c", "a@b.nl\r\nBcc: c@d.nl", "a@b.nl, c@d.nl", "\"a@b\"@c.nl", "zoë@voorbeeld.nl"]
        {
            let sender = "post@kaarten.example".parse().expect("a sender");
            let error = Email { to: to.to_owned(), ..email() }.into_message(&sender).expect_err(to);
            assert_eq!(error.fault(), crate::mail::Fault::Final, "{to}");
            assert!(to.is_empty() || !error.to_string().contains(to), "{error}");
        }
    }
}
