// Writes the SDL of a file, which may be the JSON of introspection, without fields that are defined twice, which no tool reads.
// With CUT, it is without the fields and values whose description has this text too.
// Usage: node prepare.mjs FILE OUT [CUT]   (needs the package graphql)

import { readFileSync, writeFileSync } from 'node:fs';
import { buildClientSchema, parse, printSchema } from 'graphql';

const [file, out, text = '\0'] = process.argv.slice(2);
let sdl = readFileSync(file, 'utf8');
if (sdl.trimStart().startsWith('{')) {
  const json = JSON.parse(sdl);
  sdl = printSchema(buildClientSchema(json.data ?? json));
}
const cut = (nodes) =>
  nodes.sort((a, b) => b.loc.start - a.loc.start).reduce((rest, { loc }) => rest.slice(0, loc.start) + rest.slice(loc.end), sdl);
const isTwice = ({ name }, at, fields) => fields.findIndex((other) => other.name.value === name.value) < at;
sdl = cut(
  parse(sdl).definitions.flatMap(({ fields = [], values = [] }) =>
    [...fields, ...values].filter((node, at, all) => isTwice(node, at, all) || node.description?.value.includes(text)),
  ),
);
writeFileSync(`${out}.graphql`, sdl);
