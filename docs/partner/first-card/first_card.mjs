// Creates a card of the Partner Card Service and opens it for a family: Node 20 or newer, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… node first_card.mjs 2026-0142

import { createHash } from "node:crypto";

const ENDPOINT = `${process.env.SERVICE_URL}/partner/api/2026-10/graphql`;
const dossier = process.argv[2];

/** Sends an operation and returns the payload of its mutation; throws on any error. */
async function send(query, variables, headers = {}) {
  const response = await fetch(ENDPOINT, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Service-Access-Token": process.env.TOKEN, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) {
    const [{ message, extensions }] = errors;
    throw new Error(`${response.status} ${extensions.code}: ${message} ${extensions.detail ?? ""}`);
  }
  const [payload] = Object.values(data);
  if (payload.userErrors.length > 0) {
    throw new Error(payload.userErrors.map((error) => `${(error.field ?? []).join(".")}: ${error.message}`).join("\n"));
  }
  return payload;
}

const CREATE = `mutation($input: CardCreateInput!) {
  cardCreate(input: $input) { card { id status } userErrors { field message code } }
}`;
const input = { externalDossierId: dossier, deceased: { firstName: "Johanna", lastName: "van den Berg" } };
// The key makes it safe to send the same request again. A digest is a valid key whatever characters the number has.
const key = createHash("sha256").update(dossier).digest("hex");
const { card } = await send(CREATE, { input }, { "Idempotency-Key": key });
console.log(`card ${card.id} ${card.status}`);

const OPEN = `mutation($id: ID!) {
  cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { field message code } }
}`;
// Redirect the browser to it at once: it works one time, within ten minutes.
const { cardSession } = await send(OPEN, { id: card.id });
console.log(`open ${cardSession.url}`);
