//! Random inputs of a card, right and wrong, from small pools so that they repeat and collide.

use card_service::base::{HttpUrl, Parsed, Patch};
use card_service::operation::card::{CardInput, DeceasedInput, FamilyContactInput};
use chrono::{Days, NaiveDate};

use crate::model::Theme;
use crate::network::PHOTOS;
use crate::random::Random;

/// Names; the last three are refused.
const NAMES: [&str; 7] = ["Johanna", "Piet", "de Vries", "Zoë", "www.koop.nl", "zie koop.nl", LONG];
const NAMES_RIGHT: usize = 4;
/// Mail addresses; the last two are refused.
const EMAILS: [&str; 5] =
    ["familie@voorbeeld.nl", "aal@voorbeeld.nl", "bep@voorbeeld.nl", "geen adres", "naam@voorbeeld"];
const EMAILS_RIGHT: usize = 3;
/// 256 characters.
const LONG: &str = match std::str::from_utf8(&[b'x'; 256]) {
    Ok(text) => text,
    Err(_) => "",
};

pub fn is_name(text: &str) -> bool {
    NAMES[..NAMES_RIGHT].contains(&text)
}

pub fn is_email(text: &str) -> bool {
    EMAILS[..EMAILS_RIGHT].contains(&text)
}

/// Makes values; `errors` of a hundred are wrong.
pub struct Values<'a> {
    pub random: &'a mut Random,
    pub errors: usize,
    pub today: NaiveDate,
    pub themes: &'a [Theme],
}

impl Values<'_> {
    fn chance(&mut self, of_hundred: usize) -> bool {
        self.random.below(100) < of_hundred
    }

    /// Absent, null or a value.
    fn patch<T>(&mut self, sent: usize, value: impl FnOnce(&mut Self) -> T) -> Patch<T> {
        match self.random.below(100) {
            n if n < sent => Patch::Value(value(self)),
            n if n < sent + 8 => Patch::Null,
            _ => Patch::Absent,
        }
    }

    pub fn name(&mut self) -> String {
        let among = if self.chance(self.errors) { &NAMES[..] } else { &NAMES[..NAMES_RIGHT] };
        (*self.random.pick(among)).to_owned()
    }

    pub fn email(&mut self) -> String {
        let among = if self.chance(self.errors) { &EMAILS[..] } else { &EMAILS[..EMAILS_RIGHT] };
        (*self.random.pick(among)).to_owned()
    }

    fn date(&mut self) -> Parsed<NaiveDate> {
        match self.chance(self.errors) {
            true if self.chance(50) => Parsed::Invalid("2026-02-30".to_owned()),
            true => Parsed::Value(self.today + Days::new(1)),
            false => Parsed::Value(self.today - Days::new(self.random.below(4) as u64 * 300)),
        }
    }

    fn url(&mut self) -> Parsed<HttpUrl> {
        match self.chance(self.errors) {
            true => Parsed::Invalid("ftp://voorbeeld.nl".to_owned()),
            false => {
                Parsed::Value(HttpUrl::trusted(*self.random.pick(&["https://a.example/x", "https://b.example/y"])))
            }
        }
    }

    /// A theme by its id or number, or one that does not exist.
    pub fn theme(&mut self) -> String {
        let theme = self.random.pick(self.themes);
        match self.random.below(100) {
            n if n < self.errors => "999".to_owned(),
            n if n % 2 == 0 => theme.number.to_string(),
            _ => theme.gid(),
        }
    }

    /// The input of a partner.
    pub fn card(&mut self) -> CardInput {
        CardInput {
            theme_id: self.patch(60, Self::theme),
            external_funeral_director_id: self
                .patch(30, |v| if v.chance(v.errors) { LONG.to_owned() } else { "uv-1".to_owned() }),
            deceased: self.patch(75, Self::deceased),
            livestream_url: self.patch(25, Self::url),
            family_contact: self
                .patch(75, |v| FamilyContactInput { name: v.patch(40, Self::name), email: v.patch(85, Self::email) }),
        }
    }

    pub fn deceased(&mut self) -> DeceasedInput {
        DeceasedInput {
            first_name: self.patch(60, Self::name),
            last_name: self.patch(40, Self::name),
            date_of_birth: self.patch(40, Self::date),
            date_of_death: self.patch(40, Self::date),
            photo_url: self.patch(15, Self::photo_url),
        }
    }

    fn photo_url(&mut self) -> Parsed<HttpUrl> {
        let among = if self.chance(3 * self.errors) { &PHOTOS[..] } else { &PHOTOS[..2] };
        match self.chance(self.errors) {
            true => Parsed::Invalid("geen adres".to_owned()),
            false => Parsed::Value(HttpUrl::trusted(*self.random.pick(among))),
        }
    }

    /// The fields of one page of the family, all sent.
    pub fn names(&mut self) -> CardInput {
        let (first_name, last_name) = (self.patch(80, Self::name), self.patch(60, Self::name));
        of_deceased(DeceasedInput { first_name, last_name, ..DeceasedInput::default() })
    }

    pub fn dates(&mut self) -> CardInput {
        let (date_of_birth, date_of_death) = (self.patch(80, Self::date), self.patch(60, Self::date));
        of_deceased(DeceasedInput { date_of_birth, date_of_death, ..DeceasedInput::default() })
    }

    pub fn broadcast(&mut self) -> CardInput {
        CardInput { livestream_url: self.patch(70, Self::url), ..CardInput::default() }
    }

    pub fn contact(&mut self) -> CardInput {
        let contact = FamilyContactInput { name: self.patch(50, Self::name), email: self.patch(90, Self::email) };
        CardInput { family_contact: Patch::Value(contact), ..CardInput::default() }
    }

    pub fn chosen_theme(&mut self) -> CardInput {
        CardInput { theme_id: Patch::Value(self.theme()), ..CardInput::default() }
    }
}

fn of_deceased(deceased: DeceasedInput) -> CardInput {
    CardInput { deceased: Patch::Value(deceased), ..CardInput::default() }
}
