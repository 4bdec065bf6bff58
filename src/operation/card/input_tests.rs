//! The rules of a card's input, in tables.

use chrono::NaiveDate;
use uuid::Uuid;

use super::input::*;
use super::validator::Path;
use crate::base::{HttpUrl, Parsed, Patch};
use crate::model::{Card, CardStatus, Deceased, FamilyContact, UserError, UserErrorCode, text};
use crate::operation::theme::{FoundTheme, ThemeChoice};

const TODAY: &str = "2026-10-15";
const THEME: Uuid = Uuid::from_u128(1);
const OTHER_THEME: Uuid = Uuid::from_u128(2);

type Refusal = (UserErrorCode, Path, String);

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a day")
}

fn refusals(result: Result<Patch<HttpUrl>, Vec<UserError>>) -> Vec<Refusal> {
    let errors = result.err().unwrap_or_default();
    errors.into_iter().map(|error| (error.code, leaked(error.field), error.message)).collect()
}

fn leaked(field: Vec<&'static str>) -> Path {
    field.leak()
}

fn invalid(field: Path, message: impl Into<String>) -> Refusal {
    (UserErrorCode::Invalid, field, message.into())
}

fn text(text: impl Into<String>) -> Patch<String> {
    Patch::Value(text.into())
}

fn date(text: &str) -> Patch<Parsed<NaiveDate>> {
    Patch::Value(text.parse().map_or_else(|_| Parsed::Text(text.to_owned()), Parsed::Value))
}

fn address(text: &str) -> Patch<Parsed<HttpUrl>> {
    Patch::Value(HttpUrl::parse(text).map_or_else(|| Parsed::Text(text.to_owned()), Parsed::Value))
}

fn of_deceased(fields: DeceasedInput) -> CardInput {
    CardInput { deceased: Patch::Value(fields), ..CardInput::default() }
}

fn of_contact(fields: FamilyContactInput) -> CardInput {
    CardInput { family_contact: Patch::Value(fields), ..CardInput::default() }
}

fn days(born: Patch<Parsed<NaiveDate>>, died: Patch<Parsed<NaiveDate>>) -> CardInput {
    of_deceased(DeceasedInput { date_of_birth: born, date_of_death: died, ..DeceasedInput::default() })
}

fn create(dossier: &str, input: &CardInput) -> Vec<Refusal> {
    create_with_theme(dossier, input, &Patch::Absent)
}

fn create_with_theme(dossier: &str, input: &CardInput, theme: &ThemeChoice) -> Vec<Refusal> {
    let mut card = Card { external_dossier_id: dossier.to_owned(), ..Card::default() };
    refusals(check_create(&mut card, input, theme, day(TODAY)))
}

fn card(status: CardStatus, theme_id: Option<Uuid>) -> Card {
    let deceased = Deceased {
        date_of_birth: Some(day("1940-05-01")),
        date_of_death: Some(day("2026-10-01")),
        ..Deceased::default()
    };
    Card { theme_id, deceased, status, ..Card::default() }
}

#[test]
fn dossier_is_a_text_of_at_most_255_characters_and_not_blank() {
    let blank = || vec![(UserErrorCode::Blank, EXTERNAL_DOSSIER_ID, text::DOSSIER_BLANK.to_owned())];
    let character = || vec![invalid(EXTERNAL_DOSSIER_ID, text::CHARACTERS_INVALID)];
    let long = || vec![invalid(EXTERNAL_DOSSIER_ID, text::text_too_long(255))];
    let table = [
        ("2026-0142".to_owned(), vec![]),
        (" 2026-0142 ".to_owned(), vec![]),
        (String::new(), blank()),
        (" \t\r\n\u{a0}".to_owned(), blank()),
        ("2026\u{0}0142".to_owned(), character()),
        ("2026\t0142".to_owned(), vec![]),
        ("é".repeat(255), vec![]),
        ("🌷".repeat(255), vec![]),
        ("🌷".repeat(256), long()),
        (format!("\u{0}{}", "a".repeat(255)), [character(), long()].concat()),
    ];
    for (dossier, expected) in table {
        assert_eq!(create(&dossier, &CardInput::default()), expected, "{dossier:?}");
    }
}

