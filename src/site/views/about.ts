/** What the mirror is a copy of, when it was taken, how much it holds and what is missing. */
import { MODELS } from '../../model/ids.ts';
import { MODEL } from '../../model/vocabularies.ts';
import type { Facts } from '../catalogue.ts';
import type { ObjectEntry } from '../entries.ts';

export interface AboutView {
  takenOn: { iso: string; words: string } | undefined;
  counts: Array<{ label: string; count: number }>;
  missing: Array<{ what: string; id: string | undefined; cause: string }>;
  missingCount: number;
  /** Counted by reason: what is held back is not named. */
  withheld: Array<{ reason: string; count: number }>;
}

/** As many as a page can list and still be read. */
const MOST_MISSING = 500;

export function aboutView(facts: Facts, objects: ObjectEntry[], authors: number, articles: number): AboutView {
  const byModel = Map.groupBy(objects, (entry) => entry.model);
  const date = facts.takenAt === undefined ? undefined : new Date(facts.takenAt);
  return {
    takenOn: date && {
      iso: date.toISOString(),
      words: date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
    },
    counts: [
      ...MODELS.map((model) => ({ label: PLURAL[model] ?? MODEL[model] ?? model, count: byModel.get(model)?.length ?? 0 })),
      { label: 'Guide pages', count: articles },
      { label: 'Authors', count: authors },
    ].filter(({ count }) => count > 0),
    missing: facts.failures.slice(0, MOST_MISSING).map(({ kind, name, cause }) => ({
      what: kind === 'object' ? name : `${kind} ${name}`.trim(),
      id: kind === 'object' ? name : undefined,
      cause,
    })),
    missingCount: facts.failures.length,
    withheld: [
      ...Map.groupBy(facts.withheld, ({ reason }) => reason.replace(/^it belongs to \S+, which/, 'what they belong to')),
    ].map(([reason, held]) => ({ reason, count: held.length })),
  };
}

const PLURAL: Readonly<Record<string, string>> = {
  repository: 'Repositories',
  organization: 'Organizations',
  collection: 'Collections',
  entity: 'Objects',
  segment: 'Interview segments',
  file: 'Files',
};
