//! The card, and the pages shown where it cannot be seen (decisions S7).

use super::full_stop;
use crate::model::LeadIn;

pub(crate) const UNNAMED: &str = "In liefdevolle herinnering";
pub(crate) const BORN: &str = "Geboren op ";
pub(crate) const DIED: &str = "Overleden op ";
pub(crate) const BORN_AND_DIED: &str = "Geboren en overleden op ";
pub(crate) const BROADCAST: &str = "De uitzending bekijken";
pub(crate) const FAREWELL: &str = "Het afscheid";
pub(crate) const CALENDAR: &str = "In agenda zetten";
pub(crate) const ROUTE: &str = "Route opzoeken";

pub(crate) fn at_time(time: &str, until: Option<&str>) -> String {
    until.map_or_else(|| format!("om {time} uur"), |until| format!("van {time} tot {until} uur"))
}

/// The title of the farewell in a calendar.
pub(crate) fn farewell_of(name: Option<&str>) -> String {
    name.map_or_else(|| "Afscheid".to_owned(), |name| format!("Afscheid van {name}"))
}

pub(crate) const QR: &str = "QR-code met het adres van deze kaart";

pub(crate) fn footer(name: Option<&str>) -> String {
    name.map_or_else(
        || "Gemaakt door de familie.".to_owned(),
        |name| full_stop(format!("Gemaakt door de familie van {name}")),
    )
}

/// Returns the words above the name; `None` if the name stands alone.
pub(crate) const fn lead_in(lead_in: LeadIn) -> Option<&'static str> {
    match lead_in {
        LeadIn::InMemory => Some("In herinnering aan"),
        LeadIn::Remembrance => Some("Ter nagedachtenis aan"),
        LeadIn::WithLove => Some("Met liefde herinneren wij"),
        LeadIn::NameAlone => None,
    }
}

/// Returns the name after its words, for titles.
pub(crate) fn in_memory_of(chosen: LeadIn, name: &str) -> String {
    lead_in(chosen).map_or_else(|| name.to_owned(), |words| format!("{words} {name}"))
}

pub(crate) fn portrait_of(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("Portret van {name}"),
        None => "Portret".to_owned(),
    }
}

// Link previews.

pub(crate) const PREVIEW_TITLE: &str = "Een gedenkkaart";
pub(crate) const PREVIEW_OPEN: &str = "Bekijk de gedenkkaart die de familie heeft gemaakt.";
pub(crate) const PREVIEW_CLOSED: &str = "Deze gedenkkaart is alleen te zien met een persoonlijke uitnodiging.";

// For callers who may not see it.

pub(crate) const CLOSED_TITLE: &str = "Deze kaart is alleen voor genodigden";
pub(crate) const CLOSED: &str = "De familie laat deze kaart alleen zien aan mensen met een persoonlijke link. Hebt u een uitnodiging gekregen? Open \
     dan de link in die uitnodiging. Anders kunt u de familie om een uitnodiging vragen.";
pub(crate) const NOT_ONLINE_TITLE: &str = "Deze kaart staat nog niet online";
pub(crate) const NOT_ONLINE: &str =
    "De familie is nog bezig met deze kaart. Probeer het later opnieuw met dezelfde link.";
pub(crate) const OFFLINE_TITLE: &str = "Deze kaart is nu even niet te zien";

/// `partner`: the funeral organisation.
pub(crate) fn offline(partner: Option<&str>) -> String {
    partner.map_or_else(
        || "Probeer het later opnieuw.".to_owned(),
        |name| full_stop(format!("Probeer het later opnieuw. Neem voor vragen contact op met {name}")),
    )
}
pub(crate) const LINK_GONE_TITLE: &str = "Deze link werkt niet";
pub(crate) const LINK_GONE: &str = "Deze link is niet bekend of werkt niet meer. Controleer of u het hele adres hebt overgenomen, of vraag de familie \
     om een nieuwe link.";

/// The example that previews a theme.
pub(crate) const EXAMPLE_NAME: &str = "Johanna van der Meer";
pub(crate) const EXAMPLE_TEXT: &str = "Lieve mama,\n\nWat zullen we je missen: je lach aan de keukentafel, je verhalen over \
    vroeger, en de appeltaart waar niemand het recept van kreeg.";
