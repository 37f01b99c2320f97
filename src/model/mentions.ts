/** The archival records that the guide's texts and sources mention, by their ids or addresses. */
import { Parser } from 'htmlparser2';
import { looksLikeRecordId } from './ids.ts';
import { type Bases, objectIdInUrl } from './resources.ts';

/** The ids of the records that an HTML text links to, each once. */
export function idsInHtml(html: string | undefined, bases: Bases): string[] {
  const ids = new Set<string>();
  if (html) {
    const parser = new Parser({
      onattribute: (name, value) => {
        const id = name === 'href' ? objectIdInUrl(value, bases) : undefined;
        if (id) ids.add(id);
      },
    });
    parser.end(html);
  }
  return [...ids];
}

/** The ids of the records that a source came from: in whatever field they stand (upstream-facts, “Authors and the guide”). */
export function idsInSource(payload: Record<string, unknown>, sourceId: string, bases: Bases): string[] {
  const ids = new Set<string>();
  for (const [key, value] of strings(payload)) {
    if (key !== 'id' && value !== sourceId && looksLikeRecordId(value)) ids.add(value);
    const id = /^https?:/.test(value) ? objectIdInUrl(value, bases) : undefined;
    if (id) ids.add(id);
  }
  return [...ids];
}

function* strings(value: unknown, key = ''): Generator<[string, string]> {
  if (typeof value === 'string') yield [key, value];
  else if (typeof value === 'object' && value !== null) for (const [k, v] of Object.entries(value)) yield* strings(v, k);
}
