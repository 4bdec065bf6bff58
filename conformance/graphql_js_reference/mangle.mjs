// Operations that were mangled on the way, the same ones every time: a word for another word, a piece put in, taken out or
// doubled. Most are wrong, and what is wrong with them is told with its place.

import { generator } from './random.mjs';

const PIECES = [
  '{', '}', '(', ')', '[', ']', ':', '!', '$', '@', '...', '=', '|', '&', '"', '"""', '\\', '#', '\n', '\r\n', ',', '.', "'", '%',
  'null', 'true', 'on', 'fragment F on Keeper{id}', 'query', 'query Q{__typename}', 'mutation', 'subscription', '@skip(if:true)',
  '@skip(if:1)', '$v0', '...F', '...F0', '__typename', '__typename @include(if:$v0)', '__schema', '1', '-1.5e3', '01', '1.', 'ENUM',
  'é', '\u{1F992}', '"\u{1F992}"', '"é"', '# é\n', '\\u12', '[Nope]', 'x:y', '{id}', '(id:1)', '(id:1,id:2)', '... on Dog{name}',
  '... on Nope{id}', 'nope', 'id', 'name', 'a:name', 'keeper(id:"1"){id}', '$x:Int', '{a:1,a:2}', 'type X{a:Int}', '\ufeff', '\u0000',
];

const words = (text) => [...text.matchAll(/[A-Za-z0-9_]+/g)].map((match) => [match.index, match.index + match[0].length]);

export function mangled(operations, count, seed) {
  const next = generator(seed);
  const below = (sides) => Math.floor(next() * sides);
  const pick = (items) => items[below(items.length)];
  const short = operations.filter(([query]) => query.length < 400);

  function swapWord(text, other) {
    const [here, there] = [words(text), words(other)];
    if (here.length === 0 || there.length === 0) return text;
    const [[from, to], [otherFrom, otherTo]] = [pick(here), pick(there)];
    return text.slice(0, from) + other.slice(otherFrom, otherTo) + text.slice(to);
  }

  function breakUp(text) {
    const characters = [...text];
    const at = below(characters.length + 1);
    const length = Math.min(below(12), characters.length - at);
    const piece = [...` ${pick(PIECES)} `];
    const kind = below(5);
    if (kind === 0) characters.splice(at, length);
    else if (kind === 1) characters.splice(at, length, ...piece);
    else if (kind === 2) characters.splice(below(characters.length + 1), 0, ...characters.slice(at, at + length));
    else {
      // Between two words, where it is more likely to be read.
      const gaps = words(text).map(([, to]) => [...text.slice(0, to)].length);
      characters.splice(gaps.length > 0 ? pick(gaps) : at, 0, ...piece);
    }
    return characters.join('');
  }

  const made = [];
  while (made.length < count) {
    const [query, variables, operationName] = pick(short);
    let text = query;
    for (let i = below(3); i >= 0; i--) text = below(5) < 2 ? breakUp(text) : swapWord(text, pick(short)[0]);
    // Half a character cannot be sent as JSON.
    if (text !== query && text.isWellFormed()) made.push([text, variables, operationName]);
  }
  return made;
}
