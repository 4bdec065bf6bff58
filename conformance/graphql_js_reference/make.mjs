// Records what graphql-js answers to every operation in cases.jsonl, one case a line:
//   {query, variables?, operationName?, answer}
// where answer is {refused: [{message, locations}]} for a request that does not run, else
// {data, errors?: [{path, locations}]}.
// Run it with `npm install && npm run make`; continuous integration runs it and wants no difference.
// With a seed as its argument it prints generated and mangled cases instead (fuzz.rs).

import { readFileSync, writeFileSync } from 'node:fs';
import { GraphQLError, Kind, buildSchema, getIntrospectionQuery, graphql, validateSchema } from 'graphql';

import { json, operations } from './operations.mjs';
import { mangled } from './mangle.mjs';
import { random } from './random.mjs';
import { root } from './test_schema.mjs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

// These scalars are strings; what the string says is for the operation. Any other scalar is any JSON.
function load(path, scalars) {
  const schema = buildSchema(read(path));
  const faults = validateSchema(schema);
  if (faults.length > 0) throw faults[0];
  for (const name of scalars) {
    const scalar = schema.getType(name);
    const parse = (value) => {
      if (typeof value !== 'string') throw new GraphQLError(`${name} cannot represent ${JSON.stringify(value)}`);
      return value;
    };
    scalar.serialize = (value) => value;
    scalar.parseValue = parse;
    // What is undefined here is refused in words of graphql-js's own, with its place.
    scalar.parseLiteral = (node) => (node.kind === Kind.STRING ? node.value : undefined);
  }
  return schema;
}

const introspection = getIntrospectionQuery({
  descriptions: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
  schemaDescription: true,
  specifiedByUrl: true,
});

const seed = process.argv[2] && Number(process.argv[2]);

const schema = load('test.graphql', ['Day', 'Address']);
const written = [[introspection], ...operations];
const generated = seed === undefined ? [] : random(schema, 260, seed);
const cases = seed === undefined ? [...written, ...json] : [...generated, ...mangled([...written, ...generated], 900, seed)];
const lines = [];
for (const [query, variables, operationName] of cases) {
  const reply = await graphql({ schema, source: query, rootValue: root(), variableValues: variables, operationName });
  const errors = reply.errors?.map(({ path, locations }) => ({ path, locations }));
  const answer =
    'data' in reply
      ? { data: reply.data, errors }
      : { refused: reply.errors.map(({ message, locations }) => ({ message, locations })) };
  lines.push(JSON.stringify({ query, variables, operationName, answer }));
}
if (seed === undefined) {
  writeFileSync(new URL('cases.jsonl', import.meta.url), lines.join('\n') + '\n');
  console.log(`${lines.length} cases`);
} else {
  process.stdout.write(lines.join('\n') + '\n');
}
