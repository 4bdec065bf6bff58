// Writes operations on a schema, each with the answer of graphql-js whose resolvers are those of stub.rs: a line of JSON
// each, {query, data}. Usage: node answers.mjs schema.graphql [count]   (needs the package graphql)

import { readFileSync } from 'node:fs';
import * as gql from 'graphql';

const [path, count = '60'] = process.argv.slice(2);
const schema = gql.buildSchema(readFileSync(path, 'utf8'), { assumeValidSDL: true });
const roots = [schema.getQueryType(), schema.getMutationType()];

let state = 20261001;
const below = (n) => (state = (state * 48271) % 2147483647) % n;
const pick = (list) => list[below(list.length)];
const plain = (name) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

// The value of a field: a text says which field with which arguments, and everything else follows from its length.
function sample(type, at) {
  if (gql.isNonNullType(type)) return sample(type.ofType, at);
  if (at.length % 7 === 0) return null;
  return filled(type, at);
}
const nonNull = (type, at) => (gql.isNonNullType(type) ? filled(type.ofType, at) : sample(type, at));
function filled(type, at) {
  if (gql.isListType(type)) return [nonNull(type.ofType, at), nonNull(type.ofType, at)];
  if (gql.isEnumType(type)) return type.getValues()[0].value;
  if (type === gql.GraphQLInt) return at.length;
  if (type === gql.GraphQLFloat) return at.length + 0.5;
  if (type === gql.GraphQLBoolean) return at.length % 2 === 0;
  if (gql.isScalarType(type)) return at;
  return { __typename: gql.isAbstractType(type) ? possible(type)[0].name : type.name };
}

// In the order of the file.
function possible(type) {
  const found = gql.isUnionType(type) ? type.getTypes() : schema.getPossibleTypes(type);
  const at = (each) => (gql.isUnionType(type) ? 0 : each.astNode.loc.start);
  return [...found].filter((each) => !roots.includes(each)).sort((a, b) => at(a) - at(b));
}

// An argument as it arrives, defaults included; null is as absent.
function echo(type, value) {
  if (gql.isNonNullType(type)) return echo(type.ofType, value);
  if (value === null) return 'null';
  if (gql.isListType(type)) return `[${value.map((item) => echo(type.ofType, item)).join(',')}]`;
  if (gql.isInputObjectType(type)) return `{${given(Object.values(type.getFields()), value)}}`;
  return typeof value === 'string' && !gql.isEnumType(type) ? JSON.stringify(value) : plain(String(value));
}
const given = (inputs, values) =>
  inputs
    .filter(({ name }) => values[name] !== undefined && values[name] !== null)
    .map(({ name, type }) => `${plain(name)}:${echo(type, values[name])}`)
    .join(',');

const fieldResolver = (_source, args, _context, { parentType, fieldName }) => {
  const field = parentType.getFields()[fieldName];
  const echoed = field.args.length > 0 ? `(${given(field.args, args)})` : '';
  return nonNull(field.type, `${plain(parentType.name)}.${plain(fieldName)}${echoed}`);
};

// A random literal of a type.
function literal(type, depth) {
  if (gql.isNonNullType(type)) return literal(type.ofType, depth);
  if (gql.isListType(type)) return below(4) === 0 && !gql.isNonNullType(type.ofType) ? literal(type.ofType, depth) : `[${literal(type.ofType, depth)}]`;
  if (gql.isEnumType(type)) return pick(type.getValues()).name;
  if (type === gql.GraphQLInt) return `${below(50) + 1}`;
  if (type === gql.GraphQLFloat) return `${below(50)}.5`;
  if (type === gql.GraphQLBoolean) return pick(['true', 'false']);
  if (gql.isScalarType(type)) return JSON.stringify(pick(['a', 'b c', '10']));
  const fields = Object.values(type.getFields());
  const required = fields.filter(gql.isRequiredInputField);
  const chosen = type.isOneOf ? [pick(fields)] : fields.filter((field) => required.includes(field) || (depth > 0 && below(3) === 0));
  return `{${chosen.map((field) => `${field.name}: ${literal(field.type, depth - 1)}`).join(', ')}}`;
}

let aliases = 0;
function selection(type, depth) {
  const fields = gql.isUnionType(type) ? [] : Object.values(type.getFields());
  const isLeaf = (field) => gql.isLeafType(gql.getNamedType(field.type));
  const usable = fields.filter((field) => depth > 0 || isLeaf(field));
  const parts = ['__typename'];
  for (let n = usable.length && below(4) + 1; n > 0; n -= 1) {
    const field = pick(usable);
    const named = gql.getNamedType(field.type);
    const args = field.args.filter((arg) => gql.isRequiredArgument(arg) || below(3) === 0);
    const written = args.map((arg) => `${arg.name}: ${literal(arg.type, 2)}`).join(', ');
    const rest = gql.isLeafType(named) ? '' : ` { ${selection(named, depth - 1)} }`;
    parts.push(`a${(aliases += 1)}: ${field.name}${written && `(${written})`}${rest}`);
  }
  if (gql.isAbstractType(type)) {
    const first = possible(type)[0];
    for (const each of [first, pick(possible(type))]) parts.push(`... on ${each.name} { ${selection(each, depth - 1)} }`);
  }
  return parts.join(' ');
}

for (let n = 0; n < Number(count); n += 1) {
  const mutation = roots[1] && n % 4 === 3;
  const query = `${mutation ? 'mutation' : 'query'} { ${selection(roots[mutation ? 1 : 0], 4)} }`;
  const typeResolver = ({ __typename }) => __typename;
  const { data, errors } = await gql.graphql({ schema, source: query, rootValue: {}, fieldResolver, typeResolver });
  if (errors) throw new Error(`${query}: ${errors[0].message}`);
  console.log(JSON.stringify({ query, data }));
}
