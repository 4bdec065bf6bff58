// Says for each request on stdin whether npm's `standardwebhooks` believes it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.STANDARDWEBHOOKS_FOLDER}/`);
const { Webhook, WebhookVerificationError } = require("standardwebhooks");
const { secret, requests } = JSON.parse(readFileSync(0, "utf8"));
const webhook = new Webhook(secret);

function believes({ headers, body }) {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

console.log(JSON.stringify(requests.map(believes)));
