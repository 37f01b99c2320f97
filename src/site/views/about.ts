/** The view model of the page “About this copy”: provenance, harvest date, contents and gaps. */

import type { Entries } from '../../catalogue/catalogue.ts';
import type { Withheld } from '../../catalogue/entries.ts';
import { MODELS } from '../../model/ids.ts';
import { LONGEST_TITLE } from '../../model/limits.ts';
import { clean, shorten } from '../../model/text.ts';
import type { Site } from '../site.ts';

/** What the page shows. */
export interface AboutView {
  /** The base URLs of the live archive and its guide. */
  from: string;
  /** The date of the last harvest, such as “21 November 2026”. */
  takenOn: string | undefined;
  /** Numbers of records, guide pages and authors; none that is 0. */
  counts: Array<{ label: string; count: number }>;
  /** Failures without a stored version; the first `MAX_MISSING`. `id` is a record's ID. */
  missing: Array<{ what: string; id: string | undefined; cause: string }>;
  /** The number of all of them. */
  missingCount: number;
  /** Sentences with numbers. They do not name withheld records. */
  notes: string[];
}

/** More would make the page too long to read. */
const MAX_MISSING = 500;

/** Returns the view model of the page “About this copy”. */
export function aboutView({ objects, authors, articles }: Entries, { facts, edition: locale }: Site): AboutView {
  const { t } = locale;
  const byModel = Map.groupBy(objects, (entry) => entry.model);
  const missing = facts.failures.filter(({ kept }) => !kept);
  const countWithheld = (reason: Withheld['reason']) => facts.withheld.filter((record) => record.reason === reason).length;
  const note = (count: number, sentence: (n: number) => string) => (count === 0 ? [] : [sentence(count)]);
  return {
    from: [...new Set([facts.catalogUrl, facts.authorsUrl])].join(t.about.and),
    takenOn: facts.takenAt === undefined ? undefined : locale.date(facts.takenAt),
    counts: [
      ...MODELS.map((model) => ({ label: t.about.models[model], count: byModel.get(model)?.length ?? 0 })),
      { label: t.about.models.article, count: articles.length },
      { label: t.about.models.author, count: authors.length },
    ].filter(({ count }) => count > 0),
    missing: missing.slice(0, MAX_MISSING).map(({ kind, name, cause }) => ({
      what: shorten(clean(kind === 'object' ? name : `${kind} ${name}`), LONGEST_TITLE),
      id: kind === 'object' ? name : undefined,
      cause: shorten(clean(cause), LONGEST_TITLE),
    })),
    missingCount: missing.length,
    notes: [
      ...note(facts.gone, t.about.removed),
      ...note(facts.failures.length - missing.length, t.about.outdated),
      ...note(facts.picturesMissing, t.about.images),
      ...note(facts.filesMissing, t.about.files),
      ...note(countWithheld('private'), t.about.private),
      ...note(countWithheld('below-private'), t.about.belowPrivate),
      ...note(countWithheld('withdrawn'), t.about.withdrawn),
      ...note(countWithheld('unpublished'), t.about.unpublished),
    ],
  };
}
