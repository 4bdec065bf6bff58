//! Pasted lists as programs write them, each with what a person would want of it.

use super::*;

/// Returns what was read: `name <address>` for a person, with `!` and the mistake before one to mend, and `-` before a line left out.
fn read(text: &str) -> Vec<String> {
    let list = read_list(text).expect("few lines");
    let person = |person: &PastedPerson| match (&person.problem, person.email.as_str()) {
        (Some(problem), email) => format!("!{problem:?} {} <{email}>", person.name),
        (None, "") => person.name.clone(),
        (None, email) => format!("{} <{email}>", person.name),
    };
    let left = list.left.iter().map(|left| format!("-{}", left.content));
    list.people.iter().map(person).chain(left).collect()
}

const JAN: &str = "Jan de Vries <jan@voorbeeld.nl>";

/// One person on a line. Sources: Outlook, Gmail, Apple Mail, Excel, WhatsApp, Thunderbird and Word, copied as text.
const JAN_IN_EVERY_NOTATION: &[&str] = &[
    "Jan de Vries <jan@voorbeeld.nl>",
    "\"Jan de Vries\" <jan@voorbeeld.nl>",
    "“Jan de Vries” <jan@voorbeeld.nl>",
    "„Jan de Vries” <jan@voorbeeld.nl>",
    "«Jan de Vries» <jan@voorbeeld.nl>",
    "‘Jan de Vries’ <jan@voorbeeld.nl>",
    "'Jan de Vries' <jan@voorbeeld.nl>; ",
    "Jan de Vries jan@voorbeeld.nl",
    "Jan de Vries, jan@voorbeeld.nl",
    "Jan de Vries;jan@voorbeeld.nl",
    "Jan\tde Vries\tjan@voorbeeld.nl",
    "jan@voorbeeld.nl, Jan de Vries",
    "jan@voorbeeld.nl (Jan de Vries)",
    "jan@voorbeeld.nl;Jan;de Vries",
    "Jan de Vries - jan@voorbeeld.nl",
    "Jan de Vries – jan@voorbeeld.nl",
    "Jan de Vries — jan@voorbeeld.nl",
    "Jan de Vries: jan@voorbeeld.nl,",
    "Jan de Vries = jan@voorbeeld.nl",
    "Jan de Vries [mailto:jan@voorbeeld.nl]",
    "Jan de Vries <mailto:jan@voorbeeld.nl?subject=hoi>",
    "Jan de Vries <jan@voorbeeld.nl<mailto:jan@voorbeeld.nl>>",
    "Jan de Vries <jan@voorbeeld.nl <mailto:JAN@voorbeeld.nl> >",
    "\u{feff}Jan de Vries <jan@voorbeeld.nl>.",
    "Jan\u{a0}de\u{a0}Vries\u{a0}<jan@voorbeeld.nl>",
    "Jan de Vries <\u{202a}jan@voorbeeld.nl\u{202c}>",
    "Jan de Vries jan@voorbeeld.nl\u{200b}",
    "\"Vries, Jan de\" <jan@voorbeeld.nl>",
    "Vries, Jan de <jan@voorbeeld.nl>",
    "Vries, Jan de; jan@voorbeeld.nl",
    "\"Jan\",\"de Vries\",\"jan@voorbeeld.nl\"",
    "\"Jan\",\"de\",\"Vries\",\"jan@voorbeeld.nl\"",
    "Jan,de Vries,jan@voorbeeld.nl",
    "\"Jan\";\"de Vries\";\"jan@voorbeeld.nl\"",
    "Jan de Vries\t06-12345678\tjan@voorbeeld.nl",
    "Jan de Vries\tKerkstraat 1\t1234 AB\tUtrecht\tjan@voorbeeld.nl",
    "Jan de Vries 06-12345678 jan@voorbeeld.nl",
    "Jan de Vries tel. +31 6 1234 5678 jan@voorbeeld.nl",
    "Jan de Vries | jan@voorbeeld.nl | 0612345678",
    "| Jan de Vries | jan@voorbeeld.nl |",
    "Aan: Jan de Vries <jan@voorbeeld.nl>",
    "Van: Jan de Vries <jan@voorbeeld.nl>",
    "CC: Jan de Vries <jan@voorbeeld.nl>",
    "To: \"Jan de Vries\" <jan@voorbeeld.nl>",
    "> Jan de Vries <jan@voorbeeld.nl>",
    ">> 1. Jan de Vries <jan@voorbeeld.nl>",
    "[20:14, 12-11-2026] Jan de Vries: jan@voorbeeld.nl",
    "[12-11-2026 20:14:33] Jan de Vries: jan@voorbeeld.nl",
    "\u{200e}[12-11-2026, 20:14:33] ~ Jan de Vries: jan@voorbeeld.nl",
    "12-11-2026 20:14 - Jan de Vries: jan@voorbeeld.nl",
    "20/6/2026 8:28\u{a0}p.\u{a0}m. - Jan de Vries: jan@voorbeeld.nl",
    "[2026/7/9 02:28:09] Jan de Vries: jan@voorbeeld.nl",
    "[5.04.26, 14:59:45] Jan de Vries: jan@voorbeeld.nl",
    "11/12/26, 8:14\u{202f}PM - Jan de Vries: jan@voorbeeld.nl",
    "1. Jan de Vries jan@voorbeeld.nl",
    "12)\tJan de Vries\tjan@voorbeeld.nl",
    "1\tJan\tde Vries\tjan@voorbeeld.nl",
    "• Jan de Vries <jan@voorbeeld.nl>",
    "•\tJan de Vries\tjan@voorbeeld.nl",
    "● Jan de Vries – jan@voorbeeld.nl",
    "[ ] Jan de Vries jan@voorbeeld.nl",
    "- Jan de Vries <jan@voorbeeld.nl>",
    "✓ Jan de Vries, e-mail: jan@voorbeeld.nl",
    "<b>Jan de Vries</b> jan@voorbeeld.nl",
    "Jan de Vries\njan@voorbeeld.nl",
    "Jan de Vries\r\njan@voorbeeld.nl\r\n",
];

