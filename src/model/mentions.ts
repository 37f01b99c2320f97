/** Finds the records that guide pages and sources mention, by ID or URL. */
import { looksLikeRecordId } from './ids.ts';
import { type BaseUrls, objectIdInUrl } from './resources.ts';
import { MAX_TEXT_LENGTH, MAX_URL_LENGTH } from './text/limits.ts';
import { parseMarkup } from './text/markup.ts';

/** Returns the targets of the links in HTML, as the HTML gives them. */
function linkTargetsIn(html: string): string[] {
  const targets: string[] = [];
  parseMarkup(html, {
    onattribute: (name, value) => {
      if (name === 'href') targets.push(value);
    },
  });
  return targets;
}

/** Returns the IDs of the records that HTML links to, each once. */
export function extractIdsFromHtml(html: string | undefined, baseUrls: BaseUrls): string[] {
  return [...new Set(linkTargetsIn(html ?? '').flatMap((target) => objectIdInUrl(target, baseUrls) ?? []))];
}

/** Returns the IDs of records to which texts of a guide page or author link, each once. Texts may be lists or by language. */
export function extractIdsFromTexts(texts: Iterable<unknown>, baseUrls: BaseUrls): string[] {
  const found = Array.from(walkStrings([...texts]), ([, text]) =>
    /href/i.test(text) ? extractIdsFromHtml(text.slice(0, MAX_TEXT_LENGTH), baseUrls) : [],
  );
  return [...new Set(found.flat())];
}

/** Maximum links that are read of one text. */
const MAX_LINKS = 1_000;

/** Returns the targets of the links in HTML, each once, as the HTML gives them; without those within the text itself. */
export function extractLinkTargets(html: string): string[] {
  const targets = linkTargetsIn(html).filter((target) => !target.startsWith('#') && target.length <= MAX_URL_LENGTH);
  return [...new Set(targets)].slice(0, MAX_LINKS);
}

/** Returns the IDs of the records that a source came from. Upstream gives them in any field (docs/upstream-api.md, “Sources”). */
export function extractIdsFromSource(payload: Record<string, unknown>, sourceId: string, baseUrls: BaseUrls): string[] {
  const ids = new Set<string>();
  for (const [key, value] of walkStrings(payload)) {
    if (key !== 'id' && value !== sourceId && looksLikeRecordId(value)) ids.add(value);
    const id = /^\s*(?:https?:)?\/\//i.test(value) ? objectIdInUrl(value, baseUrls) : undefined;
    if (id) ids.add(id);
  }
  return [...ids];
}

/** Yields every string in a payload with its key, in order. Not recursive, so that deep payloads do not overflow the stack. */
function* walkStrings(payload: unknown): Generator<[string, string]> {
  const stack: Array<[key: string, value: unknown]> = [['', payload]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [key, value] = next;
    if (typeof value === 'string') yield [key, value];
    else if (typeof value === 'object' && value !== null) for (const entry of Object.entries(value).reverse()) stack.push(entry);
  }
}
