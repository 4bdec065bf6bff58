//! Names of the deceased, the family contact and invitees.
//!
//! Names get into the subject, addresses and text of mails that this service sends. So a name is one line of visible text
//! without characters that change the reading order: [`clean_name`] makes it so. It also holds no web address
//! ([`has_web_address`]). The partner API, the customizer and the invitee list all clean and check names this way.

use unicode_normalization::UnicodeNormalization as _;

use crate::base::{is_blank, is_hidden, is_invisible};

/// Returns a name as one line: a line break or a tab is a space, white space at the ends and doubled inside is left out,
/// and so are hidden characters. A joiner stays between two characters of a word only. The flags of England, Scotland and Wales
/// lose their tag characters, which can hide a text, and are black flags. A name that shows nothing is empty.
pub fn clean_name(name: &str) -> String {
    if is_blank(name) {
        return String::new();
    }
    let mut clean = String::with_capacity(name.len());
    // The blank or joiner after the last character, which is added if another one follows.
    let mut between = None;
    for c in name.chars() {
        if c.is_whitespace() {
            let is_first = !between.is_some_and(char::is_whitespace);
            between = Some(if is_first && !is_hidden(c) { c } else { ' ' });
        } else if matches!(c, '\u{200c}' | '\u{200d}') {
            between = between.filter(|c| c.is_whitespace()).or(Some(c));
        } else if !is_hidden(c) {
            clean.extend(between.take().filter(|_| !clean.is_empty()));
            clean.push(c);
        }
    }
    clean
}

/// The top-level domains of countries and the European Union.
const COUNTRIES: &str = "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo bq br bs bt bw by \
    bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge \
    gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp \
    kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng \
    ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr \
    ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm \
    zw рф";

/// Other top-level domains: of the Netherlands and its neighbours, the large ones, and cheap ones that are often abused.
/// Surnames such as `post` and `best` are left out.
const OTHERS: &str = "academy accountant agency amsterdam app asia bar berlin bet bid bike bio biz blog boutique broker brussels \
    business buzz cafe cam capital care careers cash casino center centre charity chat church city claims clinic club coach com \
    community company computer consulting contact cool coop country credit creditcard cricket date dating deals delivery dental \
    design dev digital direct directory discount doctor domains download earth edu education email energy estate events example \
    exchange expert express faith family farm fashion finance financial fit fitness flowers foundation frl fun fund fyi games \
    garden gent gift gifts gives global gmbh gold gov group guide guru health healthcare help hiphop holdings holiday host hosting \
    hotel house how icu immo inc info ink institute insurance insure int international investments jetzt jobs kitchen koeln land \
    lat legal lgbt life limited link live llc loan loans lol love ltd market marketing markets media memorial men mil mobi moda moe \
    mom money mov museum name net network news nrw observer online ooo org organic page partners parts party pay photo photography \
    photos pics pictures pink place plus press pro productions promo properties pub quest racing recipes red rehab rent repair \
    report rest restaurant review reviews rip rocks run sale sbs school science security services sexy shop shopping show site \
    skin social software solar solutions space store stream studio style support surf surgery systems tax team tech technology tel \
    tickets tips tips today tools top tours trade trading training travel university vacations vet video vip vision vlaanderen \
    vote wang watch web webcam website wedding wiki win work works world wtf xin xyz yoga zip zone";

/// Words and titles within a name that are top-level domains too.
const PARTICLES: [&str; 14] = ["al", "br", "de", "do", "in", "ir", "is", "la", "me", "mr", "ms", "sr", "st", "to"];

/// Top-level domains that no surname is, so that initials before them are a host: `x.com`.
const NO_SURNAMES: [&str; 9] = ["be", "com", "eu", "info", "net", "nl", "nu", "online", "org"];

/// Whether a mail program may make a link of a part of the text. Mail addresses are no web addresses.
pub fn has_web_address(text: &str) -> bool {
    // ASCII is its own normal form, and an address has a dot or a colon.
    if text.bytes().all(|byte| byte.is_ascii() && !matches!(byte, b'.' | b':')) {
        return false;
    }
    let plain: String = text.nfkc().filter(|c| !is_invisible(*c)).map(|c| if c == '。' { '.' } else { c }).collect();
    let mut words = plain.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied();
        if !is_mail_address(word) && (word.contains("://") || hosts(word).any(|host| is_address(host, word, next))) {
            return true;
        }
    }
    false
}

/// Whether the word is a mail address, apart from the marks around it: one `@`, between a local part and a host.
fn is_mail_address(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let Some((local, domain)) = word.split_once('@') else { return false };
    let is_local = |c: char| is_host_char(c) || matches!(c, '_' | '+' | '\'');
    !local.is_empty() && local.chars().all(is_local) && domain.contains('.') && domain.chars().all(is_host_char)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\'' | '’')
}

fn is_host_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-')
}

/// The parts of a word that may be host names.
fn hosts(word: &str) -> impl Iterator<Item = &str> {
    let parts = word.split(|c| !is_host_char(c)).flat_map(|part| part.split(".."));
    parts.map(|part| part.trim_matches(['.', '-'])).filter(|part| part.contains('.'))
}