#[test]
fn one_person_is_read_in_every_usual_notation() {
    for text in JAN_IN_EVERY_NOTATION {
        assert_eq!(read(text), [JAN], "{text:?}");
    }
}

/// Names that are kept as they are, beside an address.
#[test]
fn name_is_kept_as_it_is_written() {
    for (line, name) in [
        ("Jan, Piet en Kees <a@voorbeeld.nl>", "Jan, Piet en Kees"),
        ("Jan & Marie de Vries <a@voorbeeld.nl>", "Jan & Marie de Vries"),
        ("Familie de Boer <a@voorbeeld.nl>", "Familie de Boer"),
        ("Zoë (vriendin van mama) a@voorbeeld.nl", "Zoë (vriendin van mama)"),
        ("Zoë vriendin van mama) a@voorbeeld.nl", "Zoë vriendin van mama"),
        ("Jan\u{202e}tne\u{b}sr. <a@voorbeeld.nl>", "Jantne sr."),
        ("יעקב כהן <a@voorbeeld.nl>", "יעקב כהן"),
        ("Zoë & Noortje 🌷 <a@voorbeeld.nl>", "Zoë & Noortje 🌷"),
        ("Anne-Marie van 't Hof a@voorbeeld.nl", "Anne-Marie van 't Hof"),
        ("Sinéad O’Connor <a@voorbeeld.nl>", "Sinéad O’Connor"),
        ("J.A.M. (Jan) de Vries <a@voorbeeld.nl>", "J.A.M. (Jan) de Vries"),
        ("Vries, Jan de (Utrecht) <a@voorbeeld.nl>", "Jan de Vries (Utrecht)"),
        ("\"foo bar,\" <a@voorbeeld.nl>", "foo bar"),
        ("matt <3 <a@voorbeeld.nl>", "matt 3"),
        ("nummer 0499 <a@voorbeeld.nl>", "nummer 0499"),
        ("a@voorbeeld.nl", ""),
        ("o!k@www.voorbeeld.nl", ""),
        ("E-mail: a@voorbeeld.nl", ""),
        ("thuis: a@voorbeeld.nl", ""),
    ] {
        let list = read_list(line).expect("one line");
        assert_eq!(list.people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>(), [name], "{line:?}");
    }
}

const TWO: [&str; 2] = ["Jan de Vries <jan@voorbeeld.nl>", "Kim Bos <kim@voorbeeld.nl>"];

