//! The letters: the mails to families and invitees, each rendered as plain text and as HTML (decisions S10).
//!
//! Called by the mail worker with the data of a mail. A letter is a list of blocks, from which `render` makes both parts.

mod render;

use bytes::Bytes;
use chrono::NaiveDate;
use uuid::Uuid;

use self::render::Letter;
use crate::base::Timestamp;
use crate::drawing::look_of;
use crate::mail::Email;
use crate::model::{Farewell, LeadIn, OrderNumber, Partner, Price, clean_name};
use crate::text::{card, date, mail as text};

/// The recipient of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recipient {
    /// The name in the greeting.
    pub name: Option<String>,
    /// The address; for a test card the partner's test address.
    pub email: String,
    pub test: bool,
}

/// The data of every mail.
pub(crate) struct Envelope {
    pub id: Uuid,
    pub at: Timestamp,
    pub to: Recipient,
    /// The contact at the end of the mail.
    pub partner: Partner,
    pub about: About,
}

/// The card that a mail is about: the top of the mail.
#[derive(Default)]
pub(crate) struct About {
    pub lead_in: LeadIn,
    /// The name of the deceased.
    pub deceased: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    /// The cover of the theme, a JPEG. It is part of the mail, because mail programs show pictures of other addresses only
    /// after a question, and because fetching them would tell when a mail is read.
    pub cover: Option<Bytes>,
    pub colours: Colours,
}

/// The colours and fonts of a letter, from the theme of its card. The sheet is white in all of them.
pub(crate) struct Colours {
    paper: &'static str,
    accent: &'static str,
    fonts: &'static str,
}

impl Default for Colours {
    fn default() -> Self {
        Self::for_theme(None)
    }
}

impl Colours {
    /// The colours of the theme with this handle.
    pub(crate) fn for_theme(theme: Option<&str>) -> Self {
        let look = look_of(theme);
        let is_dark = look.scheme == "dark";
        let is_sans = look.family.starts_with("Jost") || look.family.starts_with("Alegreya");
        Self {
            paper: look.frame,
            accent: if is_dark { look.frame } else { look.accent },
            fonts: if is_sans { "'Segoe UI',Roboto,Arial,sans-serif" } else { "Georgia,'Times New Roman',serif" },
        }
    }
}

/// The data of the order mail.
pub(crate) struct Order {
    pub number: OrderNumber,
    pub ordered: NaiveDate,
    pub price: Price,
    /// The funeral organisation, which sells the card.
    pub partner: String,
    /// The address of the card, if it is online.
    pub card: Option<String>,
    pub by_invitation: bool,
    pub invitee_list: String,
    pub invitee_list_until: NaiveDate,
}

enum Block {
    Words(String),
    /// A button; what a letter asks for.
    Button {
        label: &'static str,
        address: String,
    },
    /// A link beside it.
    Link {
        label: &'static str,
        address: String,
    },
    /// The words of a family, which keep their lines.
    Quote(String),
    /// Day, hour, place and address of the farewell, each a line.
    Farewell(Vec<String>),
}

/// Renders the order mail: what was ordered, when, from whom and at what price, the address of the card, and the invitee list.
pub(crate) fn order(envelope: Envelope, order: Order) -> Email {
    let of = clean_optional_name(envelope.about.deceased.as_deref());
    let of = of.as_deref();
    let mut blocks = vec![
        words(text::order_received(of)),
        words(text::ordered(&date::in_full(order.ordered), &order.partner)),
        words(text::price(order.price, &order.partner, envelope.to.test)),
        words(text::order_number(order.number.as_str())),
    ];
    blocks.extend(match &order.card {
        Some(address) => where_it_is(address, order.by_invitation),
        None => vec![words(text::CARD_FOLLOWS)],
    });
    blocks.push(words(text::LIST));
    blocks.push(Block::Button { label: text::OPEN_LIST, address: order.invitee_list });
    blocks.push(words(text::list_until(&date::in_full(order.invitee_list_until))));
    let end = End::of_service();
    write(envelope, text::order_subject(of), &blocks, &end)
}

/// Renders the mail that follows an order mail without the address of the card.
pub(crate) fn card_online(envelope: Envelope, card: &str, by_invitation: bool) -> Email {
    let of = clean_optional_name(envelope.about.deceased.as_deref());
    let of = of.as_deref();
    let mut blocks = vec![words(text::online(of))];
    blocks.extend(where_it_is(card, by_invitation));
    write(envelope, text::online_subject(of), &blocks, &End::of_service())
}

