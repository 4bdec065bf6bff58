//! E-mail addresses: what is accepted can be delivered (decisions V4).
//!
//! The partner API, the forms, pasted lists, the settings and the commands accept an address with [`parse`] only, and the
//! mailer sends to its form of [`to_ascii`]. So a mail needs no server with SMTPUTF8 (RFC 6531), which few receivers have.

use url::Host;

use super::limits::EMAIL_CHARS_MAX;
use super::visible::{is_invisible, trim_invisible};

/// The longest local part, in octets (RFC 5321, section 4.5.3.1.1).
const LOCAL_PART_BYTES_MAX: usize = 64;

/// The longest label of a domain, in octets (RFC 1035, section 2.3.4).
const LABEL_BYTES_MAX: usize = 63;

/// Returns a bare address without blanks and invisible characters around it; `None` if no mail can be delivered to it.
///
/// The local part is a dot-atom in ASCII (RFC 5322, section 3.2.3). The domain is kept as it is written, and its ASCII form
/// has two labels or more of letters, digits and hyphens, the last of letters only or an A-label (RFC 5890, section 2.3.2.1).
pub fn parse(text: &str) -> Option<&str> {
    let address = trim_invisible(text);
    let (local, domain) = address.rsplit_once('@')?;
    // The mapping to ASCII drops invisible characters and decodes `%2E`.
    let is_written = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-') || is_visible_beyond_ascii(c);
    let ascii = domain_to_ascii(domain).filter(|_| domain.chars().all(is_written))?;
    let fits = local.len() + 1 + ascii.len() <= EMAIL_CHARS_MAX && address.chars().count() <= EMAIL_CHARS_MAX;
    (fits && is_dot_atom(local) && is_host_name(&ascii)).then_some(address)
}

/// Returns the form of an address that is sent: its domain as A-labels (RFC 5891, section 4.4). `None` if it has none.
///
/// It takes more than [`parse`], for addresses that earlier releases stored and for senders such as `noreply@localhost`.
pub fn to_ascii(address: &str) -> Option<String> {
    let (local, domain) = address.rsplit_once('@')?;
    let ascii = if domain.is_ascii() { domain.to_owned() } else { domain_to_ascii(domain)? };
    is_dot_atom(local).then(|| format!("{local}@{ascii}"))
}

/// The domains of most private mailboxes in the Netherlands and Belgium. A domain of this list is never taken for a mistake.
const COMMON_DOMAINS: [&str; 34] = [
    "aol.com",
    "casema.nl",
    "chello.nl",
    "email.com",
    "freedom.nl",
    "gmail.com",
    "gmx.net",
    "hetnet.nl",
    "home.nl",
    "hotmail.be",
    "hotmail.com",
    "hotmail.nl",
    "icloud.com",
    "kpnmail.nl",
    "kpnplanet.nl",
    "live.be",
    "live.com",
    "live.nl",
    "mail.com",
    "me.com",
    "msn.com",
    "online.nl",
    "outlook.com",
    "planet.nl",
    "proton.me",
    "quicknet.nl",
    "skynet.be",
    "solcon.nl",
    "telenet.be",
    "upcmail.nl",
    "xs4all.nl",
    "yahoo.com",
    "ymail.com",
    "ziggo.nl",
];

/// A shorter domain has too many neighbours that exist.
const MISTYPED_DOMAIN_BYTES_MIN: usize = 8;

/// Returns the address that was rather meant: a common domain that is one letter away, such as `gmail.com` for `gmial.com`.
pub fn likely(address: &str) -> Option<String> {
    let (local, domain) = address.rsplit_once('@')?;
    let domain = domain.to_ascii_lowercase();
    if COMMON_DOMAINS.contains(&domain.as_str()) {
        return None;
    }
    let is_meant = |common: &&str| {
        let is_long = common.len() >= MISTYPED_DOMAIN_BYTES_MIN;
        is_long && is_one_edit_away(domain.as_bytes(), common.as_bytes())
    };
    // Google has no other domain of this name.
    let google = domain.starts_with("gmail.").then_some("gmail.com");
    let meant = google.or_else(|| COMMON_DOMAINS.into_iter().find(is_meant))?;
    Some(format!("{local}@{meant}"))
}