/// Lists of these two people, and the lines that are left out.
const TWO_IN_EVERY_NOTATION: &[(&str, &[&str])] = &[
    ("Jan de Vries <jan@voorbeeld.nl>; Kim Bos <kim@voorbeeld.nl>", &[]),
    ("Jan de Vries <jan@voorbeeld.nl>, Kim Bos <kim@voorbeeld.nl>,", &[]),
    ("Vries, Jan de <jan@voorbeeld.nl>; Bos, Kim <kim@voorbeeld.nl>", &[]),
    ("Vries, Jan de <jan@voorbeeld.nl>, Bos, Kim <kim@voorbeeld.nl>", &[]),
    ("\"Vries, Jan de\" <jan@voorbeeld.nl>, \"Bos, Kim\" <kim@voorbeeld.nl>", &[]),
    ("Jan de Vries, jan@voorbeeld.nl; Kim Bos, kim@voorbeeld.nl", &[]),
    ("Aan: Jan de Vries <jan@voorbeeld.nl>; Kim Bos <kim@voorbeeld.nl>", &[]),
    ("Jan de Vries\njan@voorbeeld.nl\nKim Bos\nkim@voorbeeld.nl", &[]),
    // Spreadsheets, with titles in Dutch and in English.
    ("Naam;E-mailadres\nJan de Vries;jan@voorbeeld.nl\nKim Bos;kim@voorbeeld.nl", &["Naam;E-mailadres"]),
    ("Naam;E-mailadres\nJan de Vries <jan@voorbeeld.nl>; Kim Bos <kim@voorbeeld.nl>", &["Naam;E-mailadres"]),
    ("Naam;E-mailadres\n1. Jan de Vries jan@voorbeeld.nl\n\"Bos, Kim\" <kim@voorbeeld.nl>", &["Naam;E-mailadres"]),
    ("Naam\nJan de Vries jan@voorbeeld.nl\nKim Bos kim@voorbeeld.nl", &["Naam"]),
    (
        "Voornaam Tussenvoegsel Achternaam E-mail\nJan\tde\tVries\tjan@voorbeeld.nl\nKim\t\tBos\tkim@voorbeeld.nl",
        &["Voornaam Tussenvoegsel Achternaam E-mail"],
    ),
    (
        "Achternaam\tVoornaam\tTussenvoegsel\tE-mail\nVries\tJan\tde\tjan@voorbeeld.nl\nBos\tKim\t\tkim@voorbeeld.nl",
        &["Achternaam\tVoornaam\tTussenvoegsel\tE-mail"],
    ),
    (
        "Relatie\tNaam\tTelefoon\tE-mail\nneef\tJan de Vries\t06-12345678\tjan@voorbeeld.nl\nnicht\tKim Bos\t\tkim@voorbeeld.nl",
        &["Relatie\tNaam\tTelefoon\tE-mail"],
    ),
    (
        "Naam,Adres,Plaats,E-mail\n\"Vries, Jan de\",\"Kerkstraat 1\nbis\",Utrecht,jan@voorbeeld.nl\n\"Bos, Kim\",,,kim@voorbeeld.nl",
        &["Naam,Adres,Plaats,E-mail"],
    ),
    (
        "Hoi, hierbij de lijst:\n\nNaam\tE-mail\nJan de Vries\tjan@voorbeeld.nl\nKim Bos\tkim@voorbeeld.nl",
        &["Hoi, hierbij de lijst:", "Naam\tE-mail"],
    ),
    ("sep=;\nNaam;E-mail\nJan de Vries;jan@voorbeeld.nl\nKim Bos;kim@voorbeeld.nl", &["sep=", "Naam;E-mail"]),
    ("\u{feff}Naam,E-mail\nJan de Vries,jan@voorbeeld.nl\nKim Bos,kim@voorbeeld.nl", &["Naam,E-mail"]),
    // Google Contacts, 2023 and 2024.
    (
        "Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Value\n\
         Jan de Vries,Jan,de,Vries,* myContacts,* Home,jan@voorbeeld.nl ::: jan@werk.example,+31612345678\n\
         ,Kim,,Bos,* myContacts,*,kim@voorbeeld.nl,",
        &[
            "Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Value",
        ],
    ),
    (
        "First Name,Middle Name,Last Name,Organization Name,E-mail 1 - Label,E-mail 1 - Value\n\
         Jan,de,Vries,,Home,jan@voorbeeld.nl\nKim,,Bos,,,kim@voorbeeld.nl",
        &["First Name,Middle Name,Last Name,Organization Name,E-mail 1 - Label,E-mail 1 - Value"],
    ),
    // Outlook, English and Dutch.
    (
        "\"First Name\",\"Middle Name\",\"Last Name\",\"E-mail Address\",\"E-mail Display Name\"\n\
         \"Jan\",\"de\",\"Vries\",\"jan@voorbeeld.nl\",\"Jan de Vries (jan@voorbeeld.nl)\"\n\"Kim\",,\"Bos\",\"kim@voorbeeld.nl\",",
        &["\"First Name\",\"Middle Name\",\"Last Name\",\"E-mail Address\",\"E-mail Display Name\""],
    ),
    (
        "\"Titel\";\"Voornaam\";\"Tussenvoegsel\";\"Achternaam\";\"E-mailadres\";\"E-mailadres 2\"\n\
         \"dhr.\";\"Jan\";\"de\";\"Vries\";\"jan@voorbeeld.nl\";\n;\"Kim\";;\"Bos\";;\"kim@voorbeeld.nl\"",
        &["\"Titel\";\"Voornaam\";\"Tussenvoegsel\";\"Achternaam\";\"E-mailadres\";\"E-mailadres 2\""],
    ),
    // Address books: vCard 3.0 of Apple and Google, 2.1 of old telephones, 4.0 of Nextcloud.
    (
        "BEGIN:VCARD\nVERSION:3.0\nPRODID:-//Apple Inc.//iPhone OS 18.1//EN\nN:Vries;Jan;de;;\nFN:Jan de Vries\n\
         item1.EMAIL;type=INTERNET;type=pref:jan@voorbeeld.nl\nTEL;type=CELL;type=VOICE:+31612345678\n\
         PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ\n AAAQABAAD\nEND:VCARD\n\
         BEGIN:VCARD\nVERSION:3.0\nN:Bos;Kim;;;\nEMAIL:kim@voorbeeld.nl\nEND:VCARD",
        &[],
    ),
    (
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;Jan=20de=20=\r\nVries;;;\r\n\
         EMAIL;INTERNET:jan@voorbeeld.nl\r\nEND:VCARD\r\n\
         BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Kim Bos\r\nEMAIL;PREF=2:oud@voorbeeld.nl\r\nEMAIL;TYPE=home;PREF=1:kim@voorb\r\n eeld.nl\r\nEND:VCARD",
        &[],
    ),
    // A card that was cut off.
    (
        "BEGIN:VCARD\nFN:Jan de Vries\nEMAIL:jan@voorbeeld.nl\nBEGIN:VCARD\nFN:Kim Bos\nEMAIL:kim@voorbeeld.nl\nEND:VCARD",
        &[],
    ),
    // Thunderbird, and Android, which encodes every character.
    (
        "begin:vcard\nfn;quoted-printable:Jan=20de Vries\nemail;internet:jan@voorbeeld.nl\nversion:2.1\nend:vcard\n\
         BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=42=6F=73;=4B=69=6D;;;\n\
         EMAIL;PREF:kim@voorbeeld.nl\nEND:VCARD",
        &[],
    ),
    // A chat and a mail that answers another.
    (
        "[20:14, 12-11-2026] Els: Wie komen er?\n[20:15, 12-11-2026] Jan de Vries: jan@voorbeeld.nl\n\
         [20:16, 12-11-2026] Kim Bos: kim@voorbeeld.nl\n[20:17, 12-11-2026] Els: <Media weggelaten>",
        &["Els: Wie komen er?", "Els: <Media weggelaten>"],
    ),
    (
        "Hallo Els,\n\nVan: Jan de Vries <jan@voorbeeld.nl>\nVerzonden: donderdag 12 november 2026 20:14\nCC: Kim Bos <kim@voorbeeld.nl>\n\
         Onderwerp: afscheid\n\nGroetjes, Piet",
        &["Hallo Els", "Verzonden: donderdag 12 november 2026 20:14", "Onderwerp: afscheid", "Groetjes, Piet"],
    ),
];