#[test]
fn text_fits_in_characters_and_is_kept_as_sent() {
    let set = |sent: String| CardInput { external_funeral_director_id: text(sent), ..CardInput::default() };
    let table = [
        (String::new(), vec![]),
        ("🌷".repeat(200), vec![]),
        ("🌷".repeat(201), vec![invalid(EXTERNAL_FUNERAL_DIRECTOR_ID, text::text_too_long(200))]),
        ("An\u{0}na".to_owned(), vec![invalid(EXTERNAL_FUNERAL_DIRECTOR_ID, text::CHARACTERS_INVALID)]),
        ("Anna\nLiese".to_owned(), vec![]),
    ];
    for (sent, expected) in table {
        assert_eq!(create("1", &set(sent.clone())), expected, "{sent:?}");
    }
}

#[test]
fn name_is_one_line_of_limited_length_without_an_address() {
    type Set = fn(String) -> CardInput;
    let fields: [(Path, usize, Set); 3] = [
        (FIRST_NAME, 255, |sent| of_deceased(DeceasedInput { first_name: text(sent), ..DeceasedInput::default() })),
        (LAST_NAME, 255, |sent| of_deceased(DeceasedInput { last_name: text(sent), ..DeceasedInput::default() })),
        (CONTACT_NAME, 255, |sent| {
            of_contact(FamilyContactInput { name: text(sent), ..FamilyContactInput::default() })
        }),
    ];
    for (field, chars_max, set) in fields {
        let table = [
            (String::new(), vec![]),
            ("Anna-Liese 🌷 d'Été".to_owned(), vec![]),
            ("e\u{301}".repeat(chars_max / 2), vec![]),
            ("🌷".repeat(chars_max), vec![]),
            ("🌷".repeat(chars_max + 1), vec![invalid(field, text::text_too_long(chars_max))]),
            ("e\u{301}".repeat(chars_max), vec![invalid(field, text::text_too_long(chars_max))]),
            ("An\u{0}na".to_owned(), vec![invalid(field, text::NAME_CHARACTER)]),
            ("Anna\nLiese".to_owned(), vec![invalid(field, text::NAME_CHARACTER)]),
            ("Anna\u{202e}".to_owned(), vec![invalid(field, text::NAME_CHARACTER)]),
            ("Anna www.x.nl".to_owned(), vec![invalid(field, text::NAME_WEB_ADDRESS)]),
        ];
        for (sent, expected) in table {
            assert_eq!(create("1", &set(sent.clone())), expected, "{field:?} {sent:?}");
        }
    }
}

#[test]
fn email_is_a_bare_address_of_at_most_254_characters() {
    let long = format!("{}@voorbeeld.nl", "a".repeat(254));
    let table = [
        ("naam@voorbeeld.nl", vec![]),
        ("", vec![invalid(CONTACT_EMAIL, text::EMAIL_INVALID)]),
        ("naam@voorbeeld", vec![invalid(CONTACT_EMAIL, text::EMAIL_INVALID)]),
        ("Naam <naam@voorbeeld.nl>", vec![invalid(CONTACT_EMAIL, text::EMAIL_INVALID)]),
        (&long, vec![invalid(CONTACT_EMAIL, text::text_too_long(254))]),
    ];
    for (sent, expected) in table {
        let input = of_contact(FamilyContactInput { email: text(sent), ..FamilyContactInput::default() });
        assert_eq!(create("1", &input), expected, "{sent:?}");
    }
}

#[test]
fn address_is_http_or_https_of_at_most_2048_characters() {
    type Set = fn(Patch<Parsed<HttpUrl>>) -> CardInput;
    let fields: [(Path, Set); 2] = [
        (PHOTO_URL, |sent| of_deceased(DeceasedInput { photo_url: sent, ..DeceasedInput::default() })),
        (LIVESTREAM_URL, |sent| CardInput { livestream_url: sent, ..CardInput::default() }),
    ];
    let start = "https://voorbeeld.nl/";
    let fits = format!("{start}{}", "a".repeat(2_048 - start.len()));
    for (field, set) in fields {
        let wrong = || vec![invalid(field, text::URL_INVALID)];
        let table = [
            ("https://voorbeeld.nl/a", vec![]),
            ("http://voorbeeld.nl", vec![]),
            (&fits, vec![]),
            (&format!("{fits}a"), vec![invalid(field, text::text_too_long(2_048))]),
            (&"a".repeat(2_049), vec![invalid(field, text::text_too_long(2_048))]),
            ("", wrong()),
            ("voorbeeld.nl", wrong()),
            ("ftp://voorbeeld.nl", wrong()),
            ("javascript:alert(1)", wrong()),
            ("https://voorbeeld.nl/a b", wrong()),
        ];
        for (sent, expected) in table {
            assert_eq!(create("1", &set(address(sent))), expected, "{field:?} {sent:?}");
        }
    }
}