/// Whether one letter was added, left out, replaced, or exchanged with the next one.
fn is_one_edit_away(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, rest @ ..], [same, others @ ..]) = (a, b)
        && first == same
    {
        (a, b) = (rest, others);
    }
    while let ([rest @ .., last], [others @ .., same]) = (a, b)
        && last == same
    {
        (a, b) = (rest, others);
    }
    match (a, b) {
        ([_], [] | [_]) | ([], [_]) => true,
        ([first, second], [third, fourth]) => first == fourth && second == third,
        _ => false,
    }
}

/// Returns a domain in ASCII (UTS #46, as browsers map it).
fn domain_to_ascii(domain: &str) -> Option<String> {
    match Host::parse(domain) {
        Ok(Host::Domain(ascii)) => Some(ascii),
        Ok(Host::Ipv4(_) | Host::Ipv6(_)) | Err(_) => None,
    }
}

fn is_visible_beyond_ascii(c: char) -> bool {
    // Persian domains have joiners; the mapping checks where.
    !c.is_ascii() && !c.is_whitespace() && (!is_invisible(c) || matches!(c, '\u{200c}' | '\u{200d}'))
}

fn is_dot_atom(local: &str) -> bool {
    let is_atom_text = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&c);
    local.len() <= LOCAL_PART_BYTES_MAX
        && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom_text))
}

