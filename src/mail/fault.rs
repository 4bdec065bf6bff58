//! Whose fault a refusal of the mail server is (decisions S10a): of this mail, or of the service itself.
//!
//! `SMTP_URL` names one server, which relays every mail. It refuses the service (its address, EHLO, password or sender) at any
//! stage: Postfix, for example, answers a wrong sender and a client without permission only at RCPT. So the stage decides first,
//! then the enhanced status code (RFC 3463), and without one the reply code (RFC 5321, section 4.2.3). The text of an answer
//! decides nothing.

use super::ServerAnswer;

/// The stage of a mail transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The greeting, EHLO, STARTTLS and AUTH.
    Connection,
    /// MAIL FROM.
    Sender,
    /// RCPT TO.
    Recipient,
    /// DATA and the message.
    Content,
}

/// The consequence of a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No retry can succeed: the recipient or the mail is refused for good.
    Final,
    /// This recipient does not take the mail at the moment.
    Recipient,
    /// The mail server refuses the service, or cannot be reached: no mail leaves until the operator or the server mends it.
    Server,
}

/// Returns whose fault an answer of 4xx or 5xx is.
pub(super) fn fault(stage: Stage, answer: &ServerAnswer) -> Fault {
    match concerns_mail(stage, answer.code, enhanced_status(&answer.text)) {
        false => Fault::Server,
        true if answer.code < 500 => Fault::Recipient,
        true => Fault::Final,
    }
}

/// Returns whether an answer is about this recipient or this message.
fn concerns_mail(stage: Stage, code: u16, status: Option<(u16, u16)>) -> bool {
    /// Reply codes that name the mailbox: unavailable, not local, over its quota, not allowed, a domain without mail (RFC 7504).
    const MAILBOX: [u16; 5] = [550, 551, 552, 553, 556];
    let is_temporary = (450..=452).contains(&code);
    match (stage, status) {
        (Stage::Connection | Stage::Sender, _) => false,
        _ if code == 421 => false,      // the server closes the connection
        (_, Some((1, 7 | 8))) => false, // the sender's address
        // The recipient's address, its mailbox, the way to its domain, the contents; the size of the message.
        (_, Some((1 | 2 | 4 | 6, _) | (3, 4))) => true,
        (_, Some((3, _))) => false, // the mail server itself
        // A list that refuses senders; a mailbox or domain with another owner (RFC 7293).
        (_, Some((7, 2 | 17 | 18))) => true,
        (_, Some((7, _))) => is_temporary, // a policy; in time a greylist lets the mail pass
        // Undefined, a matter of the protocol, or no enhanced status code.
        (Stage::Recipient, _) => is_temporary || MAILBOX.contains(&code),
        (Stage::Content, _) => is_temporary || code == 552, // 550 and 554 are policies here
    }
}

/// Returns subject and detail of the enhanced status code at the start of an answer (RFC 2034).
fn enhanced_status(text: &str) -> Option<(u16, u16)> {
    let mut parts = text.split_whitespace().next()?.split('.');
    let (class, subject, detail) = (parts.next()?, parts.next()?, parts.next()?);
    let is_code = matches!(class, "4" | "5") && parts.next().is_none();
    Some((subject.parse().ok()?, detail.parse().ok()?)).filter(|_| is_code)
}

#[cfg(test)]
mod tests {
    use super::Fault::{Final, Recipient as Later, Server};
    use super::Stage::{Connection, Content, Recipient, Sender};
    use super::*;

