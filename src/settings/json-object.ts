/** Reads JSON that a person wrote: an object, of which a message names the first mistake and its line. */
import { isUtf8 } from 'node:buffer';
import { type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser';
import { UsageError } from '../model/errors.ts';
import { isDeeperThan } from '../model/json.ts';
import { isObject } from '../model/values.ts';
import { toPrintable } from '../platform/text-lines.ts';
import mistakes from './json-mistakes.json' with { type: 'json' };

/** Deeper nesting is no file of a person. */
const MAX_DEPTH = 100;

/**
 * Returns the object in a JSON text. `source` names the text in messages, `content` what is in it.
 * @throws {UsageError} if there is no such object, or a name is twice in it
 */
export function parseJsonObject(bytes: Uint8Array | string, source: string, content: string): Record<string, unknown> {
  if (typeof bytes !== 'string' && !isUtf8(bytes))
    throw new UsageError(`${source} is not in UTF-8. Save the file in this encoding.`);
  const json = (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')).replace(/^\ufeff/, '');
  if (isDeeperThan(MAX_DEPTH, json)) throw new UsageError(`${source} has values within more than ${MAX_DEPTH} others.`);
  let object: unknown;
  try {
    object = JSON.parse(json);
  } catch (cause) {
    throw new UsageError(`${source} is not valid JSON${describeJsonMistake(json, toPrintable((cause as Error).message))}.`, {
      cause,
    });
  }
  if (!isObject(object)) throw new UsageError(`${source} must contain one JSON object with ${content}.`);
  const repeated = findRepeatedName(json);
  if (!repeated) return object;
  throw new UsageError(
    `${source}, line ${repeated.line}: "${toPrintable(repeated.name, 60)}" is there twice. Delete one of them.`,
  );
}

/** Returns the line of a position in a text, from 1. */
export const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

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

/** The mistakes, by their names in the parser. */
const MISTAKES: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = mistakes;

/** Returns what is wrong, as the end of a sentence after “is not valid JSON”. `message` is that of `JSON.parse`. */
function describeJsonMistake(text: string, message: string): string {
  if (text.trim() === '') return ': it is empty';
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  const mistake = first && MISTAKES[printParseErrorCode(first.error as ParseErrorCode)];
  if (!first || mistake === undefined) return `: ${message}`;
  const before = text.slice(0, first.offset);
  const isComma = /,\s*$/.test(before) && /[\]}]/.test(text[first.offset] ?? '');
  return ` (line ${before.split('\n').length}): ${isComma ? 'the comma after the last value must go' : mistake}`;
}
