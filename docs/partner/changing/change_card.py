"""Sets or clears the broadcast address of a card, and leaves its other fields as they are: Python 3.9 or newer, no packages.

    SERVICE_URL=https://… TOKEN=pcs_test_… python3 change_card.py gid://service/Card/… https://video.example/afscheid

`-` in the place of the address clears it.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, fields

UNSET = object()


@dataclass
class CardUpdate:
    """The fields of a change: UNSET leaves a field as it is, None clears it."""

    livestreamUrl: object = UNSET
    themeId: object = UNSET
    deceased: object = UNSET
    familyContact: object = UNSET

    def variables(self) -> dict:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not UNSET}


card_id, address = sys.argv[1:]
change = CardUpdate(livestreamUrl=None if address == "-" else address)
QUERY = """mutation($id: ID!, $input: CardUpdateInput!) {
  cardUpdate(id: $id, input: $input) { card { livestreamUrl } userErrors { field message code } }
}"""
request = urllib.request.Request(
    f"{os.environ['SERVICE_URL']}/partner/api/2026-10/graphql",
    data=json.dumps({"query": QUERY, "variables": {"id": card_id, "input": change.variables()}}).encode(),
    headers={"Content-Type": "application/json", "X-Service-Access-Token": os.environ["TOKEN"]},
)
try:
    answer = json.load(urllib.request.urlopen(request, timeout=60))
except urllib.error.HTTPError as refused:
    answer = json.load(refused)
if "errors" in answer:
    extensions = answer["errors"][0]["extensions"]
    raise SystemExit(f"{extensions['code']}: {answer['errors'][0]['message']} {extensions.get('detail', '')}")
payload = answer["data"]["cardUpdate"]
if payload["userErrors"]:
    raise SystemExit("\n".join(error["message"] for error in payload["userErrors"]))
print("broadcast", payload["card"]["livestreamUrl"])
