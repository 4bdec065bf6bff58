// Validates the SARIF that our tests expect against the JSON schema of SARIF 2.1.0, from a public package.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';

const require = createRequire(import.meta.url);
const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats(ajv);
const valid = ajv.compile(schema);

const sarif = JSON.parse(readFileSync(new URL('../../graphql/tool/tests/output/sarif.sarif', import.meta.url), 'utf8'));
if (!valid(sarif)) {
  console.error(valid.errors);
  process.exit(1);
}
const results = sarif.runs[0].results;
// The schema rejects a wrong version, so it is in force.
if (valid({ ...sarif, version: '2.0.0' })) throw new Error('the schema of SARIF accepts anything');
console.log(`SARIF 2.1.0: ${results.length} results are valid`);