#[test]
fn list_is_read_in_every_usual_notation() {
    for (text, left) in TWO_IN_EVERY_NOTATION {
        let expected: Vec<_> =
            TWO.iter().map(ToString::to_string).chain(left.iter().map(|line| format!("-{line}"))).collect();
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn what_has_to_be_mended_or_is_left_out_says_why() {
    let long_name = "J".repeat(limits::NAME_CHARS_MAX + 1);
    let long_line = "J".repeat(limits::PASTED_LINE_CHARS_MAX + 1);
    for (text, expected) in [
        ("<script>alert(1)</script>", vec!["-<script>alert(1)</script>"]),
        ("12-11-2026", vec!["-12-11-2026"]),
        ("06-12345678", vec!["-06-12345678"]),
        ("???", vec!["-???"]),
        ("Jan <jan@voorbeeld>", vec!["!AddressInvalid Jan <jan@voorbeeld>"]),
        ("Jan <@voorbeeld.nl>", vec!["!AddressInvalid Jan <@voorbeeld.nl>"]),
        ("Jan jan@@voorbeeld.nl", vec!["!AddressInvalid Jan <jan@@voorbeeld.nl>"]),
        ("Zoë <zoë@voorbeeld.nl>", vec!["!AddressInvalid Zoë <zoë@voorbeeld.nl>"]),
        ("Jan <jan@voorbeeld.nl?subject=hoi>", vec!["!AddressInvalid Jan <jan@voorbeeld.nl?subject=hoi>"]),
        ("jan@voorbeeld.nl piet@voorbeeld.nl", vec![" <jan@voorbeeld.nl>", " <piet@voorbeeld.nl>"]),
        (
            "Jan jan@voorbeeld.nl of jan@werk.example",
            vec!["!SeveralAddresses Jan <jan@voorbeeld.nl, jan@werk.example>"],
        ),
        (
            "Betaal via https://x.example <jan@voorbeeld.nl>",
            vec!["!NameWebAddress Betaal via https://x.example <jan@voorbeeld.nl>"],
        ),
        ("Jan jan@voorbeeld.nl\nJAN JAN@voorbeeld.nl", vec!["Jan <jan@voorbeeld.nl>", "-JAN JAN@voorbeeld.nl"]),
        ("Jan jan@voorbeeld.nl\njan@voorbeeld.nl", vec!["Jan <jan@voorbeeld.nl>", "-jan@voorbeeld.nl"]),
        // Two people may share an address; a name alone may be there twice.
        ("Jan jan@voorbeeld.nl\nMarie jan@voorbeeld.nl", vec!["Jan <jan@voorbeeld.nl>", "Marie <jan@voorbeeld.nl>"]),
        ("Oma Truus\nOma Truus", vec!["Oma Truus", "Oma Truus"]),
        (&format!("{long_name} <jan@voorbeeld.nl>"), vec![&format!("!NameTooLong {long_name} <jan@voorbeeld.nl>")]),
        (&long_line, vec![&format!("!TooLong {} <>", "J".repeat(limits::NAME_CHARS_MAX))]),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn lines_are_numbered_as_they_were_pasted() {
    let list =
        read_list("Aal <aal@voorbeeld.nl>\r\n\r\n  \n???\nNaam;E-mail\n\nBep;bep@voorbeeld.nl").expect("few lines");
    assert_eq!(list.people.iter().map(|person| person.line).collect::<Vec<_>>(), [1, 7]);
    assert_eq!(
        list.left.iter().map(|left| (left.line, left.reason)).collect::<Vec<_>>(),
        [(4, LeftReason::NoPerson), (5, LeftReason::Titles)]
    );
}

#[test]
fn more_lines_or_people_than_the_maximum_are_refused() {
    let line = |n: usize| format!("Jan jan{n}@voorbeeld.nl\n");
    let lines = |count: usize| (0..count).map(line).collect::<String>();
    assert_eq!(read_list(&lines(limits::PASTED_LINES_MAX)).map(|list| list.people.len()), Some(1_000));
    assert_eq!(read_list(&lines(limits::PASTED_LINES_MAX + 1)), None);
    assert_eq!(read_list(&"jan@voorbeeld.nl, ".repeat(limits::PASTED_LINES_MAX + 1)), None);
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Jan\nEND:VCARD\n";
    assert_eq!(read_list(&card.repeat(limits::PASTED_LINES_MAX)).map(|list| list.people.len()), Some(1_000));
    assert_eq!(read_list(&card.repeat(limits::PASTED_LINES_MAX + 1)), None);
}
