// Reads texts, a line of JSON each, and prints for each whether graphql-js parses it as SDL. Usage: node judge.mjs < TEXTS

import { createInterface } from 'node:readline';
import { isTypeSystemDefinitionNode, isTypeSystemExtensionNode, parse } from 'graphql';

const isTypeSystem = (node) => isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node);

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(parse(JSON.parse(line)).definitions.every(isTypeSystem));
  } catch {
    console.log(false);
  }
}
