"""Says for each request on stdin whether PyPI's `standardwebhooks` believes it."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def believes(webhook: Webhook, request: dict) -> bool:
    try:
        webhook.verify(request["body"], request["headers"], json_parse=False)
    except WebhookVerificationError:
        return False
    return True


given = json.load(sys.stdin)
webhook = Webhook(given["secret"])
print(json.dumps([believes(webhook, request) for request in given["requests"]]))
