// Resolvers of the test schema for graphql-js; test_schema/mod.rs has the same for the engine.

import { readFileSync } from 'node:fs';
import { getNamedType, getNullableType, isInputObjectType, isListType } from 'graphql';

const testData = JSON.parse(readFileSync(new URL('test_schema.json', import.meta.url), 'utf8'));

const fail = (what) => {
  throw new Error(what);
};
const calm = (mood) => mood === 'ANGRY' && fail('angry');
const nick = (name) => async ({ short }) =>
  name === null ? null : short === true ? [...name][0] ?? '' : `the ${name}`;

function keeper(id, renamed) {
  const data = testData.keepers.find((k) => k.id === id);
  if (!data) return null;
  const name = renamed ?? data.name;
  return {
    ...data,
    __typename: 'Keeper',
    name,
    old: name,
    nick: nick(name),
    deputy: async () => keeper(data.deputy),
    boss: async () => keeper(data.boss) ?? fail('no boss'),
    team: async () => data.team && data.team.map((id) => keeper(id)),
    strictTeam: async () => data.strictTeam && all(data.strictTeam),
    strictestTeam: async () => all(data.strictestTeam),
    shifts: async () => data.shifts && data.shifts.map((row) => row && row.map((id) => keeper(id))),
    strictShifts: async () => data.strictShifts && data.strictShifts.map(all),
    friend: async ({ id, mood }) => {
      calm(mood);
      return keeper(id);
    },
    pet: async () => pet(data.pet),
    pets: async ({ first }) => {
      if (first < 0) fail('negative');
      return data.pets && data.pets.map(pet).slice(0, first);
    },
    say: async ({ mood, text }) => {
      calm(mood);
      return text;
    },
    mustSay: async ({ mood }) => {
      calm(mood);
      return 'yes';
    },
    numbers: async ({ mood, of }) => {
      calm(mood);
      return of;
    },
    card: async ({ mood }) => {
      calm(mood);
      return card(id, 1);
    },
    mustCard: async ({ mood }) => {
      calm(mood);
      return card(id, 1);
    },
  };
}

function card(id, level) {
  const holder = keeper(id);
  const deputy = keeper(testData.keepers.find((k) => k.id === id).deputy);
  return {
    title: `card of ${id}`,
    holder: deputy,
    mustHolder: holder,
    holders: deputy && [holder, deputy],
    cards: level > 0 ? [card(id, level - 1)] : null,
    place: holder.home,
  };
}

const dog = (id) => {
  const data = testData.dogs.find((d) => d.id === id);
  return data
    ? { ...data, __typename: 'Dog', nick: nick(data.name), keeper: async () => keeper(data.keeper), likes: async () => pet(data.likes) }
    : null;
};
const fish = (id) => {
  const data = testData.fish.find((f) => f.id === id);
  return data ? { ...data, __typename: 'Fish', nick: nick(data.name), keeper: async () => keeper(data.keeper) } : null;
};
const rock = (id) => {
  const data = testData.rocks.find((r) => r.id === id);
  return data ? { ...data, __typename: 'Rock' } : null;
};
const pet = (id) => dog(id) ?? fish(id) ?? rock(id);
const all = (ids) => ids.map((id) => keeper(id) ?? fail('unknown'));

// Arguments as JSON text: an absent field of an input does not show, an absent argument shows as null.
const shown = (inputs, values, absent) =>
  `{${inputs
    .filter((input) => input.name in values || absent)
    .map((input) => `${JSON.stringify(input.name)}:${value(input.type, values[input.name])}`)
    .join(',')}}`;

function value(type, given) {
  if (given === undefined || given === null) return 'null';
  const nullable = getNullableType(type);
  if (isListType(nullable)) return `[${given.map((item) => value(nullable.ofType, item)).join(',')}]`;
  const named = getNamedType(type);
  return isInputObjectType(named) ? shown(Object.values(named.getFields()), given, false) : JSON.stringify(given);
}

export function root() {
  let counted = 0;
  const echo = async (values, _, info) => shown(info.parentType.getFields()[info.fieldName].args, values, true);
  return {
    keeper: async ({ id }) => keeper(id),
    mustKeeper: async ({ id }) => keeper(id) ?? fail('unknown'),
    keepers: async ({ ids }) => (ids ?? testData.keepers.map((k) => k.id)).map((id) => keeper(id)),
    strictKeepers: async ({ ids }) => all(ids),
    strictestKeepers: async ({ ids }) => all(ids ?? fail('no ids')),
    node: async ({ id }) => (id === 'boom' ? fail('boom') : keeper(id) ?? dog(id) ?? fish(id)),
    named: async () => [keeper('1'), null, dog('d1'), fish('f1')],
    animal: async ({ id }) => (id === null || id === undefined ? fail('no id') : dog(id) ?? fish(id)),
    animals: async () => [dog('d1'), dog('d2'), fish('f1')],
    pet: async ({ id }) => pet(id),
    pets: async () => [dog('d1'), null, fish('f1'), rock('r1')],
    fail: async () => fail('fail'),
    mustFail: async () => fail('mustFail'),
    place: async () => keeper('1').home,
    json: async ({ value, values, number }) => ({ number, value: value ?? null, values: values ?? null }),
    scalars: echo,
    required: echo,
    defaults: echo,
    lists: echo,
    filter: echo,
    mustFilter: echo,
    filters: echo,
    oneOf: echo,
    mustOneOf: echo,
    deprecatedField: async () => null,
    count: async ({ by }) => (counted += by ?? 0),
    mayCount: async ({ by, mood }) => {
      counted += by ?? 0;
      calm(mood);
      return counted;
    },
    mustCount: async ({ by, mood }) => {
      counted += by ?? 0;
      calm(mood);
      return counted;
    },
    rename: async ({ id, name }) => keeper(id, name),
  };
}
