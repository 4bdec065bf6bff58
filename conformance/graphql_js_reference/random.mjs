// Operations made at random, the same ones every time: most are right, some are made wrong on purpose.

import { getNamedType, getNullableType, isAbstractType, isEnumType, isInputObjectType, isLeafType, isListType, isNonNullType } from 'graphql';

// mulberry32: a small generator with a seed.
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const STRINGS = ['', '1', '2', '3', 'd1', 'f1', 'r1', 'x y', 'é"\\', '2020-02-29', '2020-13-01', 'https://a.test/', 'boom'];
const NUMBERS = [0, 1, 2, -1, 3, 7, 2147483647];

export function random(schema, count, seed) {
  const next = generator(seed);
  const chance = (p) => next() < p;
  const pick = (items) => items[Math.floor(next() * items.length)];

  // A value as JSON; `wrong` says how often it is one of another type.
  function json(type, wrong, level = 0) {
    if (isNonNullType(type)) {
      for (;;) {
        const given = json(type.ofType, wrong, level);
        if (given !== null || chance(wrong)) return given;
      }
    }
    if (chance(0.12)) return null;
    if (chance(wrong)) return pick([true, 'WATER', 1.5, [], {}, { nope: 1 }, 12345678901]);
    if (isListType(type)) {
      if (chance(0.15)) return json(type.ofType, wrong, level + 1);
      return Array.from({ length: Math.floor(next() * 3) }, () => json(type.ofType, wrong, level + 1));
    }
    if (isEnumType(type)) return pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      if (type.isOneOf) {
        const field = pick(fields);
        return { [field.name]: json(field.type, wrong, level + 1) ?? 'x' };
      }
      const given = {};
      for (const field of fields) {
        const required = isNonNullType(field.type) && field.defaultValue === undefined;
        if (required ? !chance(wrong) : chance(level > 2 ? 0.1 : 0.35)) given[field.name] = json(field.type, wrong, level + 1);
      }
      return given;
    }
    switch (type.name) {
      case 'Int':
        return pick(NUMBERS);
      case 'Float':
        return pick([...NUMBERS, 1.5, -0.25]);
      case 'Boolean':
        return chance(0.5);
      case 'ID':
        return chance(0.3) ? pick(NUMBERS.slice(0, 6)) : pick(STRINGS);
      default:
        return pick(STRINGS);
    }
  }

  // The same as a literal, in which `variable` may put variables.
  function literal(type, given, variable) {
    const name = chance(0.15) && variable(type);
    if (name) return `$${name}`;
    const nullable = getNullableType(type);
    if (given === null) return 'null';
    if (Array.isArray(given)) {
      const item = isListType(nullable) ? nullable.ofType : nullable;
      return `[${given.map((value) => literal(item, value, variable)).join(', ')}]`;
    }
    if (typeof given === 'object') {
      const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
      const one = isListType(nullable) ? getNamedType(nullable) : nullable;
      const of = (key) => (fields[key] ?? (isInputObjectType(one) ? one.getFields()[key] : undefined))?.type ?? type;
      return `{${Object.entries(given).map(([key, value]) => `${key}: ${literal(of(key), value, variable)}`).join(', ')}}`;
    }
    if (isEnumType(getNamedType(type)) && typeof given === 'string') return given || 'EMPTY';
    return JSON.stringify(given);
  }

  function operation(kind, wrong) {
    const definitions = [];
    const variables = {};
    const fragments = [];
    let aliases = 0;
    let fields = 0;

    function variable(type) {
      if (definitions.length > 5) return null;
      const name = `v${definitions.length}`;
      let declared = type.toString();
      if (isNonNullType(type) && chance(wrong)) declared = declared.slice(0, -1);
      else if (!isNonNullType(type) && chance(0.3)) declared += '!';
      let fallback = '';
      if (chance(0.3) && !declared.endsWith('!')) fallback = ` = ${literal(type, json(type, 0), () => null)}`;
      definitions.push(`$${name}: ${declared}${fallback}`);
      if (declared.endsWith('!') ? !chance(wrong) : chance(0.6)) {
        const given = json(type, wrong);
        variables[name] = given === null && declared.endsWith('!') ? json(getNullableType(type), wrong) : given;
      }
      return name;
    }

    function condition() {
      if (!chance(0.12)) return '';
      const directive = pick(['skip', 'include']);
      if (chance(0.5)) return ` @${directive}(if: ${chance(0.5)})`;
      const name = `v${definitions.length}`;
      definitions.push(`$${name}: Boolean!`);
      variables[name] = chance(0.5);
      return ` @${directive}(if: $${name})`;
    }

    function select(type, level) {
      const selections = [];
      const wanted = 1 + Math.floor(next() * (level === 0 ? 3 : 4));
      for (let i = 0; i < wanted; i++) {
        const roll = next();
        if (isAbstractType(type) && roll < 0.6 && level < 6) {
          const member = pick(schema.getPossibleTypes(type));
          selections.push(`... on ${member.name}${condition()} {${select(member, level + 1)}}`);
        } else if (roll >= 0.6 && roll < 0.68 && level > 0 && level < 6) {
          selections.push(`...${condition()} {${select(type, level + 1)}}`);
        } else if (roll >= 0.68 && roll < 0.76 && level > 0 && level < 6 && fragments.length < 3) {
          const name = `F${fragments.length}`;
          fragments.push('');
          fragments[Number(name.slice(1))] = `fragment ${name} on ${type.name} {${select(type, level + 1)}}`;
          selections.push(`...${name}${condition()}`);
        } else {
          selections.push(field(type, level));
        }
      }
      return selections.join(' ');
    }

    function field(type, level) {
      if (chance(0.08) || !type.getFields) return '__typename';
      if (chance(wrong)) return pick(['nope', 'id {x}', 'name(nope: 1)', '... on Nope {id}', '...Nope', 'name @nope']);
      // A field with arguments of any JSON is in operations.mjs only.
      const all = Object.values(type.getFields()).filter((f) => f.name !== 'json');
      const candidates = all.filter((f) => isLeafType(getNamedType(f.type)) || (level < 5 && fields < 30));
      if (candidates.length === 0) return '__typename';
      const chosen = pick(candidates);
      fields += 1;
      const given = [];
      for (const argument of chosen.args) {
        const required = isNonNullType(argument.type) && argument.defaultValue === undefined;
        if (required ? chance(wrong) : aliases >= 13 || chance(0.5)) continue;
        given.push(`${argument.name}: ${literal(argument.type, json(argument.type, wrong), variable)}`);
      }
      // Fields with arguments get aliases, so that they seldom conflict.
      const alias = aliases < 13 && (given.length > 0 ? chance(0.97) : chance(0.1)) ? `a${aliases++}: ` : '';
      const of = getNamedType(chosen.type);
      const below = isLeafType(of) ? '' : ` {${select(of, level + 1)}}`;
      return `${alias}${chosen.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${condition()}${below}`;
    }

    const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
    const body = select(root, 0);
    const head = definitions.length > 0 ? `${kind} Q(${definitions.join(', ')}) ` : kind === 'mutation' ? 'mutation ' : '';
    return [`${head}{${body}}${fragments.map((f) => ` ${f}`).join('')}`, variables];
  }

  const operations = [];
  for (let i = 0; i < count; i++) {
    operations.push(operation(chance(0.12) ? 'mutation' : 'query', i % 4 === 3 ? 0.12 : 0));
  }
  return operations;
}