/// The data of an invitation.
pub(crate) struct Invitation<'a> {
    /// The family contact.
    pub by: Option<&'a str>,
    /// The message of the family to its invitees.
    pub note: Option<&'a str>,
    /// The address of the family contact, if it gets the answers.
    pub reply_to: Option<String>,
    /// The funeral organisation, whom a recipient can contact to stop the mails.
    pub partner: &'a str,
    pub link: &'a str,
    pub farewell: &'a Farewell,
    /// The address of the farewell for calendars.
    pub calendar: String,
}

/// Renders an invitation with the invitee's personal link.
pub(crate) fn invitation(envelope: Envelope, invitation: Invitation<'_>) -> Email {
    let of = clean_optional_name(envelope.about.deceased.as_deref());
    let by = clean_optional_name(invitation.by);
    let mut blocks = vec![words(text::invitation(of.as_deref(), by.as_deref()))];
    let farewell = farewell_lines(invitation.farewell);
    if let Some(note) = invitation.note {
        blocks.extend([words(text::note_of(by.as_deref())), Block::Quote(note.to_owned())]);
    }
    blocks.push(Block::Button { label: text::OPEN_CARD, address: invitation.link.to_owned() });
    if !farewell.is_empty() {
        blocks.push(Block::Farewell(farewell));
    }
    if invitation.farewell.date.is_some() {
        blocks.push(Block::Link { label: card::CALENDAR, address: invitation.calendar });
    }
    blocks.extend([words(text::PERSONAL_LINK), words(text::why_invited(by.as_deref(), invitation.partner))]);
    let reply_to = invitation.reply_to.filter(|_| !envelope.to.test);
    let answer = match reply_to {
        Some(_) => text::answer_goes_to(by.as_deref()),
        None => text::ANSWER_FAMILY.to_owned(),
    };
    let end = End { closing: vec![text::family_of(by.as_deref())], answer };
    let subject = text::invitation_subject(envelope.about.lead_in, of.as_deref());
    let email = write(envelope, subject, &blocks, &end);
    Email { from_name: by.as_deref().map(text::sender), reply_to, ..email }
}

/// The parts below the blocks.
struct End {
    closing: Vec<String>,
    /// The text about answers.
    answer: String,
}

impl End {
    fn of_service() -> Self {
        Self { closing: vec![text::CLOSING.to_owned(), text::SIGNATURE.to_owned()], answer: text::AUTOMATIC.to_owned() }
    }
}

fn farewell_lines(farewell: &Farewell) -> Vec<String> {
    let day = farewell.date.map(|day| {
        let hour = date::hour(farewell).map(|hour| format!(" {hour}")).unwrap_or_default();
        format!("{} {}{hour}", date::weekday(day), date::in_full(day))
    });
    let texts = [&farewell.place, &farewell.address].into_iter().flatten().flat_map(|text| text.lines());
    day.into_iter().chain(texts.map(str::to_owned)).collect()
}

/// Returns a name as one line; `None` if it is empty.
fn clean_optional_name(name: Option<&str>) -> Option<String> {
    name.map(clean_name).filter(|name| !name.is_empty())
}

fn where_it_is(card: &str, by_invitation: bool) -> Vec<Block> {
    let story = if by_invitation { text::CARD_BY_INVITATION } else { text::CARD_IS_ONLINE };
    vec![words(story), Block::Button { label: text::OPEN_CARD, address: card.to_owned() }]
}

fn words(text: impl Into<String>) -> Block {
    Block::Words(text.into())
}

