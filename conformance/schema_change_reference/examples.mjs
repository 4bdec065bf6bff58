// Validates the examples of the reference site with graphql-js, and coerces their variables.

import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const schema = buildSchema(read('../../schema/2026-10.graphql'));

// "# Query.card", the document, and the variables from a line `{` to a line `}`.
const examples = read('examples.txt').split('\n\n').filter((text) => text.trim() !== '');
for (const text of examples) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line === '{' || line === '{}');
  const document = parse(lines.slice(0, at).join('\n'));
  const errors = validate(schema, document);
  const [operation] = document.definitions;
  const variables = getVariableValues(schema, operation.variableDefinitions, JSON.parse(lines.slice(at).join('\n')));
  const faults = [...errors, ...(variables.errors ?? [])];
  if (faults.length > 0) throw new Error(`${lines[0]}: ${faults[0].message}`);
}
console.log(`${examples.length} examples of the reference are valid`);
