// Has graphql-js and graphql-inspector name the changes in every case of codegen/tool/tests/change, and writes what they say to
// changes.json, by case:
//   {graphqlJs: {breaking: [kinds], dangerous: [kinds]}, inspector: {KIND: LEVEL}}
// graphql-inspector also names every part of a thing that was added; those are left out, as ours are.
// The cases change one schema in different ways, so from one case's new schema to another's there are many changes at once:
// what graphql-js says of every seventh such pair is in pairs.json, by kind and how often.
// Run it with `npm install && npm run make`; continuous integration runs it and wants no difference.

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

// What can be added as a whole.
const WHOLE =
  /^(TYPE|FIELD|FIELD_ARGUMENT|INPUT_FIELD|ENUM_VALUE|DIRECTIVE|DIRECTIVE_USAGE_(?!ARGUMENT_ADDED)\w+)_ADDED$/;

// Whether a change is a part of something that was added as a whole.
function isPart(change, wholes) {
  const below = (path) => change.path?.startsWith(`${path}.`) || (change.path === path && !WHOLE.test(change.type));
  return wholes.some((whole) => below(whole.path));
}

// A deprecation is named twice: as such, and as the use of a directive.
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
const lines = Object.entries(pairs).map(([pair, count]) => `${JSON.stringify(pair)}: ${JSON.stringify(count)}`);
writeFileSync(new URL('pairs.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);

writeFileSync(new URL('changes.json', import.meta.url), JSON.stringify(found, null, 1) + '\n');
console.log(`${names.length} cases, ${lines.length} pairs`);
