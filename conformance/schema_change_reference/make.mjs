// Records how graphql-js classifies the changes in every case of graphql/tool/tests/change.
// changes.json holds the changes of each case: {breaking: [kinds], dangerous: [kinds]}.
// pairs.json compares the new schemas of two cases, which differ in many changes at once: the kinds for every third pair,
// with their counts.
// Run it with `npm install && npm run make`; continuous integration fails on a difference.

import { writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, findDangerousChanges, validateSchema } from 'graphql';
import { schemas } from './cases.mjs';

const cases = schemas(new URL('../../graphql/tool/tests/change/', import.meta.url));

function load(name, version) {
  const schema = buildSchema(cases[name][version]);
  const faults = validateSchema(schema);
  if (faults.length > 0) throw new Error(`${name}, ${version}: ${faults[0].message}`);
  return schema;
}

const kinds = (changes) => changes.map((change) => change.type).sort();

const found = {};
for (const name of Object.keys(cases)) {
  const [old, new_] = [load(name, 'old'), load(name, 'new')];
  found[name] = { breaking: kinds(findBreakingChanges(old, new_)), dangerous: kinds(findDangerousChanges(old, new_)) };
}
const names = Object.keys(found);
const news = names.map((name) => load(name, 'new'));
const pairs = {};
for (const [i, from] of names.entries()) {
  for (const [j, to] of names.entries()) {
    if (i === j || (i + j * names.length) % 3 !== 0) continue;
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
