/** Finds the lines of settings in their file, for messages. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** Returns a function that finds the line of a setting, from 1; undefined if it is not found. */
export function createLineFinder(file: string, text: string): (path: readonly string[]) => number | undefined {
  const tree = file.endsWith('.json') ? parseTree(text) : undefined;
  const structure = tree ? '' : structureOf(text);
  return (path) => {
    const offset = tree ? offsetInJson(tree, path) : findInModule(structure, path, { start: 0, end: structure.length }).offset;
    return offset === undefined ? undefined : lineAt(text, offset);
  };
}

/** Returns the first name that an object in a JSON text has twice, and the line of the second one; undefined if there is none. */
export function findRepeatedName(text: string): { name: string; line: number } | undefined {
  const tree = parseTree(text);
  const offset = tree && findRepeated(tree);
  return offset && { name: offset.name, line: lineAt(text, offset.offset) };
}

function findRepeated(node: Node): { name: string; offset: number } | undefined {
  const names = new Set<string>();
  for (const child of node.children ?? []) {
    const [key] = node.type === 'object' ? (child.children ?? []) : [];
    if (key && names.has(key.value as string)) return { name: key.value as string, offset: key.offset };
    if (key) names.add(key.value as string);
    const found = findRepeated(child);
    if (found) return found;
  }
  return undefined;
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** Returns the position of the innermost part of a path that is there. */
function offsetInJson(tree: Node, path: readonly string[]): number | undefined {
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return undefined;
}

/** What is not structure. */
const COMMENT_OR_TEXT = /\/\/.*|\/\*[\s\S]*?\*\/|(["'`])(?:\\[\s\S]|(?!\1)[^\\])*\1/g;
/** What a character of a text becomes. */
const OF_TEXT = '0';

/** Returns a program without its comments, and with its texts unreadable, except quoted names. Positions stay the same. */
function structureOf(program: string): string {
  return program.replace(COMMENT_OR_TEXT, (token, quote: string | undefined, offset: number) => {
    const isName = quote !== undefined && /^\s*:/.test(program.slice(offset + token.length)) && /^.[\w$]+.$/.test(token);
    if (isName) return ` ${token.slice(1, -1)} `;
    return token.replace(/[^\n]/g, quote === undefined ? ' ' : OF_TEXT);
  });
}

interface Range {
  start: number;
  end: number;
}

/** How many steps of a path were found, and where the last of them is. */
interface Found {
  steps: number;
  offset: number | undefined;
}

/** Finds the innermost part of a path that is there. A program may write settings in many ways; the one that has most of the path is taken. */
function findInModule(structure: string, [step, ...rest]: readonly string[], within: Range): Found {
  let best: Found = { steps: 0, offset: undefined };
  if (step === undefined) return best;
  const places = /^\d+$/.test(step) ? elementAt(structure, within, Number(step)) : placesOfName(structure, within, step);
  for (const place of places) {
    const { steps, offset = place.start } = findInModule(structure, rest, place);
    if (steps + 1 > best.steps) best = { steps: steps + 1, offset };
  }
  return best;
}

/** Returns where a name is followed by a value, each with the end of the value: the outermost ones first. */
function placesOfName(structure: string, { start, end }: Range, name: string): Range[] {
  const pattern = new RegExp(`(?<![\\w$.])${name.replace(/[^\w]/g, '\\$&')}\\s*(?=[:,(}])`, 'g');
  const found = [...structure.slice(start, end).matchAll(pattern)].map(({ index }) => start + index);
  const depthAt = (offset: number) => depthChange(structure.slice(start, offset));
  return found
    .map((offset) => ({ start: offset, end: endOfValue(structure, offset, end), depth: depthAt(offset) }))
    .sort((a, b) => a.depth - b.depth || a.start - b.start);
}

/** Returns the element of the list that is the value of a property, or is at the beginning of a range. */
function elementAt(structure: string, { start, end }: Range, position: number): Range[] {
  const [opening = ''] = /^(?:[\w$]+\s*:)?\s*\[\s*/.exec(structure.slice(start, end)) ?? [];
  if (opening === '') return [];
  let from = start + opening.length;
  for (let at = 0; ; at++) {
    const next = endOfValue(structure, from, end);
    if (at === position) return next > from ? [{ start: from, end: next }] : [];
    if (structure[next] !== ',') return [];
    from = next + 1 + (/^\s*/.exec(structure.slice(next + 1, end))?.[0].length ?? 0);
  }
}

/** Returns where a value ends: at a comma beside it, or where what it is in is closed. */
function endOfValue(structure: string, start: number, end: number): number {
  let depth = 0;
  for (let i = start; i < end; i++) {
    const sign = structure[i] as string;
    if (depth === 0 && sign === ',') return i;
    if (depth === 0 && ')]}'.includes(sign)) return i;
    depth += depthChange(sign);
  }
  return end;
}

function depthChange(text: string): number {
  let depth = 0;
  for (const sign of text) depth += '([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0;
  return depth;
}
