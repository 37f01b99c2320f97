/** What the mirror is a copy of, when it was taken, how much it holds and what is missing. */
import { longDate } from '../../model/dates.ts';
import { MODELS } from '../../model/ids.ts';
import { MODEL } from '../../model/vocabularies.ts';
import type { Facts } from '../catalogue.ts';
import type { ObjectEntry, Withheld } from '../entries.ts';

export interface AboutView {
  /** The addresses of the living archive and its guide. */
  from: string;
  /** Such as “21 November 2026”. */
  takenOn: string | undefined;
  counts: Array<{ label: string; count: number }>;
  missing: Array<{ what: string; id: string | undefined; cause: string }>;
  missingCount: number;
  /** Sentences with numbers: what is held back is not named. */
  notes: string[];
}

/** As many as a page can list and still be read. */
const MOST_MISSING = 500;

export function aboutView(facts: Facts, objects: ObjectEntry[], authors: number, articles: number): AboutView {
  const byModel = Map.groupBy(objects, (entry) => entry.model);
  const missing = facts.failures.filter(({ kept }) => !kept);
  const held = (reason: Withheld['reason']) => facts.withheld.filter((one) => one.reason === reason).length;
  return {
    from: [...new Set([facts.catalogUrl, facts.authorsUrl])].join(' and '),
    takenOn: facts.takenAt === undefined ? undefined : longDate(facts.takenAt),
    counts: [
      ...MODELS.map((model) => ({ label: PLURAL[model] ?? MODEL[model] ?? model, count: byModel.get(model)?.length ?? 0 })),
      { label: 'Guide pages', count: articles },
      { label: 'Authors', count: authors },
    ].filter(({ count }) => count > 0),
    missing: missing.slice(0, MOST_MISSING).map(({ kind, name, cause }) => ({
      what: kind === 'object' ? name : `${kind} ${name}`.trim(),
      id: kind === 'object' ? name : undefined,
      cause,
    })),
    missingCount: missing.length,
    notes: [
      ...note(
        facts.gone,
        'record or guide entry is no longer in the living archive; the last copy of it is kept here',
        'records and guide entries are no longer in the living archive; the last copies of them are kept here',
      ),
      ...note(
        facts.failures.length - missing.length,
        'record could not be had anew when this copy was taken; an earlier copy of it stands in its place',
        'records could not be had anew when this copy was taken; earlier copies of them stand in their place',
      ),
      ...note(
        facts.picturesMissing,
        'picture could not be had; its page shows a drawing in its stead',
        'pictures could not be had; their pages show a drawing in their stead',
      ),
      ...note(held('private'), 'record is held back, since it is not public', 'records are held back, since they are not public'),
      ...note(
        held('below-private'),
        'record is held back with one that it belongs to',
        'records are held back with those that they belong to',
      ),
      ...note(
        held('unpublished'),
        'author is held back, since the entry is not published',
        'authors are held back, since their entries are not published',
      ),
    ],
  };
}

function note(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}.`];
}

const PLURAL: Readonly<Record<string, string>> = {
  repository: 'Repositories',
  organization: 'Organizations',
  collection: 'Collections',
  entity: 'Objects',
  segment: 'Interview segments',
  file: 'Files',
};
