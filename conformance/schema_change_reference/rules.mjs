// Records where graphql-js 17, the first with the rules of the specification's draft, finds a mistake in the cases of
// graphql/codegen/tests/diagnostic: rules.json holds the lines of each case.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildASTSchema, parse, validateSchema } from 'graphql-17';
import { validateSDL } from 'graphql-17/validation/validate.js';

const folder = new URL('../../graphql/codegen/tests/diagnostic/', import.meta.url);

function mistakes(sdl) {
  try {
    const document = parse(sdl);
    const found = validateSDL(document);
    return found.length > 0 ? found : validateSchema(buildASTSchema(document));
  } catch (error) {
    return [error];
  }
}

const found = {};
for (const file of readdirSync(folder)) {
  for (const text of readFileSync(new URL(file, folder), 'utf8').split(/^=== /m).slice(1)) {
    const [name, ...sections] = text.split(/^--- /m);
    const schema = sections.find((section) => section.startsWith('schema\n')).slice('schema\n'.length);
    const lines = mistakes(schema).flatMap((mistake) => (mistake.locations ?? []).map(({ line }) => line));
    found[name.trim()] = [...new Set(lines)].sort((a, b) => a - b);
  }
}
const entries = Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1));
const text = entries.map(([name, lines]) => `${JSON.stringify(name)}: ${JSON.stringify(lines)}`).join(',\n');
writeFileSync(new URL('rules.json', import.meta.url), `{\n${text}\n}\n`);
console.log(`${entries.length} cases of rules`);
