/** The view model of a facet value's head: what its records are, from when and where, and what to read and search next. */
import { filterValue, UNDATED } from '../../../catalogue/lists/facets.ts';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { nameKey, type TermSummary } from '../../../catalogue/lists/term-summaries.ts';
import { articlePath, facetValuePath } from '../../../catalogue/urls.ts';
import { NAMED_FACETS } from '../../../model/facets.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import { type RightsGroup, rightsGroupOf, rightsNote } from '../../fields/rights-groups.ts';
import { type KindLine, kindLines, yearsOf } from '../../parts/cards/kind-counts.ts';
import type { Crumb } from '../../parts/frame/page-parts.ts';
import { hasSearch } from '../../parts/frame/suggestions.ts';
import { createTimeline, type Timeline, type TimelineYear } from '../../parts/timeline/timeline.ts';
import type { Site } from '../../site.ts';
import { textLang } from '../../text/text-lang.ts';

/** A link to a page on the same subject. */
export interface SubjectLink extends Crumb {
  /** What kind of page it is. */
  kind: string;
  path: string;
}

/** The head of a facet value's page. */
export interface TermHead {
  /** What its records are, in a sentence. */
  sentence: string;
  /** Of a rights statement: what a reader may do with the records, in a sentence, and its group. */
  reuse: { group: RightsGroup; sentence: string } | undefined;
  kinds: KindLine[];
  /** The number of records of other kinds. */
  otherKinds: number;
  /** The number of records of each decade. */
  decades: Timeline['rows'];
  /** Of a decade: its years. */
  years: TimelineYear[];
  /** Guide pages, and other values of the same name; of a year, its decade. */
  links: SubjectLink[];
  /** The query of a search for all its records; undefined if the site cannot search for them. */
  query: Readonly<Record<string, string>> | undefined;
}

const MAX_KINDS = 5;
const MAX_LINKS = 6;

/** Returns the head of a facet value with records. */
export function createTermHead(term: Term, site: Site): TermHead {
  const { facet, slug, label } = term;
  const summary = site.relations.summary(facet, slug) ?? { kinds: [], years: undefined, decades: [], spots: [] };
  const { lines, others } = kindLines(summary.kinds, MAX_KINDS, site.locale);
  return {
    sentence: sentenceOf(term, summary, site),
    reuse: facet === 'rights' ? reuseOf(label, site) : undefined,
    kinds: summary.kinds.length > 1 ? lines : [],
    otherKinds: others,
    decades: facet === 'time' ? [] : createTimeline(decadeLines(summary, site)).rows,
    years: facet === 'time' ? yearsOfDecade(slug, site) : [],
    links: linksOf(term, site),
    query: hasSearch(site) ? { [facet]: filterValue(term) } : undefined,
  };
}

function sentenceOf({ facet, slug, count }: Term, summary: TermSummary, { locale }: Pick<Site, 'locale'>): string {
  const { term } = locale.t;
  if (facet === 'time') return slug === UNDATED ? term.undated(count) : term.about.time(count, '');
  return term.about[facet](count, yearsOf(summary, locale));
}

function reuseOf(stated: string, { locale }: Pick<Site, 'locale'>): TermHead['reuse'] {
  const group = rightsGroupOf(stated);
  return { group, sentence: rightsNote(stated, locale) ?? locale.t.reuse.groups[group].sentence };
}

function decadeLines({ decades }: TermSummary, { locale }: Pick<Site, 'locale'>) {
  return decades.map(([year, count]) => {
    return { label: locale.t.decade(year), path: facetValuePath('time', `${year}s`), sort: `${year}s`, count };
  });
}

/** Returns the years of a decade; none for another time, and for a decade without years. */
function yearsOfDecade(slug: string, { relations }: Pick<Site, 'relations'>): TimelineYear[] {
  const decade = /^(\d+)s$/.exec(slug)?.[1];
  if (decade === undefined) return [];
  const years = Array.from({ length: 10 }, (_, n) => String(Number(decade) + n));
  const lines = years.flatMap((year) => {
    const count = relations.term('time', year)?.count ?? 0;
    return count === 0 ? [] : [{ label: year, path: facetValuePath('time', year), sort: year, count }];
  });
  const [row] = createTimeline([{ label: slug, path: '', sort: slug }, ...lines]).rows;
  return lines.length > 0 && row && 'years' in row ? row.years : [];
}

function linksOf(term: Term, site: Site): SubjectLink[] {
  const { relations, locale } = site;
  const { t } = locale;
  const valueLink = (other: Term, kind: string): SubjectLink => ({
    kind,
    label: facetLabel(locale, other.facet, other),
    path: facetValuePath(other.facet, other.slug),
  });
  if (term.facet === 'time') {
    const year = /^\d+$/.test(term.slug) ? Number(term.slug) : undefined;
    const decade = year === undefined ? undefined : relations.term('time', `${year - (year % 10)}s`);
    return decade ? [valueLink(decade, t.term.decade)] : [];
  }
  if (!NAMED_FACETS.some((named) => named === term.facet)) return [];
  const { articles, terms } = relations.named(nameKey(term.label));
  const others = terms.filter(({ facet, slug, count }) => count > 0 && !(facet === term.facet && slug === term.slug));
  return [
    ...articles.map(({ title, slug }) => {
      return { kind: t.guide.page, label: title, path: articlePath(slug), lang: textLang(title, site) };
    }),
    ...others.map((other) => valueLink(other, t.facets[other.facet].singular)),
  ].slice(0, MAX_LINKS);
}
