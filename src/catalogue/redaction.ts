/** Takes out of payloads what is withheld in them: fields, names of persons, links to withheld records. */
import type { Parser } from 'htmlparser2';
import { isObjectId } from '../model/ids.ts';
import { parseMarkup, withoutTags } from '../model/markup.ts';
import { isObject } from '../model/values.ts';

/** What stands in the place of a name or a link. */
export const WITHHELD = '[withheld]';

/** Fields that repeat what others say, by the one that they repeat. Text for search may repeat any. */
const REPEATED: Readonly<Record<string, readonly string[]>> = { topics: ['topics_id'], facility: ['facility_id'] };

/** A payload without some fields; the same object if it has none of them. */
export function withoutFields<T extends Record<string, unknown>>(payload: T, names: ReadonlySet<string>): T {
  const gone = new Set([...names].flatMap((name) => [name, ...(REPEATED[name] ?? [])]));
  if (gone.size > 0) gone.add('search_hidden');
  const kept = Object.entries(payload).filter(([name]) => !gone.has(name));
  return kept.length === Object.keys(payload).length ? payload : (Object.fromEntries(kept) as T);
}

/** A payload without what it copies of other records: entries of withheld ones, redacted fields, and labels that repeat a redacted title. */
export function withoutCopies(
  payload: Record<string, unknown>,
  isWithdrawn: (id: string) => boolean,
  fieldsOf: (id: string) => Set<string>,
): Record<string, unknown> {
  const isCopy = (one: unknown) => isObject(one) && isObjectId(one['id']) && isWithdrawn(one['id']);
  const membersOf = (list: unknown[]): unknown[] => {
    const rest = list.filter((one) => !isCopy(one)).map(shown);
    return rest.length === list.length && rest.every((one, i) => one === list[i]) ? list : rest;
  };
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return membersOf(value);
    return isObject(value) ? fieldsIn(value, isObjectId(value['id']) ? fieldsOf(value['id']) : new Set()) : value;
  };
  const fieldsIn = (value: Record<string, unknown>, names: Set<string>): Record<string, unknown> => {
    if (names.has('title')) names.add('label');
    const rest = withoutFields(value, names);
    const entries = Object.entries(rest).map(([name, member]) => [name, shown(member)] as const);
    return entries.some(([name, member]) => member !== rest[name]) ? Object.fromEntries(entries) : rest;
  };
  return fieldsIn(payload, new Set());
}

/** Plain text as HTML. */
export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** A payload with each string in it, at any depth, as `change` has it; the same object if none changes. */
export function withStrings(payload: unknown, change: (text: string) => string): unknown {
  if (typeof payload === 'string') return change(payload);
  if (Array.isArray(payload)) {
    const changed = payload.map((member) => withStrings(member, change));
    return changed.some((member, i) => member !== payload[i]) ? changed : payload;
  }
  if (!isObject(payload)) return payload;
  const entries = Object.entries(payload).map(([name, value]) => [name, withStrings(value, change)] as const);
  return entries.some(([name, value]) => value !== payload[name]) ? Object.fromEntries(entries) : payload;
}

/** Finds the names of persons in text, as they were typed and with the surname first or last, whatever their case. */
export interface Names {
  /** Whether a text has one of the names in it. */
  in(text: string): boolean;
  /** The text with each of the names replaced. */
  without(text: string): string;
}

export function createNames(persons: readonly string[]): Names {
  if (persons.length === 0) return { in: () => false, without: (text) => text };
  const forms = [...new Set(persons.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const pattern = `(?<![\\p{L}\\p{N}])(?:${forms.map(patternOf).join('|')})(?![\\p{L}\\p{N}])`;
  const [one, all] = [new RegExp(pattern, 'iu'), new RegExp(pattern, 'giu')];
  return {
    in: (text) => one.test(text.normalize('NFC')),
    without: (text) => (one.test(text.normalize('NFC')) ? text.normalize('NFC').replace(all, WITHHELD) : text),
  };
}

function formsOf(person: string): string[] {
  const name = person.normalize('NFC').trim();
  const [surname, given] = name.split(/\s*,\s*/);
  const turned = given === undefined ? turnedAround(name) : `${given} ${surname}`;
  return [name, turned].flatMap((form) => [form, encodeURIComponent(form)]);
}

/** `Jane Q. Doe` → `Doe, Jane Q.` */
function turnedAround(name: string): string {
  const words = name.split(/\s+/);
  return words.length < 2 ? name : `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`;
}

function patternOf(form: string): string {
  return form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '\\s+');
}

/** An HTML text in which each link that `isWithheld` names is replaced, words and all. Markup that is nested too deeply loses all of its tags. */
export function withoutLinks(html: string, isWithheld: (href: string) => boolean): string {
  if (!/href/i.test(html)) return html;
  const cuts: Array<[from: number, to: number]> = [];
  let parser: Parser | undefined;
  let from: number | undefined;
  const whole = parseMarkup(html, {
    onparserinit: (made) => {
      parser = made;
    },
    onopentag: (name, { href = '' }) => {
      if (name === 'a' && isWithheld(href)) from = parser?.startIndex;
    },
    onclosetag: (name, isImplied) => {
      if (name !== 'a' || from === undefined || !parser) return;
      // A link that nobody closed ends where the next tag begins, or with the text.
      cuts.push([from, isImplied ? Math.max(from, parser.startIndex) : parser.endIndex + 1]);
      from = undefined;
    },
  });
  if (!whole) return withoutTags(html);
  const last = cuts.at(-1);
  if (last && last[1] <= last[0]) last[1] = html.length;
  return cuts.reduceRight((text, [start, end]) => `${text.slice(0, start)}${WITHHELD}${text.slice(end)}`, html);
}