fn write(envelope: Envelope, subject: String, blocks: &[Block], end: &End) -> Email {
    let Envelope { id, at, to, partner, about } = envelope;
    let partner = text::partner(&partner);
    // An invitee without a name is listed under the address.
    let name = clean_optional_name(to.name.as_deref()).filter(|name| !name.contains('@'));
    let greeting = name.as_deref().map_or_else(|| text::UNNAMED.to_owned(), text::dear);
    let subject = if to.test { format!("{} {subject}", text::TEST_SUBJECT) } else { subject };
    let top = Top {
        lead_in: card::lead_in(about.lead_in),
        name: clean_optional_name(about.deceased.as_deref()),
        dates: date::lifetime(about.date_of_birth, about.date_of_death),
        has_cover: about.cover.is_some(),
        colours: about.colours,
    };
    let letter = Letter { top: &top, greeting: &greeting, is_test: to.test, blocks, end, partner: &partner };
    Email {
        id,
        at,
        text: render::plain(&letter),
        html: render::page(&subject, &letter).into_string(),
        picture: about.cover,
        from_name: None,
        reply_to: None,
        // The test address is the partner's and does not belong to this name.
        to_name: name.filter(|_| !to.test),
        to: to.email,
        subject,
    }
}

/// The parts above the greeting.
struct Top {
    lead_in: Option<&'static str>,
    name: Option<String>,
    dates: Option<String>,
    has_cover: bool,
    colours: Colours,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(test: bool) -> Envelope {
        let to = Recipient { name: Some("Pieter <b>".to_owned()), email: "a@voorbeeld.nl".to_owned(), test };
        let at = Timestamp::from_millis(0).expect("a timestamp");
        let partner = Partner { phone: Some("020 1".to_owned()), ..Partner::new(Uuid::nil(), "Noord", at) };
        let about = About { deceased: Some("Jo & <script>".to_owned()), ..About::default() };
        Envelope { id: Uuid::nil(), at, to, partner, about }
    }

    fn ordered(card: Option<&str>, by_invitation: bool, test: bool) -> Email {
        let order_told = Order {
            number: OrderNumber::trusted("7K3F-92QM-XD"),
            ordered: "2026-11-10".parse().expect("a date"),
            price: Price::from_cents(if test { 0 } else { 4_950 }).expect("a price"),
            partner: "Uitvaart Noord".to_owned(),
            card: card.map(str::to_owned),
            by_invitation,
            invitee_list: "https://kaarten.example/gasten/open/x".to_owned(),
            invitee_list_until: "2027-02-08".parse().expect("a date"),
        };
        order(envelope(test), order_told)
    }

    #[test]
    fn both_parts_of_the_order_mail_hold_both_links_and_escape_names() {
        let email = ordered(Some("https://kaarten.example/kaart/y"), false, false);
        for part in [&email.text, &email.html] {
            for piece in [
                "https://kaarten.example/kaart/y",
                "https://kaarten.example/gasten/open/x",
                "8 februari 2027",
                "Uw bestelnummer is 7K3F-92QM-XD.",
            ] {
                assert!(part.contains(piece), "{piece}\n{part}");
            }
        }
        assert!(email.html.contains("Jo &amp; &lt;script&gt;") && !email.html.contains("<script>"));
        assert!(email.text.contains("\n\nBeste Pieter <b>,\n\n"), "{}", email.text);
        assert_eq!(email.to_name.as_deref(), Some("Pieter <b>"));
    }

    #[test]
    fn order_mail_has_greeting_and_closing() {
        let email = ordered(Some("https://kaarten.example/kaart/y"), false, false);
        assert_eq!(
            email.text,
            "In herinnering aan\nJo & <script>\n\n\
             Beste Pieter <b>,\n\n\
             Wij hebben uw bestelling van de gedenkkaart voor Jo & <script> ontvangen.\n\n\
             U hebt op 10 november 2026 één gedenkkaart besteld bij Uitvaart Noord.\n\n\
             De prijs is €\u{a0}49,50, inclusief btw. Uitvaart Noord brengt dit bedrag in rekening.\n\n\
             Uw bestelnummer is 7K3F-92QM-XD. Noem dit nummer als u vragen hebt over uw bestelling.\n\n\
             De kaart staat online. U kunt dit adres bewaren en delen.\n\n\
             De kaart bekijken:\nhttps://kaarten.example/kaart/y\n\n\
             In de lijst van genodigden voegt u mensen toe, stuurt u hun een persoonlijke link en ziet u wie de kaart \
             heeft gezien.\n\n\
             De lijst van genodigden openen:\nhttps://kaarten.example/gasten/open/x\n\n\
             De link naar de lijst van genodigden werkt tot en met 8 februari 2027. Deel deze link alleen met mensen die \
             de lijst met u beheren.\n\n\
             Met vriendelijke groet,\nGedenkkaart\n\n\
             Dit bericht is automatisch verstuurd. U kunt er niet op antwoorden.\n\n\
             Vragen? Neem contact op met Noord: telefoon 020 1.\n"
        );
    }