#[test]
fn dates_exist_have_come_and_stand_in_order() {
    let (absent, null) = (Patch::Absent, Patch::Null);
    let before_birth = |field| vec![invalid(field, text::DEATH_BEFORE_BIRTH)];
    let table = [
        (date("1940-05-01"), date("2026-10-15"), vec![]),
        (date("1940-05-01"), date("1940-05-01"), vec![]),
        (date("1940-05-01"), absent.clone(), vec![]),
        (null.clone(), date("1940-05-01"), vec![]),
        (date("1940-05-02"), date("1940-05-01"), before_birth(DATE_OF_DEATH)),
        (date("2026-02-29"), absent.clone(), vec![invalid(DATE_OF_BIRTH, text::DATE_INVALID)]),
        (absent.clone(), date("01-10-2026"), vec![invalid(DATE_OF_DEATH, text::DATE_INVALID)]),
        (date("2026-10-16"), absent.clone(), vec![invalid(DATE_OF_BIRTH, text::BIRTH_IN_FUTURE)]),
        (absent.clone(), date("2026-10-16"), vec![invalid(DATE_OF_DEATH, text::DEATH_IN_FUTURE)]),
        (
            date("2027-01-02"),
            date("2027-01-01"),
            vec![
                invalid(DATE_OF_BIRTH, text::BIRTH_IN_FUTURE),
                invalid(DATE_OF_DEATH, text::DEATH_IN_FUTURE),
                invalid(DATE_OF_DEATH, text::DEATH_BEFORE_BIRTH),
            ],
        ),
    ];
    for (born, died, expected) in table {
        assert_eq!(create("1", &days(born.clone(), died.clone())), expected, "{born:?} {died:?}");
    }
}

#[test]
fn dates_that_are_not_sent_are_the_stored_ones() {
    // The stored card: born on 1940-05-01, died on 2026-10-01.
    let (absent, null) = (Patch::Absent, Patch::Null);
    let table = [
        (absent.clone(), absent.clone(), vec![]),
        (absent.clone(), date("1940-04-30"), vec![invalid(DATE_OF_DEATH, text::DEATH_BEFORE_BIRTH)]),
        (date("2026-10-02"), absent.clone(), vec![invalid(DATE_OF_BIRTH, text::DEATH_BEFORE_BIRTH)]),
        (date("2026-10-02"), null.clone(), vec![]),
        (null.clone(), date("1940-04-30"), vec![]),
        (date("1939-01-01"), date("1940-04-30"), vec![]),
        (date("onbekend"), date("1940-04-30"), vec![invalid(DATE_OF_BIRTH, text::DATE_INVALID)]),
    ];
    let stored = card(CardStatus::Active, None);
    for (born, died, expected) in table {
        let input = days(born.clone(), died.clone());
        let found = refusals(check_update(&mut stored.clone(), &input, &Patch::Absent, day(TODAY)));
        assert_eq!(found, expected, "{born:?} {died:?}");
    }
    // Both dates are cleared, so there is nothing to compare.
    let input = CardInput { deceased: Patch::Null, ..CardInput::default() };
    assert_eq!(refusals(check_update(&mut stored.clone(), &input, &Patch::Absent, day(TODAY))), []);
}

