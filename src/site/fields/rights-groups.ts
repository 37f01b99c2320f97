/**
 * Groups of rights by what a reader may do with an item: reuse it freely, on request, or not at all. Only terms that are named
 * are free; of others, the archive knows more. The codes are those of the API (docs/upstream-api.md, “Codes”).
 */
import { isNamedLicense } from '../../model/rights-terms.ts';
import { keyByWord } from '../../platform/key-by-word.ts';
import { codeLabel, type Locale } from '../language/locale.ts';

/** The groups, in the order of the page of rights. Their names are the fragments of its headings. */
export const RIGHTS_GROUPS = ['free', 'request', 'restricted'] as const;
/** One of `RIGHTS_GROUPS`. */
export type RightsGroup = (typeof RIGHTS_GROUPS)[number];

const GROUP_BY_CODE: ReadonlyMap<string, RightsGroup> = keyByWord({ free: 'pdm', request: 'cc pcc orphan', restricted: 'nocc' });
/** The “No Copyright” statements of RightsStatements.org, without those whose conditions only the archive knows. */
const NO_COPYRIGHT = /^https?:\/\/(?:www\.)?rightsstatements\.org\/(?:vocab|page)\/NoC-(?:US|NC)\//;

/** Returns the group of stated rights: a code, or a license by its name (`statedRights`). */
export function rightsGroupOf(stated: string): RightsGroup {
  if (isNamedLicense(stated) || NO_COPYRIGHT.test(stated)) return 'free';
  return GROUP_BY_CODE.get(stated) ?? 'request';
}

/** Returns what stated rights permit, in a sentence; undefined if only the archive knows. */
export function rightsNote(stated: string, { t }: Pick<Locale, 't'>): string | undefined {
  if (isNamedLicense(stated)) return t.namedLicense;
  const note = codeLabel(t.rightsNotes, stated);
  return note === stated ? undefined : note;
}
