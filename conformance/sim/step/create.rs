//! A partner creates cards, with and without an idempotency key, and repeats requests.

use std::sync::Arc;

use card_service::base::GlobalId;
use card_service::http::{ClaimGuard, IdempotencyClaims, KeyState};
use card_service::model::{Actor, Card, KeyMode, Topic, UserErrorCode};
use card_service::operation::card::{self, CreateCard};
use card_service::operation::{Caller, OperationError};
use card_service::services::Services;
use card_service::store::{IdempotencyClaim, IdempotencyKey, IdempotencyOutcome};
use sha2::{Digest as _, Sha256};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::{refusals, remember};
use crate::input::card_input;
use crate::model::{Answer, Dossier, KeyName, apply};
use crate::run::{Called, Sim};

/// A request with one or two `cardCreate` fields.
#[derive(Clone, Debug)]
pub(super) struct Request {
    partner_id: Uuid,
    key: Option<String>,
    cards: Vec<CreateCard>,
}

/// When a second request with the same key arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// The second one comes before the response to the first is stored.
    BeforeStored,
    /// Both begin, on different replicas, before the first one runs.
    OnReplicas,
}

/// The response.
enum Reply {
    /// The stored response of an earlier request.
    Stored(String),
    /// The key belongs to another request.
    Reused,
    Cards(Vec<Result<Arc<Card>, OperationError>>),
}

/// The expected result of a `cardCreate`.
enum Wanted {
    New(Box<Card>),
    Earlier(Uuid),
    Reused,
    /// Another card of the partner has the dossier number.
    Taken,
}

impl Request {
    fn digest(&self) -> [u8; 32] {
        Sha256::digest(format!("{:?}", self.cards)).into()
    }

    fn key_name(&self) -> Option<KeyName> {
        self.key.as_ref().map(|text| (self.partner_id, text.clone()))
    }
}

impl Sim {
    pub(super) fn create(&mut self) {
        let repeated = self.chance(35) && !self.memory.requests.is_empty();
        let request = if repeated { self.random.pick(&self.memory.requests).clone() } else { self.new_request() };
        let caller = self.caller(request.partner_id);
        let (requests, arrival) = match self.random.below(10) {
            0 => (vec![request.clone(), request.clone()], Arrival::BeforeStored),
            1 => (vec![request.clone(), request.clone()], Arrival::OnReplicas),
            2 => {
                let (partner_id, key) = (request.partner_id, request.key.clone());
                let other = Request { partner_id, key, ..self.new_request() };
                (vec![request.clone(), other], Arrival::OnReplicas)
            }
            _ => (vec![request.clone()], Arrival::BeforeStored),
        };
        let sent = requests.clone();
        let called = self.call(async |services, _| send(services, caller, &sent, arrival).await);
        let doubtful = called.is_lost() || self.faulted;
        match called {
            Called::Returned(Ok(replies)) => {
                for (index, reply) in replies.into_iter().enumerate() {
                    // A fault may have kept the key from the request before.
                    if index > 0
                        && self.faulted
                        && let Some(name) = request.key_name()
                    {
                        self.check_key(&name, true);
                    }
                    self.check_reply(&requests[index], reply, index > 0 && arrival == Arrival::OnReplicas);
                }
            }
            Called::Returned(Err(error)) => panic!("a create failed: {error}"),
            Called::Lost => requests.iter().for_each(|request| self.created(request, None, false)),
        }
        if let Some(name) = request.key_name() {
            self.check_key(&name, doubtful);
        }
        remember(&mut self.memory.requests, request);
    }

    /// Checks a reply; `is_later`: another request came first after this one had begun.
    fn check_reply(&mut self, request: &Request, reply: Reply, is_later: bool) {
        let name = request.key_name();
        let record = name.and_then(|name| self.model.record(&name, self.now()));
        let is_other = record.is_some_and(|record| record.is_of_other(request.digest()));
        let outcome = record.and_then(|record| record.outcome.as_ref());
        match reply {
            Reply::Stored(response) => {
                assert!(!is_other, "a response is sent to its own request");
                assert_eq!(Some(&response), outcome.map(|outcome| &outcome.response), "the stored response");
                self.note("a create is repeated");
            }
            Reply::Reused => {
                assert!(is_other, "only a key of another request is refused");
                self.note("a create with the key of another request");
            }
            Reply::Cards(cards) => {
                assert!(
                    is_later || outcome.is_none(),
                    "a request that succeeded is not run again, and no other under its key"
                );
                self.created(request, Some(cards), is_later);
            }
        }
    }

