/** Writes a text as a value of the syntax in which it is inserted, so that it is nothing else there. */
import { toPrintable } from '../platform/text-lines.ts';

const MAX_LENGTH = 4_096;
/** Characters that JSON allows in texts, and YAML does not. */
const NOT_IN_YAML = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text as a value in YAML, in double quotes. JSON is a subset of YAML, except for some characters. */
export function quoteForYaml(text: string): string {
  return JSON.stringify(text).replace(NOT_IN_YAML, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  });
}

/** A text within a line of Markdown. */
export function escapeForMarkdown(text: string): string {
  return toOneLine(text).replace(/[\\`*_[\]<>&~|#!:]/g, '\\$&');
}

/** A text within a line of a systemd unit that is neither first nor last in it. There, `%` begins a specifier. */
export function escapeForSystemd(text: string): string {
  return toOneLine(text).replaceAll('%', '%%');
}

/** A path as one item of a list in a systemd unit. */
export function quoteForSystemd(path: string): string {
  return `"${escapeForSystemd(path).replace(/["\\]/g, '\\$&')}"`;
}

/** A value of an instruction of a Containerfile, in double quotes. */
export function quoteForContainerfile(text: string): string {
  return `"${toOneLine(text).replace(/["\\$]/g, '\\$&')}"`;
}

const toOneLine = (text: string) => toPrintable(text, MAX_LENGTH);
