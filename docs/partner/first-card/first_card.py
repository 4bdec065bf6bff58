"""Creates a card of the Partner Card Service and opens it for a family: Python 3.9 or newer, no packages.

    SERVICE_URL=https://… TOKEN=pcs_test_… python3 first_card.py 2026-0142
"""

import hashlib
import json
import os
import sys
import urllib.error
import urllib.request

ENDPOINT = f"{os.environ['SERVICE_URL']}/partner/api/2026-10/graphql"


def send(query: str, variables: dict, headers: dict = {}) -> dict:
    """Sends an operation and returns the payload of its mutation; raises on any error."""
    request = urllib.request.Request(
        ENDPOINT,
        data=json.dumps({"query": query, "variables": variables}).encode(),
        headers={"Content-Type": "application/json", "X-Service-Access-Token": os.environ["TOKEN"], **headers},
    )
    try:
        answer = json.load(urllib.request.urlopen(request, timeout=60))
    except urllib.error.HTTPError as refused:
        answer = json.load(refused)
    if "errors" in answer:
        error = answer["errors"][0]
        extensions = error["extensions"]
        raise SystemExit(f"{extensions['code']}: {error['message']} {extensions.get('detail', '')}")
    (payload,) = answer["data"].values()
    if payload["userErrors"]:
        raise SystemExit("\n".join(f"{'.'.join(e['field'] or [])}: {e['message']}" for e in payload["userErrors"]))
    return payload


CREATE = """mutation($input: CardCreateInput!) {
  cardCreate(input: $input) { card { id status } userErrors { field message code } }
}"""
OPEN = """mutation($id: ID!) {
  cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { field message code } }
}"""

dossier = sys.argv[1]
card_input = {"externalDossierId": dossier, "deceased": {"firstName": "Johanna", "lastName": "van den Berg"}}
# The key makes it safe to send the same request again. A digest is a valid key whatever characters the number has.
key = hashlib.sha256(dossier.encode()).hexdigest()
card = send(CREATE, {"input": card_input}, {"Idempotency-Key": key})["card"]
print("card", card["id"], card["status"])
# Redirect the browser to it at once: it works one time, within ten minutes.
print("open", send(OPEN, {"id": card["id"]})["cardSession"]["url"])
