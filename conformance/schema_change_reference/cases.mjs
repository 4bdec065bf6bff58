// Reads the cases of graphql/tool/tests/change; graphql/tool/tests/cases describes the format.

import { readdirSync, readFileSync } from 'node:fs';

// Returns the old and the new schema of each case of a folder, by name: {name: {old, new}}.
export function schemas(folder) {
  const read = (file) => readFileSync(new URL(file, folder), 'utf8');
  const base = read('base.graphql');
  const found = {};
  for (const file of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
    for (const text of read(file).split(/^=== /m).slice(1)) {
      const [name, ...sections] = text.split(/^--- /m);
      const patch = (section) => sections.find((text) => text.startsWith(`${section}\n`))?.slice(section.length + 1) ?? '';
      found[name.trim()] = { old: patched(base, patch('old')), new: patched(base, patch('new')) };
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

// Applies the hunks of a patch to a text.
function patched(base, patch) {
  let text = `\n${base}`;
  for (const hunk of patch.split('@@\n').filter((hunk) => hunk !== '')) {
    const lines = hunk.replace(/\n$/, '').split('\n');
    const side = (sign) => `\n${lines.filter((line) => ` ${sign}`.includes(line[0])).map((line) => `${line.slice(1)}\n`).join('')}`;
    const parts = text.split(side('-'));
    if (parts.length !== 2) throw new Error(`these lines are not in the base exactly once:${side('-')}`);
    text = parts.join(side('+'));
  }
  return text.slice(1);
}