/// Whether the host name in `word` is an address. `next` is the word behind it.
fn is_address(host: &str, word: &str, next: Option<&str>) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let Some((last, before)) = labels.split_last() else { return false };
    let domain = last.to_lowercase();
    let is_number = |label: &&str| label.parse::<u8>().is_ok_and(|number| number.to_string() == **label);
    if labels[0].eq_ignore_ascii_case("www") || (labels.len() == 4 && labels.iter().all(is_number)) {
        return true;
    }
    let is_listed = |list: &str| list.split_whitespace().any(|known| known == domain);
    if !(domain.starts_with("xn--") || is_listed(COUNTRIES) || is_listed(OTHERS)) {
        return false;
    }
    let is_short = |label: &&str| label.chars().count() <= 4 && label.chars().all(char::is_alphabetic);
    let is_initial = |label: &&str| label.chars().count() == 1;
    let is_surname = last.starts_with(char::is_uppercase) && !NO_SURNAMES.contains(&&*domain);
    let is_particle = PARTICLES.contains(&&*domain) && next.is_some_and(|next| next.starts_with(is_name_start));
    let is_name = (is_particle && before.iter().all(is_short)) || (is_surname && before.iter().all(is_initial));
    !is_name || word.contains(['/', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_any_language_stays_as_it_is() {
        for name in [
            "",
            "O'Brien",
            "van der Berg-Müller",
            "Anna-Liese 🌷 d'Été",
            "e\u{301}e\u{301}n",
            "محمد عبد الله",
            "יעקב כהן",
            "می\u{200c}نا", // Persian, with its joiner
            "👩\u{200d}👧 Zoë",
            "J.W. (Jan) de Vries, sr.",
            "山田\u{3000}太郎",
        ] {
            assert_eq!(clean_name(name), name);
        }
    }

    #[test]
    fn hidden_characters_are_dropped_and_blanks_are_single_spaces() {
        for hidden in [
            '\0',
            '\u{1b}',
            '\u{7f}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            assert_eq!(clean_name(&format!("{hidden}An{hidden}na{hidden}")), "Anna", "{hidden:?}");
        }
        for blank in ["\t", "\n", "\r\n", "\u{b}", "\u{85}", "\u{2028}", "\u{2029}", " \u{a0}", "\u{200b} \u{200d} "] {
            assert_eq!(clean_name(&format!("{blank}An{blank}na{blank}")), "An na", "{blank:?}");
        }
        assert_eq!(clean_name("\u{200d}An\u{200c} \u{200d}na\u{200d}\u{200c}"), "An na");
        for blank in ["\u{2800}", "\u{3164} \u{ffa0}", "\u{200d}", " \u{2800}\u{fe0f}\t"] {
            assert_eq!(clean_name(blank), "", "{blank:?}");
        }
    }

    #[test]
    fn address_is_found_in_every_spelling() {
        for text in [
            "ing-betaal.nl/x",
            "betaal.nu",
            "ing.nl",
            "Ing.Nl",
            "ING.NL",
            "http:ing.nl",
            "hxxps//ing.nl",
            "ｗｗｗ.ing.nl",
            "ｉｎｇ．ｎｌ",
            "evil。nl",
            "evil．nl",
            "evil｡nl",
            "evil\u{200c}.\u{200d}n\u{fe0f}l",
            "192.168.1.1/x",
            "Jan (jan.nl)",
            "Jan www.x.nl",
            "WWW.betaal.voorbeeld",
            "a://b",
            "Betaal via HTTPS://x",
            "zie voorbeeld.nl.",
            "Betaal 1,95 op ing-betaalverzoek.nl/x",
            "(www.Voorbeeld.NL/pad)",
            "betaal.example:80",
            "a.b.c.voorbeeld.nl.",
            "kaart.рф",
            "kaart.xn--p1ai",
            "jan@voorbeeld.nl/pad",
            "jan@@voorbeeld.nl",
            "x.com",
            "X.Com",
            "t.me/pad",
            "ing.de",
            "ing.de/x Vries",
            "rabobank.de Vries",
            "tot straks..ing.nl",
            "evil.shop",
            "Bel,ing.nl",
        ] {
            assert!(has_web_address(text), "{text:?}");
        }
    }

    #[test]
    fn name_and_mail_address_are_no_address() {
        for text in [
            "",
            "J.W. de Vries",
            "J.de Vries",
            "j.de vries",
            "A.la Cour",
            "Fam.Jansen",
            "Chr.is Bos",
            "J.De Smet",
            "Fam.de Boer-van Dijk",
            "Mw.de Wit",
            "Dr.de Groot",
            "ing.de Jong",
            "J.in 't Veld",
            "J.W.F.M.de la Court",
            "Prof.mr.dr. P. Jansen",
            "Dhr.ir. de Boer",
            "O'Brien",
            "'s-Gravesande",
            "van der Berg-Müller",
            "J.W. (Jan) de Vries, sr.",
            "P. Jansen sr.",
            "Jansen.jr",
            "Www de Wit",
            "Jansen & Zn. / erven",
            "Bakker B.V.",
            "De Boer & Co.",
            "Th.J.M. van Gennip",
            "M.v.d. Berg",
            "Mr. J.A. baron van Heemstra",
            "Wed.Bakker",
            "St.Jan",
            "Jac.P. Thijsse",
            "j.jansen",
            "pieter.jansen",
            "Pieter.Jansen",
            "W.Xu",
            "K.Ng",
            "P.Berlin",
            "Jan/Piet",
            "Jan, Piet en Kees",
            "Opa Jan & oma Truus (Drenthe)",
            "Anna-Liese 🌷 d'Été",
            "e\u{301}e\u{301}n",
            "محمد عبد الله",
            "יעקב כהן",
            "می\u{200c}نا",
            "山田 太郎",
            "jan@voorbeeld.nl",
            "(of <jan@voorbeeld.nl>)",
            "jan@www.voorbeeld.nl",
            "o'neill+lijst@sub.voorbeeld.nl.",
            "Papa is thuis, om 11.00 uur... wij missen hem. Dhr. J.W. de Vries, m.v.g.",
            "Bel ons: 06-12345678, of 12.11.2026",
        ] {
            assert!(!has_web_address(text), "{text:?}");
        }
    }
}
