//! The drawings of the guide, made from the tables of the service: the statuses of a card with their transitions, the retry schedule,
//! and the statuses of a version. `UPDATE_DOCS=1` writes them to `docs/partner/drawing`.

use std::fmt::Write as _;
use std::time::Duration;

use card_service::base::limits::{DELIVERY_RETRY_SCHEDULE, SUBSCRIPTION_FAILING_MAX, VERSION_NOTICE_MONTHS};
use card_service::model::{CardStatus, DeliveryState, Topic, VersionStatus};

use crate::source_rules::documents::assert_current;

/// The width of a drawing, in units of which a telephone shows one as four fifths of a pixel.
const WIDTH: usize = 360;

/// The colours of the file. Pages of the guide have them in their own style.
const STYLE: &str = "text{font:14px system-ui,sans-serif;fill:#23211f}.soft{font-size:12px;fill:#5b5752}.strong{font-weight:700}\
    .box{fill:#f1eee8;stroke:#5b5752}.line,.head{stroke:#5b5752;fill:none}.dashed{stroke-dasharray:4 4}.dot{fill:#1d4f7a}\
    .warn{stroke:#7a3b12}@media(prefers-color-scheme:dark){text{fill:#e8e4dd}.soft{fill:#aaa49a}.box{fill:#262421;stroke:#aaa49a}\
    .line,.head{stroke:#aaa49a}.dot{fill:#9cc4e6}.warn{stroke:#e6b08c}}";

/// A drawing of some height.
struct Drawing {
    body: String,
    height: usize,
}

impl Drawing {
    fn new(height: usize) -> Self {
        Self { body: String::new(), height }
    }

    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{text}</text>");
    }

    fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    fn boxed(&mut self, (x, y): (usize, usize), width: usize, text: &str) {
        let _ =
            writeln!(self.body, "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"32\" rx=\"4\"/>");
        self.text(x + 12, y + 21, "strong", text);
    }

    fn dot(&mut self, x: usize, y: usize) {
        let _ = writeln!(self.body, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>");
    }

    /// Draws an arrow that points down.
    fn down(&mut self, x: usize, from: usize, to: usize) {
        self.path("line", &format!("M{x} {from}V{to}"));
        self.path("head", &format!("M{} {}L{x} {to}L{} {}", x - 5, to - 7, x + 5, to - 7));
    }

    /// Draws an arrow from one side to the other at a height.
    fn across(&mut self, class: &str, y: usize, from: usize, to: usize) {
        self.path(class, &format!("M{from} {y}H{to}"));
        let back = if to > from { to - 7 } else { to + 7 };
        self.path("head", &format!("M{back} {}L{to} {y}L{back} {}", y - 5, y + 5));
    }

    fn finish(self) -> String {
        let Drawing { body, height } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 0 {} {height}\"><style>{STYLE}</style>\n{body}</svg>\n",
            WIDTH + 2
        )
    }
}

/// The statuses from top to bottom, with an arrow for each transition of the table.
fn draw_life_of_a_card() -> String {
    let mut drawing = Drawing::new(336);
    let top = |status: CardStatus| 66 + 96 * CardStatus::ALL.iter().position(|one| *one == status).expect("a status");
    let arrows = CardStatus::ALL.into_iter().flat_map(|from| CardStatus::ALL.into_iter().map(move |to| (from, to)));
    let arrows = arrows.filter(|(from, to)| from.advance_to(*to).is_ok());
    drawing.text(12, 20, "", "cardCreate");
    drawing.down(28, 28, top(CardStatus::default()) - 4);
    drawing.text(44, 44, "", "your system makes the card");
    drawing.text(44, 60, "soft", Topic::CardsCreate.as_str());
    for (from, to) in arrows {
        assert_eq!(top(to), top(from) + 96, "an arrow past a status needs another place");
        let (words, topic) = match to {
            CardStatus::Draft => unreachable!("a card does not become a draft again"),
            CardStatus::Ordered => ("the family orders", Topic::CardsOrdered),
            CardStatus::Active => ("the service puts the card online", Topic::CardsActivated),
        };
        drawing.down(28, top(from) + 32, top(to) - 4);
        drawing.text(44, top(from) + 58, "", words);
        drawing.text(44, top(from) + 76, "soft", topic.as_str());
    }
    for status in CardStatus::ALL {
        drawing.boxed((12, top(status)), 108, status.as_str());
        let theme = if status.theme_is_open() { "every field can change" } else { "every field but the theme" };
        drawing.text(132, top(status) + 14, "soft", theme);
        let address = if status == CardStatus::Active { "cardUrl has the address" } else { "cardUrl is null" };
        drawing.text(132, top(status) + 29, "soft", address);
    }
    drawing.text(
        12,
        top(CardStatus::Active) + 56,
        "soft",
        &format!("{} at each change of a field", Topic::CardsUpdate.as_str()),
    );
    drawing.finish()
}

