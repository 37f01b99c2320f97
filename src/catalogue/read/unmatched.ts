/** Finds the entries of the setting `withhold` that match nothing: a mistyped one would publish what it is meant to withhold. */
import { isObjectId } from '../../model/ids.ts';
import { toPlainText } from '../../model/text/text.ts';
import { isObject } from '../../model/values.ts';
import { parseBody, readBodies, readPayload, readResourceNames } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';
import { createNameMatcher } from './name-matcher.ts';
import { EVERYWHERE, type Withholding } from './withholding.ts';

/** Returns the entries of the setting `withhold` that match nothing in the snapshot. */
export function findUnmatched(
  store: Store,
  { records, fields, fieldsBelow, persons }: Withholding,
  ancestorsOf: (id: string) => ReadonlySet<string>,
): string[] {
  const missing = new Set([...records.keys(), ...fields.keys(), ...fieldsBelow.keys()]);
  missing.delete(EVERYWHERE);
  for (const id of missing.size === 0 ? [] : readResourceNames(store, 'object').filter(isObjectId)) {
    if (missing.size === 0) break;
    for (const known of ancestorsOf(id)) missing.delete(known);
  }
  const names = [...fields].flatMap(([id, own]) => {
    const payload = readPayload(store, 'object', id);
    return isObject(payload) ? [...own].filter((name) => !(name in payload)).map((name) => `${name} of ${id}`) : [];
  });
  const everywhere = findUnknownFields(store, fieldsBelow.get(EVERYWHERE) ?? new Set());
  return [...missing, ...names, ...everywhere, ...findUnknownPersons(store, persons)];
}

/** Returns those of the fields that no record has. */
function findUnknownFields(store: Store, fields: ReadonlySet<string>): string[] {
  const missing = new Set(fields);
  for (const stored of missing.size === 0 ? [] : readBodies(store, 'object')) {
    const payload = parseBody(stored);
    for (const name of missing) if (isObject(payload) && name in payload) missing.delete(name);
    if (missing.size === 0) break;
  }
  return [...missing];
}

function findUnknownPersons(store: Store, persons: readonly string[]): string[] {
  const missing = new Map(persons.map((person) => [person, createNameMatcher([person])]));
  for (const kind of ['object', 'author', 'article', 'source'] as const) {
    if (missing.size === 0) break;
    for (const stored of readBodies(store, kind)) {
      const text = JSON.stringify(parseBody(stored) ?? ''); // parsed, so that it has no escapes
      for (const [person, names] of missing) if (names.matches(text) || names.matches(toPlainText(text))) missing.delete(person);
      if (missing.size === 0) break;
    }
  }
  return [...missing.keys()];
}
