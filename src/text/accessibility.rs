//! The page on accessibility: the information of annex V of Directive 2019/882.

pub(crate) const TITLE: &str = "Toegankelijkheid";
pub(crate) const INTRO: &str = "Iedereen moet een gedenkkaart kunnen maken en bekijken, ook met een beperking. Hier leest u hoe daarvoor is gezorgd.";

/// The title and the paragraphs of each part.
pub(crate) const PARTS: &[(&str, &[&str])] = &[
    (
        "De dienst",
        &[
            "Met deze dienst maakt de familie van een overledene een gedenkkaart, bestelt de kaart en nodigt mensen uit om de kaart \
             te bekijken. De pagina's bestaan uit tekst, foto's en eenvoudige formulieren.",
            "U opent een pagina met een link. Een formulier vult u stap voor stap in. Elke stap wordt bewaard, ook als u teruggaat. \
             Voor u bestelt, ziet u de hele kaart, de prijs en wat u hebt ingevuld.",
        ],
    ),
    (
        "Wat toegankelijk is",
        &[
            "De pagina's zijn gemaakt volgens de Europese norm EN 301 549 en de richtlijnen WCAG 2.2, niveau A en AA. Bij elke wijziging \
             worden de pagina's voor families en gasten met axe-core op die richtlijnen getest, op smalle en brede schermen.",
            "Ook wordt dan getest of een kaart te maken is met alleen een toetsenbord en zonder script, en of de pagina's te lezen zijn met letters van \
             200 procent, met een vergroting tot 400 procent en met meer ruimte tussen letters en regels. Bij een fout staat wat er mis \
             is en hoe u het herstelt. Een kaart kunt u ook afdrukken.",
        ],
    ),
    (
        "Wat beter kan",
        &[
            "Van een foto zegt de pagina alleen van wie het portret is. Wat de familie zelf schrijft, kan moeilijk leesbaar zijn. \
             De uitzending van een uitvaart staat op een site van iemand anders: daar gelden de afspraken van die site.",
        ],
    ),
    (
        "Een klacht of een vraag",
        &[
            "Kunt u iets niet lezen of gebruiken? Neem contact op met de uitvaartonderneming die onderaan de pagina's van de kaart staat. \
             Zeg welke pagina het is, wat u wilde doen en welk apparaat u gebruikt. U kunt ook vragen om de gegevens in een andere vorm.",
            "Komt u er samen niet uit, dan kunt u een melding doen bij de toezichthouder: de Autoriteit Consument & Markt (acm.nl).",
        ],
    ),
];
