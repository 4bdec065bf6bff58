// Records how graphql-js and graphql-inspector classify the changes in every case of codegen/tool/tests/change.
// changes.json holds the changes of each case:
//   {graphqlJs: {breaking: [kinds], dangerous: [kinds]}, inspector: {KIND: LEVEL}}
// graphql-inspector also reports every part of an added element; the parts are left out, as in our own diff.
// pairs.json compares the new schemas of two cases, which differ in many changes at once: the kinds that graphql-js reports
// for every seventh pair, with their counts.
// Run it with `npm install && npm run make`; continuous integration fails on a difference.

import { writeFileSync } from 'node:fs';
import { diff } from '@graphql-inspector/core';
import { buildSchema, findBreakingChanges, findDangerousChanges, validateSchema } from 'graphql';
import { schemas } from './cases.mjs';

const cases = schemas(new URL('../../codegen/tool/tests/change/', import.meta.url));

function load(name, version) {
  const schema = buildSchema(cases[name][version]);
  const faults = validateSchema(schema);
  if (faults.length > 0) throw new Error(`${name}, ${version}: ${faults[0].message}`);
  return schema;
}

const kinds = (changes) => changes.map((change) => change.type).sort();

// The kinds that add a whole element.
const WHOLE =
  /^(TYPE|FIELD|FIELD_ARGUMENT|INPUT_FIELD|ENUM_VALUE|DIRECTIVE|DIRECTIVE_USAGE_(?!ARGUMENT_ADDED)\w+)_ADDED$/;

// Returns whether a change is a part of an element that was added as a whole.
function isPart(change, wholes) {
  const below = (path) => change.path?.startsWith(`${path}.`) || (change.path === path && !WHOLE.test(change.type));
  return wholes.some((whole) => below(whole.path));
}

// Returns whether a change repeats a deprecation as the use of a directive.
function isDeprecation(change, changes) {
  if (!change.type.startsWith('DIRECTIVE_USAGE_') || !change.path?.includes('@deprecated')) return false;
  const around = change.path.slice(0, change.path.indexOf('.@deprecated'));
  return changes.some((other) => other.type.includes('_DEPRECATION_') && other.path?.startsWith(around));
}

const found = {};
for (const name of Object.keys(cases)) {
  const [old, new_] = [load(name, 'old'), load(name, 'new')];
  const graphqlJs = { breaking: kinds(findBreakingChanges(old, new_)), dangerous: kinds(findDangerousChanges(old, new_)) };
  const changes = await diff(old, new_);
  const wholes = changes.filter((change) => WHOLE.test(change.type) && !isDeprecation(change, changes));
  const whole = changes.filter((change) => !isPart(change, wholes) && !isDeprecation(change, changes));
  const inspector = Object.fromEntries(
    whole.map((change) => [change.type, change.criticality.level]).sort(([a], [b]) => a.localeCompare(b)),
  );
  found[name] = { graphqlJs, inspector };
}
const names = Object.keys(found);
const news = names.map((name) => load(name, 'new'));
const pairs = {};
for (const [i, from] of names.entries()) {
  for (const [j, to] of names.entries()) {
    if (i === j || (i + j * names.length) % 7 !== 0) continue;
    const count = {};
    for (const { type } of [...findBreakingChanges(news[i], news[j]), ...findDangerousChanges(news[i], news[j])]) {
      count[type] = (count[type] ?? 0) + 1;
    }
    pairs[`${from} ${to}`] = Object.fromEntries(Object.entries(count).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

// Writes the entries as one JSON object, a line for each group of entries with the same `line`.
function write(file, object, line) {
  const lines = new Map();
  for (const [key, value] of Object.entries(object)) {
    const entry = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    lines.set(line(key), [...(lines.get(line(key)) ?? []), entry]);
  }
  const text = [...lines.values()].map((entries) => entries.join(', ')).join(',\n');
  writeFileSync(new URL(file, import.meta.url), `{\n${text}\n}\n`);
}
write('pairs.json', pairs, (pair) => pair.split(' ')[0]);
write('changes.json', found, (name) => name);
console.log(`${names.length} cases, ${Object.keys(pairs).length} pairs`);