    fn new_request(&mut self) -> Request {
        let partner_id = self.any_partner();
        let key = if self.chance(60) { Some(format!("k{}", self.random.below(6))) } else { None };
        let count = if self.chance(12) { 2 } else { 1 };
        let mut cards = Vec::new();
        for _ in 0..count {
            let external_dossier_id = format!("2026-{}", self.random.below(14));
            cards.push(CreateCard { external_dossier_id, fields: card_input(&mut self.random, &self.model.themes) });
        }
        Request { partner_id, key, cards }
    }

    /// Checks the outcomes of the fields in their order, or finds out what became of a lost request.
    fn created(&mut self, request: &Request, outcomes: Option<Vec<Result<Arc<Card>, OperationError>>>, is_later: bool) {
        let (now, name) = (self.now(), request.key_name());
        let mut ids = Some(Vec::new());
        let lost = outcomes.is_none();
        let mut outcomes = outcomes.map(Vec::into_iter);
        for (ordinal, input) in (0..).zip(&request.cards) {
            let wanted = self.wanted(request, ordinal, input);
            let id =
                match (wanted, outcomes.as_mut().map(|outcomes| outcomes.next().expect("each field has an outcome"))) {
                    (Wanted::New(card), Some(outcome)) => {
                        let Ok(row) = outcome else { panic!("no new card: {outcome:?}") };
                        assert_eq!(*row, Card { id: row.id, event_count: 1, ..*card }, "the new card");
                        Some((row.id, true))
                    }
                    (Wanted::New(_), None) => {
                        self.found(request.partner_id, &input.external_dossier_id).map(|id| (id, true))
                    }
                    (Wanted::Earlier(id), Some(outcome)) => {
                        assert!(matches!(&outcome, Ok(row) if row.id == id), "not card {id}: {outcome:?}");
                        Some((id, false))
                    }
                    (Wanted::Earlier(id), None) => Some((id, false)),
                    (Wanted::Reused, outcome) => {
                        // The input is checked before the key of a request that began before the other one ran.
                        let is_refused = matches!(outcome, Some(Err(OperationError::Refused(_))));
                        let is_reused = matches!(outcome, None | Some(Err(OperationError::KeyReused)));
                        assert!(is_reused || (is_later && is_refused), "{outcome:?}");
                        None
                    }
                    (Wanted::Taken, Some(outcome)) => {
                        let Err(OperationError::Refused(errors)) = outcome else { panic!("not refused: {outcome:?}") };
                        assert_eq!(refusals(&errors), [(UserErrorCode::Taken, "input.externalDossierId".to_owned())]);
                        None
                    }
                    (Wanted::Taken, None) => None,
                };
            self.note(format!("create {} {:?}: {}", input.external_dossier_id, request.key, id.is_some()));
            let Some((id, is_new)) = id else {
                ids = None;
                continue;
            };
            if is_new {
                let Wanted::New(card) = self.wanted(request, ordinal, input) else { unreachable!("it is new") };
                let mut dossier = Dossier::new(Card { id, ..*card });
                dossier.happened(Topic::CardsCreate, Actor::Partner, Vec::new(), now);
                self.model.cards.insert(id, dossier);
                if let Some(name) = &name {
                    self.model.record_card(name, ordinal, (format!("{input:?}"), id), now);
                }
                self.check_card(id);
            }
            if let Some(ids) = &mut ids {
                ids.push(id);
            }
        }
        if let (Some(name), Some(ids), false) = (&name, ids, lost) {
            let outcome = IdempotencyOutcome { request: request.digest(), response: response(&ids) };
            self.model.store_outcome(name, outcome);
        }
    }

    fn wanted(&self, request: &Request, ordinal: i32, input: &CreateCard) -> Wanted {
        let now = self.now();
        if let Some(name) = request.key_name() {
            match self.model.answer(&name, request.digest(), ordinal, &format!("{input:?}"), now) {
                Answer::Runs => {}
                Answer::Earlier(id) => return Wanted::Earlier(id),
                Answer::Reused => return Wanted::Reused,
            }
        }
        let number = &input.external_dossier_id;
        let mut card = Card {
            partner_id: request.partner_id,
            external_dossier_id: number.clone(),
            created_at: now,
            updated_at: now,
            ..Card::default()
        };
        assert_eq!(apply(&mut card, &input.fields, &self.model.themes), None, "a draft takes each theme");
        if self.model.holder(request.partner_id, number).is_none() {
            Wanted::New(Box::new(card))
        } else {
            Wanted::Taken
        }
    }

