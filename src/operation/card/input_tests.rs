//! The rules of a card's input, in tables.

use chrono::NaiveDate;
use uuid::Uuid;

use super::input::Path;
use super::input::*;
use crate::base::{HttpUrl, Parsed, Patch};
use crate::model::{Card, CardStatus, Deceased, UserError, UserErrorCode, text};
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
    Patch::Value(text.parse().map_or_else(|_| Parsed::Invalid(text.to_owned()), Parsed::Value))
}

fn address(text: &str) -> Patch<Parsed<HttpUrl>> {
    Patch::Value(HttpUrl::parse(text).map_or_else(|| Parsed::Invalid(text.to_owned()), Parsed::Value))
}

fn of_deceased(fields: DeceasedInput) -> CardInput {
    CardInput { deceased: Patch::Value(fields), ..CardInput::default() }
}

fn days(born: Patch<Parsed<NaiveDate>>, died: Patch<Parsed<NaiveDate>>) -> CardInput {
    of_deceased(DeceasedInput { date_of_birth: born, date_of_death: died, ..DeceasedInput::default() })
}

fn create(dossier: &str, input: &CardInput) -> Vec<Refusal> {
    create_with_theme(dossier, input, &Patch::Absent)
}

fn create_with_theme(dossier: &str, input: &CardInput, theme: &ThemeChoice) -> Vec<Refusal> {
    let mut card = Card { external_dossier_id: dossier.to_owned(), ..Card::default() };
    refusals(check_create(&mut card, input, theme, day(TODAY), Identifiers::Any))
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
fn dates_exist_have_come_and_stand_in_order() {
    let (absent, null) = (Patch::Absent, Patch::Null);
    let before_birth = |field| vec![invalid(field, text::DEATH_BEFORE_BIRTH)];
    let table = [
        (date("1940-05-01"), date("2026-10-15"), vec![]),
        (date("1940-05-01"), date("1940-05-01"), vec![]),
        (date("1940-05-01"), absent.clone(), vec![]),
        (null.clone(), date("1940-05-01"), vec![]),
        (date("1940-05-02"), date("1940-05-01"), before_birth(DATE_OF_DEATH)),
        (date("1000-01-01"), date("1000-01-01"), vec![]),
        (date("0999-12-31"), absent.clone(), vec![invalid(DATE_OF_BIRTH, text::DATE_TOO_EARLY)]),
        (absent.clone(), date("0000-02-29"), vec![invalid(DATE_OF_DEATH, text::DATE_TOO_EARLY)]),
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
        let found = refusals(check_update(
            &mut card(status, stored),
            &CardInput::default(),
            &sent,
            day(TODAY),
            Identifiers::Any,
        ));
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
            first_name: text("jan.nl"),
            last_name: text("a".repeat(256)),
            date_of_birth: date("gisteren"),
            date_of_death: date("2026-10-16"),
            photo_url: address("foto"),
        }),
        livestream_url: address("uitzending"),
        family_contact: Patch::Value(FamilyContactInput { name: text("www.jan.nl"), email: text("naam") }),
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
