/** Finds the lines of settings in their file, for messages. */
import { createRequire } from 'node:module';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { isObject } from '../../src/model/values.ts';
import { lineAt } from '../../src/settings/json-object.ts';

/** Returns a function that finds the line of a setting, from 1; undefined if it is not found. */
export function createLineFinder(file: string, text: string): (path: readonly string[]) => number | undefined {
  const tree = file.endsWith('.json') ? parseTree(text) : undefined;
  const program = tree ? undefined : parseProgram(file, text);
  return (path) => {
    const offset = tree ? offsetInJson(tree, path) : program && findInProgram(program, path).offset;
    return offset === undefined ? undefined : lineAt(text, offset);
  };
}

/** Returns the position of the innermost part of a path that is there. */
function offsetInJson(tree: Node, path: readonly string[]): number | undefined {
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return undefined;
}

/** A part of a program, as its parser describes it. */
interface ProgramNode {
  type: string;
  start: number;
  [name: string]: unknown;
}

/** Parses a program as Vite does, which is loaded only for this. */
function parseProgram(file: string, text: string): ProgramNode | undefined {
  const { parseSync } = createRequire(import.meta.url)('vite') as typeof import('vite');
  const { program }: { program: unknown } = parseSync(file, text);
  return isNode(program) ? program : undefined;
}

const isNode = (value: unknown): value is ProgramNode => isObject(value) && typeof value['type'] === 'string';

/** Finds the innermost part of a path that exists. A program can write settings in many ways; the longest match is taken. */
function findInProgram(within: ProgramNode, [step, ...rest]: readonly string[]): { steps: number; offset?: number } {
  let best: ReturnType<typeof findInProgram> = { steps: 0 };
  if (step === undefined) return best;
  for (const [start, value] of placesOf(within, step)) {
    const { steps, offset = start } = findInProgram(value, rest);
    if (steps + 1 > best.steps) best = { steps: steps + 1, offset };
  }
  return best;
}

/** Yields the values that have a name or a position in a list, and where each begins: the outermost ones first. */
function* placesOf(within: ProgramNode, step: string): Iterable<[start: number, value: ProgramNode]> {
  const waiting = [within];
  for (const node of waiting) {
    const { type, elements, key, value } = node;
    const element: unknown = Array.isArray(elements) && /^\d+$/.test(step) ? elements[Number(step)] : undefined;
    if (isNode(element)) return yield [element.start, element];
    if (type === 'Property' && isNode(key) && isNode(value) && (key['name'] ?? key['value']) === step) yield [node.start, value];
    waiting.push(...Object.values(node).flat().filter(isNode));
  }
}
