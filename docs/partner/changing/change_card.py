"""Sets or clears the broadcast address of a card, may change the first name of the deceased, and leaves its other fields as they
are: Python 3.9 or newer, no packages.

    SERVICE_URL=https://… TOKEN=pcs_test_… python3 change_card.py gid://service/Card/… https://video.example/afscheid [Johanna]

`-` in the place of the address clears it.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, fields, is_dataclass

UNSET = object()


@dataclass
class Deceased:
    firstName: object = UNSET
    lastName: object = UNSET


@dataclass
class CardUpdate:
    """The fields of a change: UNSET leaves a field as it is, None clears it."""

    livestreamUrl: object = UNSET
    themeId: object = UNSET
    deceased: object = UNSET
    familyContact: object = UNSET


def variables(value):
    """Returns the fields of an object that are set, also of objects inside it."""
    if not is_dataclass(value):
        return value
    values = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: variables(inner) for name, inner in values.items() if inner is not UNSET}


card_id, address, *first_name = sys.argv[1:]
change = CardUpdate(livestreamUrl=None if address == "-" else address)
if first_name:
    change.deceased = Deceased(firstName=first_name[0])
QUERY = """mutation($id: ID!, $input: CardUpdateInput!) {
  cardUpdate(id: $id, input: $input) { card { livestreamUrl } userErrors { field message code } }
}"""
request = urllib.request.Request(
    f"{os.environ['SERVICE_URL']}/partner/api/2026-10/graphql",
    data=json.dumps({"query": QUERY, "variables": {"id": card_id, "input": variables(change)}}).encode(),
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