    #[test]
    fn invitation_says_why_it_came_and_whom_to_ask_and_its_names_stay_in_their_line() {
        let about = About {
            lead_in: LeadIn::default(),
            deceased: Some("Jo\r\nReply-To: x@evil.example".to_owned()),
            date_of_birth: "1938-04-12".parse().ok(),
            date_of_death: "2026-11-07".parse().ok(),
            cover: Some(Bytes::from_static(b"a picture")),
            colours: Colours::for_theme(Some("zee")),
        };
        let farewell = Farewell {
            date: "2026-11-28".parse().ok(),
            time: crate::model::parse_time("11:00"),
            address: Some("Kruislaan 126\nAmsterdam".to_owned()),
            ..Farewell::default()
        };
        let told = Invitation {
            by: Some("Piet\u{202e}er"),
            note: Some("Tot \"morgen\" <b>\n\nDe kaart bekijken:"),
            reply_to: None,
            partner: "Uitvaart Noord",
            link: "https://kaarten.example/kaart/voor/z",
            farewell: &farewell,
            calendar: "https://kaarten.example/kaart/voor/z/afscheid.ics".to_owned(),
        };
        let email = invitation(Envelope { about, ..envelope(false) }, told);
        assert_eq!(email.from_name.as_deref(), Some("Pieter via Gedenkkaart"));
        assert!(email.picture.is_some() && email.html.contains("src=\"cid:omslag\""), "{}", email.html);
        assert_eq!(email.subject, "In herinnering aan Jo Reply-To: x@evil.example: een kaart van de familie");
        assert!(!email.text.contains("\nReply-To") && !email.text.contains('\u{202e}'), "{}", email.text);
        for part in [&email.text, &email.html] {
            assert!(part.contains("12 april 1938 – 7 november 2026"), "{part}");
            assert!(part.contains("Pieter heeft uw e-mailadres ingevuld om u deze kaart te sturen."));
            let part = &part.replace('\u{a0}', " ");
            assert!(
                part.contains("zaterdag 28 november 2026 om 11.00 uur") && part.contains("/z/afscheid.ics"),
                "{part}"
            );
            assert!(part.contains("Pieter en familie") && !part.contains("Met vriendelijke groet"), "{part}");
            assert!(part.contains("Neem dan contact op met Uitvaart Noord."), "{part}");
        }
        assert!(email.html.contains("background:#2b546c"), "the button has the colour of the theme: {}", email.html);
        // Outlook for Windows shows no padding of links and no width of other parts than tables.
        let button = "<td style=\"padding:12px 22px;border-radius:6px;background:#2b546c\" bgcolor=\"#2b546c\">\
                      <a href=\"https://kaarten.example/kaart/voor/z\"";
        assert!(
            email.html.contains("<table role=\"presentation\" width=\"608\"") && email.html.contains(button),
            "{}",
            email.html
        );
        assert_eq!(email.html.matches("<td style=\"padding:12px 22px").count(), 1, "one button: {}", email.html);
        assert!(email.html.contains("<a href=\"tel:0201\" style=\"color:#565c5f\">020 1</a>"), "{}", email.html);
        let quoted = "\n\nPieter schrijft:\n\n> Tot \"morgen\" <b>\n> \n> De kaart bekijken:\n\nDe kaart bekijken:\n";
        assert!(email.text.contains(quoted), "{}", email.text);
        let quoted = "Tot &quot;morgen&quot; &lt;b&gt;<br><br>De kaart bekijken:<br></blockquote>";
        assert!(email.html.contains(quoted), "{}", email.html);
    }

    #[test]
    fn test_mail_says_so_and_has_no_name_in_its_address() {
        let email = ordered(Some("https://kaarten.example/kaart/y"), true, true);
        assert!(email.subject.starts_with("[Test] Uw bestelling"), "{}", email.subject);
        assert_eq!(email.to_name, None);
        assert!(email.text.contains(text::TEST) && email.html.contains(text::TEST));
        assert!(email.text.contains(text::CARD_BY_INVITATION));
        assert!(email.text.contains("De kaart is kosteloos.") && !email.text.contains('€'), "{}", email.text);
    }
}
