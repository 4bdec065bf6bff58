// Receives notifications of the Partner Card Service: Node 20 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… PORT=8000 node receiver.mjs
//
// Put TLS in front of it: the service calls public https addresses only.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const KEY = Buffer.from((process.env.WEBHOOK_SECRET ?? "").replace(/^whsec_/, ""), "base64");
const PORT = Number(process.env.PORT ?? 8000);
const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 64 * 1024;

if (KEY.length < 24) throw new Error("WEBHOOK_SECRET is not a secret: whsec_ and base64");

/** Whether the service sent this, just now, byte for byte. */
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? "")) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const own = createHmac("sha256", KEY).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is being rotated there are two signatures: one that fits is enough.
  return signatures.split(" ").some((signature) => {
    if (!signature.startsWith("v1,")) return false;
    const given = Buffer.from(signature.slice(3), "base64");
    return given.length === own.length && timingSafeEqual(given, own);
  });
}

// Keep both in your database, and write them in the transaction that does the work: here they go with the process.
const seenIds = new Set();
const sequences = new Map(); // by card

/** Does the work of a notification, once, and never goes back in time. */
function apply(notification) {
  if (seenIds.has(notification.id)) return console.log(`repeat ${notification.id}`);
  seenIds.add(notification.id);
  const { card } = notification.data;
  if (notification.sequence <= (sequences.get(card.id) ?? 0)) return console.log(`overtaken ${notification.id}`);
  sequences.set(card.id, notification.sequence);
  console.log(`${notification.topic} ${notification.sequence} ${card.externalDossierId} ${card.status}`);
}

createServer((request, response) => {
  const answer = (status) => response.writeHead(status).end();
  if (request.method !== "POST") return answer(405);
  const chunks = [];
  let size = 0;
  request.on("data", (chunk) => {
    size += chunk.length;
    if (size <= BODY_BYTES_MAX) chunks.push(chunk);
  });
  request.on("end", () => {
    if (size > BODY_BYTES_MAX) return answer(413);
    const body = Buffer.concat(chunks); // the raw bytes: JSON that is parsed and written again does not fit
    if (!isGenuine(request.headers, body)) return answer(401);
    const notification = JSON.parse(body);
    if (notification.type === "webhooks/challenge") {
      return response.writeHead(200, { "content-type": "text/plain" }).end(notification.challenge);
    }
    // Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
    apply(notification);
    answer(204);
  });
}).listen(PORT, "127.0.0.1", () => console.log(`listening on ${PORT}`));
