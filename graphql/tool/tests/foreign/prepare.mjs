// Prints the SDL of a file, which may be the JSON of introspection, without what is refused on purpose: a field that is
// defined twice, and subscriptions. Usage: node prepare.mjs schema.graphql   (needs the package graphql)

import { readFileSync } from 'node:fs';
import { buildClientSchema, parse, printSchema } from 'graphql';

let text = readFileSync(process.argv[2], 'utf8');
if (text.trimStart().startsWith('{')) {
  const json = JSON.parse(text);
  text = printSchema(buildClientSchema(json.data ?? json));
}
const { definitions } = parse(text);
const subscription = ({ operation }) => operation === 'subscription';
const roots = definitions.flatMap((definition) => definition.operationTypes?.filter(subscription) ?? []);
const cut = [...roots, ...definitions.filter(({ name }) => roots.some((root) => root.type.name.value === name?.value))];
for (const { fields = [] } of definitions) {
  cut.push(...fields.filter((field, at) => fields.findIndex((other) => other.name.value === field.name.value) < at));
}
cut.sort((a, b) => b.loc.start - a.loc.start);
for (const { loc } of cut) text = text.slice(0, loc.start) + text.slice(loc.end);
process.stdout.write(text);