/// Your system at the left, the service at the right, and what goes between them from top to bottom.
fn draw_repeat_after_a_lost_answer() -> String {
    let mut drawing = Drawing::new(352);
    let (left, right) = (24, WIDTH - 24);
    for (x, edge, name) in [(left, 0, "your system"), (right, WIDTH - 116, "the service")] {
        drawing.boxed((edge, 4), 116, name);
        drawing.path("line dashed", &format!("M{x} 36V348"));
    }
    let (low, high) = (left + 6, right - 6);
    drawing.text(36, 66, "", "cardCreate");
    drawing.text(36, 100, "soft", "Idempotency-Key: 5f1c…");
    drawing.across("line", 80, low, high);
    drawing.text(150, 122, "soft", "makes the card, notifies once");
    drawing.path("line warn", &format!("M{high} 150H190M182 142L198 158M198 142L182 158"));
    drawing.text(212, 142, "", "200, the card");
    drawing.text(36, 154, "soft", "the answer is lost");
    drawing.text(36, 196, "soft", "after a time without answer:");
    drawing.text(36, 216, "", "the same request again");
    drawing.text(36, 250, "soft", "Idempotency-Key: 5f1c…");
    drawing.across("line", 230, low, high);
    drawing.text(134, 276, "soft", "finds the answer, makes nothing");
    drawing.text(36, 302, "", "200, the same card, byte for byte");
    drawing.text(36, 338, "soft", "X-Service-Idempotent-Replay: true");
    drawing.across("line", 316, high, low);
    drawing.finish()
}

