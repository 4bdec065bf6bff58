// Runs the public audit suite of GraphQL over HTTP (npm: graphql-http) against a running server.
// Called by .ci/audit. Source: decisions H5.
//
//   node audit.mjs <address of the endpoint> <access token>
//
// Every MUST and SHOULD has to pass, for both media types. What is optional (MAY) is listed and not required:
// queries over GET, which the service does not answer, and what it decides otherwise.

import { auditServer } from 'graphql-http';

const [url, token] = process.argv.slice(2);
if (!url || !token) {
  console.error('usage: node audit.mjs <address of the endpoint> <access token>');
  process.exit(2);
}

// The suite knows no tokens: each of its requests gets ours.
const fetchFn = (address, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('X-Service-Access-Token', token);
  return fetch(address, { ...init, headers });
};

const results = await auditServer({ url, fetchFn });
const counted = { ok: 0, notice: 0, warn: 0, error: 0 };
for (const result of results) {
  counted[result.status] += 1;
  if (result.status !== 'ok') {
    const answer = result.response ? `, answered with ${result.response.status}` : '';
    console.log(`${result.status}: ${result.id} ${result.name}: ${result.reason}${answer}`);
  }
}
console.log(`${results.length} checks: ${counted.ok} passed, ${counted.notice} optional ones not, ` +
  `${counted.warn} SHOULD failed, ${counted.error} MUST failed`);
process.exit(results.length > 0 && counted.warn + counted.error === 0 ? 0 : 1);
