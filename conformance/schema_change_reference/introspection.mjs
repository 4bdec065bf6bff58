// Records how graphql-js answers the introspection query of `cargo schema diff` for codegen/tool/tests/command/introspection.graphql.

import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, getIntrospectionQuery, graphqlSync } from 'graphql';

const folder = new URL('../../codegen/tool/tests/command/', import.meta.url);
const schema = buildSchema(readFileSync(new URL('introspection.graphql', folder), 'utf8'));
const options = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true };
const answer = graphqlSync({ schema, source: getIntrospectionQuery(options) });
if (answer.errors) throw answer.errors[0];
// Introspection's own types are left out: they are the same for every schema.
answer.data.__schema.types = answer.data.__schema.types.filter((type) => !type.name.startsWith('__'));
writeFileSync(new URL('introspection.json', folder), `${JSON.stringify(answer)}\n`);
console.log(`introspection: ${answer.data.__schema.types.length} types`);
// Our own queries are valid for graphql-js, too.
const source = readFileSync(new URL('../../codegen/tool/src/check/introspection.rs', import.meta.url), 'utf8');
for (const [, name, text] of source.matchAll(/const (QUERY\w*): &str = "([^"]*)";/g)) {
  const { errors } = graphqlSync({ schema, source: text.replaceAll(/\\\n\s*/g, '') });
  if (errors) throw new Error(`${name}: ${errors[0].message}`);
  console.log(`${name} is valid`);
}