fn is_host_name(ascii: &str) -> bool {
    let is_label = |label: &str| {
        (1..=LABEL_BYTES_MAX).contains(&label.len())
            && label.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_top =
        |label: &str| label.starts_with("xn--") || (label.len() >= 2 && label.bytes().all(|c| c.is_ascii_alphabetic()));
    ascii.split('.').all(is_label) && ascii.rsplit_once('.').is_some_and(|(_, last)| is_top(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written; the address that is stored; the address that is sent.
    const DELIVERABLE: [(&str, &str, &str); 17] = [
        ("jan@x.nl", "jan@x.nl", "jan@x.nl"),
        ("Jan.de-Vries+kaart@Sub.X.NL", "Jan.de-Vries+kaart@Sub.X.NL", "Jan.de-Vries+kaart@Sub.X.NL"),
        ("o'neil!#$%&*/=?^_`{|}~@x.nl", "o'neil!#$%&*/=?^_`{|}~@x.nl", "o'neil!#$%&*/=?^_`{|}~@x.nl"),
        ("info@bücher.example", "info@bücher.example", "info@xn--bcher-kva.example"), // RFC 3492, as browsers
        ("a@münchen.de", "a@münchen.de", "a@xn--mnchen-3ya.de"),
        ("a@MÜNCHEN.de", "a@MÜNCHEN.de", "a@xn--mnchen-3ya.de"), // UTS #46 maps to lower case
        ("a@faß.de", "a@faß.de", "a@xn--fa-hia.de"),             // RFC 5894, section 7.2: ß is a letter of its own
        ("a@例子.广告", "a@例子.广告", "a@xn--fsqu00a.xn--4rr70v"),
        ("a@кто.рф", "a@кто.рф", "a@xn--j1ail.xn--p1ai"),
        ("a@x。nl", "a@x。nl", "a@x.nl"), // RFC 3490, section 3.1: another full stop
        ("a@xn--mnchen-3ya.de", "a@xn--mnchen-3ya.de", "a@xn--mnchen-3ya.de"),
        (" jan@x.nl ", "jan@x.nl", "jan@x.nl"),
        ("\u{a0}jan@x.nl\u{3000}", "jan@x.nl", "jan@x.nl"),
        ("\u{200b}jan@x.nl\u{200b}", "jan@x.nl", "jan@x.nl"),
        ("\u{202a}jan@x.nl\u{202c}\r\n", "jan@x.nl", "jan@x.nl"),
        ("\u{feff}jan@x.nl\u{2800}", "jan@x.nl", "jan@x.nl"),
        ("1@1.co", "1@1.co", "1@1.co"),
    ];

    #[test]
    fn address_is_stored_as_written_and_sent_in_ascii() {
        for (text, stored, sent) in DELIVERABLE {
            assert_eq!(parse(text), Some(stored), "{text:?}");
            assert_eq!(to_ascii(stored).as_deref(), Some(sent), "{text:?}");
        }
        assert_eq!(to_ascii("noreply@localhost").as_deref(), Some("noreply@localhost"));
    }

    #[test]
    fn domain_one_letter_from_a_common_one_is_likely_a_mistake() {
        for (domain, meant) in [
            ("gmial.com", Some("gmail.com")),
            ("gmail.con", Some("gmail.com")),
            ("gmail.nl", Some("gmail.com")),
            ("GMAL.com", Some("gmail.com")),
            ("hotmail.cm", Some("hotmail.com")),
            ("hotmial.nl", Some("hotmail.nl")),
            ("ziggo.ml", Some("ziggo.nl")),
            ("outllook.com", Some("outlook.com")),
            ("gmail.com", None),
            ("mail.com", None),
            ("ymail.com", None),
            ("hotmail.nl", None),
            ("voorbeeld.nl", None),
            ("hope.nl", None), // one letter from home.nl
            ("uitvaart-noord.nl", None),
        ] {
            let meant = meant.map(|meant| format!("els@{meant}"));
            assert_eq!(likely(&format!("els@{domain}")), meant, "{domain}");
        }
        assert_eq!(likely(""), None);
    }

    #[test]
    fn address_that_cannot_be_delivered_is_refused() {
        let long = |local: usize, label: usize| format!("{}@{}.nl", "a".repeat(local), "b".repeat(label));
        let domain_of_251 = ["b".repeat(63), "c".repeat(63), "d".repeat(63), "e".repeat(56), "nl".to_owned()].join(".");
        assert!(parse(&long(64, 63)).is_some());
        for text in [
            "",
            " ",
            "jan",
            "jan@",
            "@x.nl",
            "jan@x",
            "jan@x.",
            "jan@.nl",
            "jan@x..nl",
            "jan@x.nl.",
            "a@b@x.nl",
            "jan@@x.nl",
            ".jan@x.nl",
            "jan.@x.nl",
            "j..n@x.nl",
            "jan de vries@x.nl",
            "jan@x .nl",
            "jan@x.nl, piet@x.nl",
            "jan;piet@x.nl",
            "Jan <jan@x.nl>",
            "<jan@x.nl>",
            "(jan)@x.nl",
            "jan@x.nl\nBcc: piet@x.nl",
            "mailto:jan@x.nl",
            "jan:x@x.nl",
            // Quoted local parts (RFC 5321, section 4.1.2), which nobody types and forms in HTML refuse.
            "\"a@b\"@x.nl",
            "\"a.b\"@x.nl",
            "\"a b\"@x.nl",
            "\"a\\\"b\"@x.nl",
            "\"\"@x.nl",
            // They need SMTPUTF8.
            "zoë@x.nl",
            "ü@a.nl",
            "用户@例子.广告",
            // No host name (RFC 5321, section 4.1.2; RFC 1123, section 2.1).
            "jan@x.nl?subject=hoi",
            "jan@x.nl#a",
            "jan@x.nl/a",
            "jan@gmail_com.nl",
            "jan@x=y.nl",
            "jan@x.123",
            "jan@1.2.3.4",
            "jan@[1.2.3.4]",
            "jan@x.n",
            "jan@x.n1",
            "jan@-x.nl",
            "jan@x-.nl",
            "jan@x%2enl",
            "jan@x.nl:25",
            "jan@xn--.nl",
            "jan@xn--a.nl",
            "jan@*.nl",
            "ja\u{200b}n@x.nl",
            "jan@x\u{200b}y.nl",
            "jan@x\u{ad}y.nl",
            "jan@x\u{202e}y.nl",
            "jan@x\u{fe0f}.nl",
            "ja\0n@x.nl",
            &long(65, 3),
            &long(1, 64),
            &format!("jan@{domain_of_251}"),
            &format!("jan@{}.nl", "äöüé".repeat(14)), // an A-label over 63 octets
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        // Stored by earlier releases.
        for text in ["\"a@b\"@x.nl", "zoë@x.nl", "jan@münchen de", ""] {
            assert_eq!(to_ascii(text), None, "{text:?}");
        }
    }
}
