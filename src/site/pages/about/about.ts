/** The view model of the page “About this copy”: provenance, harvest date, contents and gaps. */
import type { Entries } from '../../../catalogue/catalogue.ts';
import type { Withheld } from '../../../catalogue/entries.ts';
import { MODELS } from '../../../model/ids.ts';
import { MAX_TITLE_LENGTH } from '../../../model/text/limits.ts';
import { cleanTitle, truncateWords } from '../../../model/text/text.ts';
import { groupMissing } from '../../../snapshot/missing-groups.ts';
import type { Site } from '../../site.ts';

/** More would make the page too long to read. */
const MAX_MISSING = 500;

/** Returns the view model of the page “About this copy”. */
export function createAboutView({ objects, authors, articles }: Entries, { facts, locale }: Site) {
  const { t } = locale;
  const { groups, others } = groupMissing(facts.failures);
  const missing = others.filter(({ hasEarlierVersion }) => !hasEarlierVersion);
  const outdated = others.filter(({ hasEarlierVersion }) => hasEarlierVersion);
  const [since] = outdated.flatMap((failure) => failure.since ?? []).sort();
  const countWithheld = (reason: Withheld['reason']) => facts.withheld.filter((record) => record.reason === reason).length;
  const note = (count: number, sentence: (n: number) => string) => (count === 0 ? [] : [sentence(count)]);
  const gaps = [
    ...groups.map(([group, count]) => t.about.absent[group](count)),
    ...(groups.length > 0 ? [t.about.absentReason] : []),
    ...note(outdated.length, (n) =>
      since === undefined ? t.about.outdated(n) : t.about.outdatedSince(n, locale.formatDate(since)),
    ),
    ...note(facts.missingImageCount, t.about.images),
    ...note(facts.missingFileCount, t.about.files),
    ...note(facts.filesElsewhere, t.about.elsewhere),
    ...note(facts.filesInside, t.about.inside),
  ];
  return {
    /** The base URLs of the live archive and its guide. */
    from: [...new Set([facts.catalogUrl, facts.authorsUrl])].join(t.about.and),
    harvestedOn: facts.harvestedAt === undefined ? undefined : locale.formatDate(facts.harvestedAt),
    /** Numbers of records, guide pages and authors; none that is 0. */
    counts: [
      ...MODELS.map((model) => ({ label: t.about.models[model], count: objects.count(model) })),
      { label: t.about.models.article, count: articles.length },
      { label: t.about.models.author, count: authors.length },
    ].filter(({ count }) => count > 0),
    /** Failures without a stored version, apart from what upstream does not have. `id` is a record's ID. */
    missing: missing.slice(0, MAX_MISSING).map(({ kind, name, cause }) => ({
      what: truncateWords(cleanTitle(kind === 'object' ? name : `${kind} ${name}`), MAX_TITLE_LENGTH),
      id: kind === 'object' ? name : undefined,
      cause: truncateWords(cleanTitle(cause), MAX_TITLE_LENGTH),
    })),
    missingCount: missing.length,
    /** Whether all that the archive references was copied. */
    isComplete: facts.complete && missing.length + gaps.length === 0,
    /** Sentences with numbers. They do not name withheld records. */
    notes: [
      ...gaps,
      ...note(facts.removedCount, t.about.removed),
      ...note(countWithheld('private'), t.about.private),
      ...note(countWithheld('below-private'), t.about.belowPrivate),
      ...note(countWithheld('withdrawn'), t.about.withdrawn),
      ...note(countWithheld('unpublished'), t.about.unpublished),
    ],
  };
}