/// Returns a length of time as the guide writes it.
fn in_words(length: Duration) -> String {
    match length.as_secs() {
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ ..3600 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

/// The attempts of the retry schedule from top to bottom, each with a bar as long as the wait before it.
fn draw_retries_of_a_delivery() -> String {
    let attempts = DELIVERY_RETRY_SCHEDULE.len();
    let end = 40 + 26 * attempts;
    let mut drawing = Drawing::new(end + 118);
    drawing.text(0, 14, "soft", "attempt");
    drawing.text(76, 14, "soft", "waits, after the attempt before");
    drawing.path("line", &format!("M12 34V{}", end + 8));
    let longest = DELIVERY_RETRY_SCHEDULE.iter().max().expect("a schedule").as_secs();
    for (nth, delay) in DELIVERY_RETRY_SCHEDULE.into_iter().enumerate() {
        let y = 34 + 26 * nth;
        drawing.dot(12, y);
        drawing.text(28, y + 5, "strong", &(nth + 1).to_string());
        let words = if delay.is_zero() { "at once".to_owned() } else { in_words(delay) };
        drawing.text(76, y + 5, "", &words);
        let length = delay.as_secs() * 200 / longest;
        if length > 0 {
            drawing.path("line", &format!("M140 {y}h{length}"));
        }
    }
    drawing.path("line", &format!("M12 {}V{}", end, end + 8));
    drawing.boxed((0, end), 92, DeliveryState::Failed.as_str());
    drawing.text(104, end + 14, "soft", "not tried again by itself; the later");
    drawing.text(104, end + 29, "soft", "notifications of the card go on");
    drawing.text(0, end + 60, "soft", &format!("2xx at any attempt: {}", DeliveryState::Delivered.as_str()));
    drawing.text(0, end + 80, "soft", "410: the subscription is paused at once");
    let days = SUBSCRIPTION_FAILING_MAX.as_secs() / 86_400;
    drawing.text(0, end + 100, "soft", &format!("{days} days of failures alone: the subscription is paused"));
    drawing.finish()
}

/// The statuses of two versions over time, and the steps of a partner below them.
fn draw_move_to_a_version() -> String {
    let [candidate, current, deprecated, retired] =
        [VersionStatus::Candidate, VersionStatus::Current, VersionStatus::Deprecated, VersionStatus::Retired]
            .map(VersionStatus::as_str);
    let mut drawing = Drawing::new(284);
    drawing.text(0, 14, "soft", "the version that you use");
    for (x, width, status) in [(0, 152, current), (160, 112, deprecated), (280, 80, retired)] {
        drawing.boxed((x, 22), width, status);
    }
    drawing.text(160, 72, "soft", &format!("at least {VERSION_NOTICE_MONTHS} months"));
    drawing.text(0, 100, "soft", "the newer version");
    for (x, width, status) in [(0, 112, candidate), (120, 240, current)] {
        drawing.boxed((x, 108), width, status);
    }
    drawing.text(0, 158, "soft", "test keys alone");
    drawing.text(120, 158, "soft", "test keys and live keys");
    for x in [116, 276] {
        drawing.path("line dashed", &format!("M{x} 18V146"));
    }
    drawing.path("line", "M12 190V278");
    for (nth, step) in [
        "read the changelog",
        "validate your documents",
        "change the path: test key, then live key",
        "move the subscriptions, one by one",
    ]
    .into_iter()
    .enumerate()
    {
        let y = 190 + 28 * nth;
        drawing.dot(12, y);
        drawing.text(28, y + 5, "", &format!("{}. {step}", nth + 1));
    }
    drawing.finish()
}

#[test]
fn drawings_of_the_guide_are_current() {
    for (name, drawing) in [
        ("card", draw_life_of_a_card()),
        ("repeat", draw_repeat_after_a_lost_answer()),
        ("delivery", draw_retries_of_a_delivery()),
        ("version", draw_move_to_a_version()),
    ] {
        assert_current(&format!("docs/partner/drawing/{name}.svg"), &drawing);
    }
}

#[test]
fn drawing_has_every_transition_and_every_retry() {
    let card = draw_life_of_a_card();
    let transitions =
        CardStatus::ALL.iter().flat_map(|from| CardStatus::ALL.iter().map(move |to| from.advance_to(*to)));
    // One arrow more, which makes the card.
    assert_eq!(card.matches("class=\"head\"").count(), transitions.filter(Result::is_ok).count() + 1);
    for word in CardStatus::ALL.map(CardStatus::as_str).into_iter().chain(Topic::ALL.map(Topic::as_str)) {
        assert!(card.contains(word), "{word}: {card}");
    }
    let delivery = draw_retries_of_a_delivery();
    assert_eq!(delivery.matches("<circle").count(), DELIVERY_RETRY_SCHEDULE.len());
    for delay in &DELIVERY_RETRY_SCHEDULE[1..] {
        assert!(delivery.contains(&format!(">{}</text>", in_words(*delay))), "{delay:?}: {delivery}");
    }
}

#[test]
fn text_beside_a_drawing_says_the_same() {
    let text =
        |path: &str| std::fs::read_to_string(format!("{}/docs/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a page");
    let alternative = |path: &str, name: &str| {
        let page = text(path);
        let before = page.split(&format!("drawing/{name}.svg)")).next().expect("a text");
        before
            .rsplit("![")
            .next()
            .filter(|alt| alt.ends_with("](") || alt.ends_with("](partner/"))
            .expect("an image")
            .to_owned()
    };
    let card = alternative("partner/first-card.md", "card");
    assert!(CardStatus::ALL.iter().all(|status| card.contains(status.as_str())), "{card}");
    let delivery = alternative("webhooks.md", "delivery");
    for delay in &DELIVERY_RETRY_SCHEDULE[1..] {
        assert!(delivery.contains(&in_words(*delay)), "{delay:?}: {delivery}");
    }
    assert!(alternative("partner/idempotency.md", "repeat").contains("Idempotency-Key"));
    let version = alternative("partner/versions.md", "version");
    assert!(
        version.contains(VersionStatus::Candidate.as_str()) && version.contains(VersionStatus::Deprecated.as_str()),
        "{version}"
    );
}
