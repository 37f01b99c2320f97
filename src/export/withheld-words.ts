/** Finds what an archive withholds in URLs, headers and causes of failures. Parts of packages with such a text are left out. */
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import { tryParse } from '../model/json.ts';
import { decodePercent } from '../model/text/percent.ts';
import type { StoredExchange } from '../snapshot/row-types.ts';

/** Returns whether a text names a withheld record or person, percent-encoded or not. */
export type WithheldFinder = (text: string) => boolean;

/** Anything in a URL, header or sentence that may be an ID. */
const WORD = /[^\s"'\\/?:;,=&#()<>[\]{}|]+/g;

/** Creates a finder for what a store withholds, its purged records included. */
export function createWithheldFinder({ filter, withdrawalOf }: VisibleStore): WithheldFinder {
  const redact = filter.redactText ?? ((text: string) => text);
  const isNamed = (text: string) => redact(text) !== text;
  const isRecord = (word: string) => withdrawalOf(word) !== undefined || withdrawalOf(word.toLowerCase()) !== undefined;
  // A file may be named after a record, with an extension.
  const hasRecord = (text: string) =>
    (text.match(WORD) ?? []).some((word) => isRecord(word) || isRecord(word.slice(0, Math.max(0, word.indexOf('.')))));
  return (text) => {
    const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, decodePercent); // what is not UTF-8 stays as it is
    return [text, ...(decoded === text ? [] : [decoded])].some((one) => hasRecord(one) || isNamed(one));
  };
}

/** Returns exchanges without the bodies of redirects, which may say anything; none if one of them names something withheld. */
export function withoutWithheld(exchanges: readonly StoredExchange[], isWithheld: WithheldFinder): StoredExchange[] {
  const isClean = exchanges.every(
    ({ url, reason, requestHeaders, headers }) =>
      !isWithheld([url, reason, ...requestHeaders.flat(), ...headers.flat()].join('\n')),
  );
  return isClean ? exchanges.map((exchange) => ({ ...exchange, body: undefined })) : [];
}

/** Returns stored headers (a JSON object); only the content type if another one names something withheld. */
export function headersWithoutWithheld(json: string, isWithheld: WithheldFinder): string {
  if (!isWithheld(json)) return json;
  const { 'content-type': type } = JSON.parse(json) as Record<string, string>;
  return JSON.stringify(type === undefined || isWithheld(type) ? {} : { 'content-type': type });
}

/** Returns a setting of a harvest, a JSON array of IDs or another text, without what is withheld. */
export function settingWithoutWithheld(value: string, isWithheld: WithheldFinder): string {
  const members = tryParse(value);
  return Array.isArray(members) ? JSON.stringify(members.filter((member) => !isWithheld(String(member)))) : '';
}
