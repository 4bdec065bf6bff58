// Receives notifications of the Partner Card Service: Node 20 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… PORT=8000 node receiver.mjs
//
// Put a proxy with TLS and a limit on bodies in front of it: the service calls public https addresses only.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const KEY = Buffer.from((process.env.WEBHOOK_SECRET ?? "").replace(/^whsec_/, ""), "base64");
const PORT = Number(process.env.PORT ?? 8000);
const TOLERANCE_SECONDS = 5 * 60;

if (KEY.length < 24) throw new Error("WEBHOOK_SECRET is not a secret: whsec_ and base64");

/** Returns true if the service sent this within the tolerance, byte for byte. */
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? "")) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const own = Buffer.from("v1," + createHmac("sha256", KEY).update(`${id}.${timestamp}.`).update(body).digest("base64"));
  // While a secret is being rotated there are two signatures: one that fits is enough.
  const given = signatures.split(" ").map((signature) => Buffer.from(signature));
  return given.some((signature) => signature.length === own.length && timingSafeEqual(signature, own));
}

// Keep both in your database, and write them in the transaction that does the work: here they go with the process.
const seenIds = new Set();
const sequences = new Map(); // of the stored state, by card

/** Stores the state of the card if it is newer, and does the work of the topic once. */
function apply({ id, topic, sequence, data: { card } }) {
  if (seenIds.has(id)) return console.log(`repeat ${id}`);
  seenIds.add(id);
  if (sequence > (sequences.get(card.id) ?? 0)) sequences.set(card.id, sequence);
  else console.log(`late ${id}`); // the stored state stays
  console.log(`${topic} ${sequence} ${card.externalDossierId} ${card.status}`);
}

async function receive(request, response) {
  if (request.method !== "POST") return response.writeHead(405).end();
  const body = await buffer(request); // the raw bytes: JSON that is parsed and written again does not fit
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const notification = JSON.parse(body);
  if (notification.type === "webhooks/challenge") return response.writeHead(200).end(notification.challenge);
  // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
  apply(notification);
  response.writeHead(204).end();
}

createServer((request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
}).listen(PORT, "127.0.0.1", () => console.log(`listening on ${PORT}`));
