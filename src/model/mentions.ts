/** The archival records that the guide's texts and sources mention, by their ids or addresses. */
import { looksLikeRecordId } from './ids.ts';
import { parseMarkup } from './markup.ts';
import { type Bases, objectIdInUrl } from './resources.ts';

/** The ids of the records that an HTML text links to, each once. */
export function idsInHtml(html: string | undefined, bases: Bases): string[] {
  const ids = new Set<string>();
  if (html) {
    parseMarkup(html, {
      onattribute: (name, value) => {
        const id = name === 'href' ? objectIdInUrl(value, bases) : undefined;
        if (id) ids.add(id);
      },
    });
  }
  return [...ids];
}

/** The ids of the records that a source came from: in whatever field they stand (docs/upstream-api.md, “Sources”). */
export function idsInSource(payload: Record<string, unknown>, sourceId: string, bases: Bases): string[] {
  const ids = new Set<string>();
  for (const [key, value] of strings(payload)) {
    if (key !== 'id' && value !== sourceId && looksLikeRecordId(value)) ids.add(value);
    const id = /^https?:/.test(value) ? objectIdInUrl(value, bases) : undefined;
    if (id) ids.add(id);
  }
  return [...ids];
}

/** Every string in a payload with its key, in the order of reading; deep payloads take no stack. */
function* strings(payload: unknown): Generator<[string, string]> {
  const waiting: Array<[key: string, value: unknown]> = [['', payload]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [key, value] = next;
    if (typeof value === 'string') yield [key, value];
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.entries(value).reverse()) waiting.push(member);
  }
}