#[test]
fn theme_exists_and_is_fixed_once_the_card_is_ordered() {
    use CardStatus::{Active, Draft, Ordered};
    let unknown = || vec![(UserErrorCode::NotFound, THEME_ID, text::THEME_NOT_FOUND.to_owned())];
    let fixed = || vec![(UserErrorCode::Immutable, THEME_ID, text::THEME_IMMUTABLE.to_owned())];
    let chosen = |id| Patch::Value(Some(FoundTheme { id, is_retired: false }));
    let retired = |id| Patch::Value(Some(FoundTheme { id, is_retired: true }));
    let table: [(CardStatus, Option<Uuid>, ThemeChoice, Vec<Refusal>); 22] = [
        (Draft, None, Patch::Absent, vec![]),
        (Draft, None, chosen(THEME), vec![]),
        (Draft, Some(THEME), chosen(OTHER_THEME), vec![]),
        (Draft, Some(THEME), Patch::Null, vec![]),
        (Draft, Some(THEME), Patch::Value(None), unknown()),
        (Draft, Some(THEME), chosen(THEME), vec![]),
        (Draft, Some(THEME), retired(THEME), vec![]),
        (Draft, Some(THEME), retired(OTHER_THEME), unknown()),
        (Draft, None, retired(THEME), unknown()),
        (Ordered, Some(THEME), Patch::Absent, vec![]),
        (Ordered, Some(THEME), chosen(THEME), vec![]),
        (Ordered, Some(THEME), retired(THEME), vec![]),
        (Ordered, Some(THEME), chosen(OTHER_THEME), fixed()),
        (Ordered, Some(THEME), retired(OTHER_THEME), fixed()),
        (Ordered, Some(THEME), Patch::Null, fixed()),
        (Ordered, Some(THEME), Patch::Value(None), fixed()),
        (Ordered, None, Patch::Null, vec![]),
        (Ordered, None, chosen(THEME), fixed()),
        (Ordered, None, Patch::Value(None), fixed()),
        (Active, Some(THEME), chosen(THEME), vec![]),
        (Active, Some(THEME), retired(THEME), vec![]),
        (Active, Some(THEME), chosen(OTHER_THEME), fixed()),
    ];
    for (status, stored, sent, expected) in table {
        let found = refusals(check_update(&mut card(status, stored), &CardInput::default(), &sent, day(TODAY)));
        assert_eq!(found, expected, "{status:?} {stored:?} {sent:?}");
    }
    for absent in [Patch::Value(None), retired(THEME)] {
        assert_eq!(create_with_theme("1", &CardInput::default(), &absent), unknown());
    }
}

#[test]
fn errors_of_one_input_are_all_returned_in_schema_order() {
    let input = CardInput {
        theme_id: text("onbekend"),
        external_funeral_director_id: text("a".repeat(201)),
        deceased: Patch::Value(DeceasedInput {
            first_name: text("a\u{0}"),
            last_name: text("a".repeat(256)),
            date_of_birth: date("gisteren"),
            date_of_death: date("2026-10-16"),
            photo_url: address("foto"),
        }),
        livestream_url: address("uitzending"),
        family_contact: Patch::Value(FamilyContactInput { name: text("\u{0}"), email: text("naam") }),
    };
    let found = create_with_theme("", &input, &Patch::Value(None));
    let fields: Vec<_> = found.into_iter().map(|(_, field, _)| field).collect();
    let schema = [
        EXTERNAL_DOSSIER_ID,
        THEME_ID,
        EXTERNAL_FUNERAL_DIRECTOR_ID,
        FIRST_NAME,
        LAST_NAME,
        DATE_OF_BIRTH,
        DATE_OF_DEATH,
        PHOTO_URL,
        LIVESTREAM_URL,
        CONTACT_NAME,
        CONTACT_EMAIL,
    ];
    assert_eq!(fields, schema);
}

/// A draft whose every field of the input is set.
fn full_card() -> Card {
    let text = |text: &str| Some(text.to_owned());
    let mut card = card(CardStatus::Draft, Some(THEME));
    card.external_funeral_director_id = text("7");
    (card.deceased.first_name, card.deceased.last_name) = (text("Anna"), text("Smit"));
    card.livestream_url = HttpUrl::parse("https://voorbeeld.nl/live");
    card.family_contact = FamilyContact { name: text("Jan"), email: text("jan@voorbeeld.nl") };
    card
}

#[test]
fn null_of_a_whole_object_clears_all_its_fields() {
    let input = CardInput { deceased: Patch::Null, family_contact: Patch::Null, ..CardInput::default() };
    let mut card = full_card();
    let photo_source = check_update(&mut card, &input, &Patch::Absent, day(TODAY)).expect("a valid input");
    assert_eq!(photo_source, Patch::Null);
    let cleared = Card { deceased: Deceased::default(), family_contact: FamilyContact::default(), ..full_card() };
    assert_eq!(card, cleared);
}

#[test]
fn object_that_sends_one_field_changes_that_field_alone() {
    let input = of_deceased(DeceasedInput { first_name: text("Liese"), ..DeceasedInput::default() });
    let mut card = full_card();
    let photo_source = check_update(&mut card, &input, &Patch::Absent, day(TODAY)).expect("a valid input");
    assert_eq!(photo_source, Patch::Absent);
    let mut changed = full_card();
    changed.deceased.first_name = Some("Liese".to_owned());
    assert_eq!(card, changed);
}