    /// Answers as servers give them, with their source, and whose fault they are.
    #[test]
    fn fault_follows_stage_enhanced_code_and_reply_code() {
        for (stage, code, text, expected) in [
            // The connection: RFC 5321, section 4.3.2 (554, 504, 550), RFC 3207 (454), RFC 4954 (535, 534, 454, 530).
            (Connection, 554, "5.7.1 no service for you", Server),
            (Connection, 421, "4.3.2 too many connections", Server),
            (Connection, 504, "5.5.2 <[127.0.0.1]>: Helo command rejected: need fully-qualified hostname", Server),
            (Connection, 550, "HELO argument rejected", Server),
            (Connection, 454, "4.7.0 TLS not available due to local problem", Server),
            (Connection, 535, "5.7.8 authentication failed", Server),
            (Connection, 534, "5.7.9 Application-specific password required", Server),
            (Connection, 454, "4.7.0 Temporary authentication failure", Server),
            (Connection, 550, "5.1.1 even this", Server),
            // MAIL FROM.
            (Sender, 530, "5.7.1 Authentication required", Server),
            (Sender, 530, "5.7.0 Must issue a STARTTLS command first", Server),
            (Sender, 553, "5.7.1 Sender address rejected: not owned by user", Server),
            (Sender, 550, "5.1.0 Sender denied", Server),
            (Sender, 552, "5.3.4 Message size exceeds fixed limit", Server),
            (Sender, 452, "4.3.1 Insufficient system storage", Server),
            (Sender, 451, "4.1.8 Domain of sender address does not resolve", Server),
            // RCPT: the recipient.
            (Recipient, 550, "5.1.1 nobody of that name", Final),
            (Recipient, 501, "5.1.3 Bad recipient address syntax", Final),
            (Recipient, 556, "5.1.10 Recipient address has null MX", Final),
            (Recipient, 550, "5.2.1 mailbox disabled", Final),
            (Recipient, 552, "5.2.2 mailbox full", Final),
            (Recipient, 550, "5.4.1 Recipient address rejected: Access denied", Final), // Exchange Online: nobody of that name
            (Recipient, 550, "5.4.4 Host or domain name not found", Final),
            (Recipient, 550, "5.5.0 mailbox unavailable", Final), // Hotmail
            (Recipient, 550, "5.7.17 Mailbox owner has changed", Final), // RFC 7293
            (Recipient, 550, "Unrouteable address", Final),       // Exim gives no enhanced code
            (Recipient, 551, "User not local", Final),
            (Recipient, 553, "Mailbox name not allowed", Final),
            (Recipient, 452, "4.2.2 mailbox full", Later),
            (Recipient, 450, "4.2.0 Greylisted", Later),
            (Recipient, 451, "4.7.1 Greylisting in action", Later),
            (Recipient, 451, "Greylisted, try again", Later), // Exim
            (Recipient, 450, "4.1.2 Domain not found", Later),
            // RCPT: the service, as Postfix says by default (smtpd_delay_reject).
            (Recipient, 554, "5.7.1 <x@y.example>: Relay access denied", Server),
            (Recipient, 454, "4.7.1 <x@y.example>: Relay access denied", Server), // defer_unauth_destination
            (Recipient, 554, "5.7.1 Service unavailable; Client host blocked using a list", Server),
            (Recipient, 553, "5.7.1 Sender address rejected: not logged in", Server),
            (Recipient, 550, "5.1.8 Sender address rejected: Domain not found", Server),
            (Recipient, 450, "4.1.8 Sender address rejected: Domain not found", Server),
            (Recipient, 501, "5.1.7 Bad sender address syntax", Server),
            (Recipient, 504, "5.5.2 Helo command rejected: need fully-qualified hostname", Server),
            (Recipient, 550, "5.7.23 SPF validation failed", Server),
            (Recipient, 530, "5.7.0 Must issue a STARTTLS command first", Server),
            (Recipient, 530, "Authentication required", Server),
            (Recipient, 554, "relay access denied", Server),
            (Recipient, 503, "5.5.1 MAIL first", Server),
            (Recipient, 451, "4.3.0 Temporary lookup failure", Server),
            (Recipient, 451, "4.3.5 Server configuration error", Server),
            (Recipient, 421, "4.7.0 Too many errors", Server),
            // The message.
            (Content, 552, "5.3.4 Message too big", Final),
            (Content, 552, "Exceeded storage allocation", Final),
            (Content, 554, "5.6.0 Malformed message", Final),
            (Content, 550, "5.1.1 nobody of that name", Final), // a filter that asks after the data
            (Content, 452, "4.2.2 mailbox full", Later),
            (Content, 451, "Local error in processing", Later),
            (Content, 554, "5.7.1 this is not wanted", Server),
            (Content, 550, "5.7.60 Client does not have permissions to send as this sender", Server), // Exchange Online
            (Content, 554, "Message rejected: Email address is not verified.", Server),               // Amazon SES
            (Content, 550, "The from address does not match a verified Sender Identity", Server),     // SendGrid
            (Content, 554, "5.5.1 no valid recipients", Server),
            (Content, 451, "4.3.0 queue file write error", Server),
            // No enhanced code: a number of another kind at the start.
            (Recipient, 550, "5.7 not a code", Final),
            (Recipient, 550, "192.0.2.1 is known", Final),
            (Recipient, 550, "", Final),
        ] {
            let answer = ServerAnswer { code, text: text.to_owned() };
            assert_eq!(fault(stage, &answer), expected, "{stage:?} {code} {text}");
        }
    }
}