    /// The stored card with this number.
    fn found(&self, partner_id: Uuid, number: &str) -> Option<Uuid> {
        let cards = self.read(async |store| store.cards_of_dossier(number).await);
        cards.into_iter().find(|card| card.partner_id == partner_id).map(|card| card.id)
    }

    /// Compares the record of a key. After a fault it may have the outcome or not.
    fn check_key(&mut self, name: &KeyName, doubtful: bool) {
        let now = self.now();
        let key = IdempotencyKey { partner_id: name.0, mode: KeyMode::Live, text: name.1.clone() };
        let claim = IdempotencyClaim::new(key, [0; 32], now);
        let row = self.read(async |store| store.find_claimed_key(&claim).await);
        let row = row.map(|key| (key.made_at, key.outcome));
        if doubtful && let (Some((_, outcome)), Some(record)) = (&row, self.model.keys.get_mut(name)) {
            record.outcome.clone_from(outcome);
        }
        let wanted = self.model.record(name, now).map(|record| (record.made_at, record.outcome.clone()));
        assert_eq!(row, wanted, "the record of a key");
    }
}

/// Sends requests as the handler of partner requests runs them.
async fn send(
    services: &Arc<Services>,
    caller: Caller,
    requests: &[Request],
    arrival: Arrival,
) -> Result<Vec<Reply>, &'static str> {
    let stored_later = TaskTracker::new();
    stored_later.close();
    let replica = || IdempotencyClaims::new(Arc::clone(services), stored_later.clone());
    let mut replies = Vec::new();
    if arrival == Arrival::BeforeStored {
        let claims = replica();
        for request in requests {
            let begun = begin(&claims, request).await?;
            replies.push(run(services, caller.clone(), request, begun).await?);
        }
        stored_later.wait().await;
    } else {
        let mut all = Vec::new();
        for request in requests {
            all.push(begin(&replica(), request).await?);
        }
        for (request, begun) in requests.iter().zip(all) {
            replies.push(run(services, caller.clone(), request, begun).await?);
            stored_later.wait().await;
        }
    }
    Ok(replies)
}

/// Claims the key of a request, if it has one. Returns the reply if it does not run.
async fn begin(
    claims: &IdempotencyClaims,
    request: &Request,
) -> Result<Result<Option<ClaimGuard>, Reply>, &'static str> {
    let Some(text) = request.key.clone() else { return Ok(Ok(None)) };
    let key = IdempotencyKey { partner_id: request.partner_id, mode: KeyMode::Live, text };
    match claims.claim(key, request.digest()).await {
        Ok(KeyState::Claimed(held)) => Ok(Ok(Some(held))),
        Ok(KeyState::Answered(response)) => Ok(Err(Reply::Stored(response))),
        Err(error) if error.code() == "IDEMPOTENCY_KEY_REUSED" => Ok(Err(Reply::Reused)),
        Err(error) => Err(error.code()),
    }
}

async fn run(
    services: &Services,
    mut caller: Caller,
    request: &Request,
    begun: Result<Option<ClaimGuard>, Reply>,
) -> Result<Reply, &'static str> {
    let held = match begun {
        Ok(held) => held,
        Err(reply) => return Ok(reply),
    };
    caller.claim = held.as_ref().map(ClaimGuard::claim);
    let mut outcomes = Vec::new();
    for (ordinal, input) in (0..).zip(&request.cards) {
        match card::create(services, &caller, input.clone(), ordinal).await {
            Err(OperationError::Failed(_)) => return Err("the store failed"),
            outcome => outcomes.push(outcome),
        }
    }
    let ids: Option<Vec<Uuid>> = outcomes.iter().map(|outcome| outcome.as_ref().ok().map(|card| card.id)).collect();
    if let (Some(held), Some(ids)) = (held, ids) {
        held.store_later(response(&ids));
    }
    Ok(Reply::Cards(outcomes))
}

/// The response of a request that created these cards.
fn response(ids: &[Uuid]) -> String {
    format!("{ids:?}")
}

/// The global id of a card.
pub(super) fn gid(id: Uuid) -> String {
    GlobalId::new(card_service::base::Kind::Card, id).to_string()
}
