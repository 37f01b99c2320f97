/** The view model of the page “About this copy”: provenance, harvest date, contents and gaps. */

import type { Entries } from '../../catalogue/catalogue.ts';
import type { Withheld } from '../../catalogue/entries.ts';
import { MODELS } from '../../model/ids.ts';
import { MAX_TITLE_LENGTH } from '../../model/limits.ts';
import { cleanTitle, truncateWords } from '../../model/text.ts';
import type { Site } from '../site.ts';

/** The content of the page. */
export interface AboutView {
  /** The base URLs of the live archive and its guide. */
  from: string;
  /** The date of the last harvest, such as “November 21, 2026”. */
  harvestedOn: string | undefined;
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
export function createAboutView({ objects, authors, articles }: Entries, { facts, locale }: Site): AboutView {
  const { t } = locale;
  const missing = facts.failures.filter(({ kept }) => !kept);
  const countWithheld = (reason: Withheld['reason']) => facts.withheld.filter((record) => record.reason === reason).length;
  const note = (count: number, sentence: (n: number) => string) => (count === 0 ? [] : [sentence(count)]);
  return {
    from: [...new Set([facts.catalogUrl, facts.authorsUrl])].join(t.about.and),
    harvestedOn: facts.harvestedAt === undefined ? undefined : locale.formatDate(facts.harvestedAt),
    counts: [
      ...MODELS.map((model) => ({ label: t.about.models[model], count: objects.count(model) })),
      { label: t.about.models.article, count: articles.length },
      { label: t.about.models.author, count: authors.length },
    ].filter(({ count }) => count > 0),
    missing: missing.slice(0, MAX_MISSING).map(({ kind, name, cause }) => ({
      what: truncateWords(cleanTitle(kind === 'object' ? name : `${kind} ${name}`), MAX_TITLE_LENGTH),
      id: kind === 'object' ? name : undefined,
      cause: truncateWords(cleanTitle(cause), MAX_TITLE_LENGTH),
    })),
    missingCount: missing.length,
    notes: [
      ...note(facts.removedCount, t.about.removed),
      ...note(facts.failures.length - missing.length, t.about.outdated),
      ...note(facts.missingImageCount, t.about.images),
      ...note(facts.missingFileCount, t.about.files),
      ...note(countWithheld('private'), t.about.private),
      ...note(countWithheld('below-private'), t.about.belowPrivate),
      ...note(countWithheld('withdrawn'), t.about.withdrawn),
      ...note(countWithheld('unpublished'), t.about.unpublished),
    ],
  };
}
