/** What the mirror is a copy of, when it was taken, how much it holds and what is missing. */

import type { Entries } from '../../catalogue/catalogue.ts';
import type { Withheld } from '../../catalogue/entries.ts';
import { MODELS } from '../../model/ids.ts';
import { LONGEST_TITLE } from '../../model/limits.ts';
import { clean, shorten } from '../../model/text.ts';
import type { Site } from '../site.ts';

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

export function aboutView({ objects, authors, articles }: Entries, { facts, edition: locale }: Site): AboutView {
  const { t } = locale;
  const byModel = Map.groupBy(objects, (entry) => entry.model);
  const missing = facts.failures.filter(({ kept }) => !kept);
  const held = (reason: Withheld['reason']) => facts.withheld.filter((one) => one.reason === reason).length;
  const note = (count: number, sentence: (n: number) => string) => (count === 0 ? [] : [sentence(count)]);
  return {
    from: [...new Set([facts.catalogUrl, facts.authorsUrl])].join(t.about.and),
    takenOn: facts.takenAt === undefined ? undefined : locale.date(facts.takenAt),
    counts: [
      ...MODELS.map((model) => ({ label: t.about.models[model], count: byModel.get(model)?.length ?? 0 })),
      { label: t.about.models.article, count: articles.length },
      { label: t.about.models.author, count: authors.length },
    ].filter(({ count }) => count > 0),
    missing: missing.slice(0, MOST_MISSING).map(({ kind, name, cause }) => ({
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
      ...note(held('private'), t.about.private),
      ...note(held('below-private'), t.about.belowPrivate),
      ...note(held('withdrawn'), t.about.withdrawn),
      ...note(held('unpublished'), t.about.unpublished),
    ],
  };
}
