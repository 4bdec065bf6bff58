"""Receives notifications of the Partner Card Service: Python 3.9 or newer, no packages.

    WEBHOOK_SECRET=whsec_… PORT=8000 python3 receiver.py

Put a proxy with TLS and a limit on bodies in front of it: the service calls public https addresses only.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
PORT = int(os.environ.get("PORT", "8000"))
TOLERANCE_SECONDS = 5 * 60


def is_genuine(headers, body: bytes) -> bool:
    """Returns True if the service sent this within the tolerance, byte for byte."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    own = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # While a secret is being rotated there are two signatures: one that fits is enough.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(own, signature.encode()) for signature in given)


# Keep both in your database, and write them in the transaction that does the work: here they go with the process.
seen_ids: set[str] = set()
sequences: dict[str, int] = {}  # of the stored state, by card


def apply(notification: dict) -> None:
    """Stores the state of the card if it is newer, and does the work of the topic once."""
    card, sequence = notification["data"]["card"], notification["sequence"]
    if notification["id"] in seen_ids:
        return print("repeat", notification["id"], flush=True)
    seen_ids.add(notification["id"])
    if sequence > sequences.get(card["id"], 0):
        sequences[card["id"]] = sequence
    else:
        print("late", notification["id"], flush=True)  # the stored state stays
    print(notification["topic"], sequence, card["externalDossierId"], card["status"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        # The raw bytes: JSON that is parsed and written again does not fit.
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        notification = json.loads(body)
        if notification["type"] == "webhooks/challenge":
            return self.answer(200, notification["challenge"].encode())
        # Quick work may be done at once. What takes longer than a few seconds belongs in a queue: answer first.
        apply(notification)
        self.answer(204)

    def answer(self, status: int, text: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_) -> None:
        pass


print(f"listening on {PORT}", flush=True)
HTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
