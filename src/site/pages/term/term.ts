/** The view models of a facet value's page, and of the list of a facet's values. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { filterValue, UNDATED } from '../../../catalogue/lists/facets.ts';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { nameKey, type TermSummary } from '../../../catalogue/lists/term-summaries.ts';
import { hasPersonPage, isPersonFacet } from '../../../catalogue/people/person-entries.ts';
import { articlePath, facetValuePath, personPath } from '../../../catalogue/urls.ts';
import { type Facet, NAME_FACETS, NAMED_FACETS, STEPPED_FACETS } from '../../../model/facets.ts';
import { STEP, stepsOfTerm } from '../../../model/term-steps.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import { rightsGroupOf, rightsNote } from '../../fields/rights-groups.ts';
import type { Locale } from '../../language/locale.ts';
import { kindLines, yearsOf } from '../../parts/cards/kind-counts.ts';
import { createTermRecords } from '../../parts/cards/term-records.ts';
import { type Crumb, pageCount, pageSlice } from '../../parts/frame/page-parts.ts';
import { createListCache, type NameLine, sortLines } from '../../parts/names/name-lists.ts';
import { filedLine } from '../../parts/names/people.ts';
import { type Branch, createTree } from '../../parts/names/tree.ts';
import { createTimeline, type TimelineYear } from '../../parts/timeline/timeline.ts';
import type { Site } from '../../site.ts';
import { textLang } from '../../text/text-lang.ts';
import { namedAs } from './named-as.ts';
import { createSections } from './term-sections.ts';

/** One page of the records with a facet value. */
export type TermView = ReturnType<typeof createTermView>;

/** Returns one page of a facet value. `entries` are the records on this page. */
export function createTermView(term: Term, entries: readonly ListedEntry[], page: number, site: Site) {
  const { facet, slug, count } = term;
  const label = facetLabel(site.locale, facet, term);
  const steps = STEPPED_FACETS.includes(facet) ? label.split(STEP) : [label];
  return {
    facet,
    slug,
    label,
    /** The terms above it, outermost first. Those that records have themselves are links. */
    above: steps.slice(0, -1).map((step, i) => linkAbove(facet, step, steps.slice(0, i + 1).join(STEP), site)),
    /** Its own step: the label without those of the terms above. */
    heading: steps.at(-1) ?? label,
    /** From 1. */
    page,
    /** The number of pages. */
    pages: pageCount(count),
    /** The number of all records. */
    count,
    /** What its records are, on the first page of a value that has any. */
    head: page === 1 && count > 0 ? createTermHead(term, site) : undefined,
    records: createTermRecords(entries, site),
    /** The first records of each kind, on the first page of a list of several. */
    sections: page === 1 && pageCount(count) > 1 ? createSections(term, site) : [],
    /** Path of the page of the person whose records these are. */
    about: isPersonFacet(facet) && count > 0 && hasPersonPage(term) ? personPath(slug) : undefined,
    /** The query of a search for the records; undefined if the site cannot search for them. */
    query: count > 0 && site.search ? String(new URLSearchParams({ [facet]: filterValue(term) })) : undefined,
    /** The people who have this name and a page of their own. */
    people: page === 1 ? linesOf(term.people, facet, site) : [],
    /** Pages of a person's names: with other people of the name, or for another form of it. */
    names: page === 1 ? linesOf(term.names, facet, site) : [],
  };
}

/** Returns a term above another one: `path` has all of its steps. */
function linkAbove(facet: Facet, label: string, path: string, { relations }: Pick<Site, 'relations'>): Crumb {
  const same = relations.named(nameKey(label)).terms.find((term) => term.facet === facet && stepsOfTerm(term.label) === path);
  return { label, path: same && same.count > 0 ? facetValuePath(facet, same.slug) : undefined };
}

/** Returns the records with a facet value on one page, from 1. */
export function recordsOfTerm({ facet, slug }: Pick<Term, 'facet' | 'slug'>, page: number, { relations }: Site): ListedEntry[] {
  return pageSlice(relations.recordsWith(facet, slug), page);
}

function linesOf(slugs: string[], facet: Facet, { relations, locale }: Pick<Site, 'relations' | 'locale'>): TermLine[] {
  const terms = slugs.flatMap((slug) => relations.term(facet, slug) ?? []);
  return sortTermLines(terms, facet, locale);
}

/** A facet value in a list. */
export type TermLine = NameLine & { slug: string; count: number };

const listOf = createListCache<TermLine>();

/** Returns a facet's values by label. Pages with them are remade after any change, since cache reads are not recorded. */
export function readTermLines(site: Site, facet: Facet): TermLine[] {
  const { relations, locale } = site;
  return listOf(site, facet, () => {
    const terms = relations.terms(facet).filter(({ count }) => count > 0);
    return sortTermLines(terms, facet, locale);
  });
}

function sortTermLines(terms: Term[], facet: Facet, locale: Locale): TermLine[] {
  const lines = terms.map((term) => {
    const path = facetValuePath(facet, term.slug);
    if (NAME_FACETS.includes(facet)) return { ...filedLine(term, locale), path, slug: term.slug, count: term.count };
    const label = facetLabel(locale, facet, term);
    return { label, path, slug: term.slug, sort: facet === 'time' ? term.slug : locale.withoutArticle(label), count: term.count };
  });
  return sortLines(lines, locale);
}

const MAX_KINDS = 5;
const MAX_LINKS = 6;

/** Returns the head of a facet value with records. */
export function createTermHead(term: Term, site: Site) {
  const { facet, slug, label } = term;
  const summary = site.relations.summary(facet, slug) ?? { kinds: [], years: undefined, decades: [], spots: [] };
  const { lines, others } = kindLines(summary.kinds, MAX_KINDS, site.locale);
  const decades = summary.decades.map(([year, count]) => {
    return { label: site.locale.t.decade(year), path: facetValuePath('time', `${year}s`), sort: `${year}s`, count };
  });
  return {
    /** What its records are, in a sentence. */
    sentence: sentenceOf(term, summary, site),
    /** Of a rights statement: what a reader may do with the records, in a sentence, and its group. */
    reuse: facet === 'rights' ? reuseOf(label, site) : undefined,
    kinds: summary.kinds.length > 1 ? lines : [],
    /** The number of records of other kinds. */
    otherKinds: others,
    /** The number of records of each decade. */
    decades: facet === 'time' ? [] : createTimeline(decades).rows,
    /** Of a decade: its years. */
    years: facet === 'time' ? yearsOfDecade(slug, site) : [],
    /** Guide pages, and other values of the same name; of a year, its decade. */
    links: linksOf(term, site),
    /** The query of a search for all its records; undefined if the site cannot search for them. */
    query: site.search ? { [facet]: filterValue(term) } : undefined,
  };
}

function sentenceOf({ facet, slug, count }: Term, summary: TermSummary, { locale }: Pick<Site, 'locale'>): string {
  const { term } = locale.t;
  if (facet === 'time') return slug === UNDATED ? term.undated(count) : term.about.time(count, '');
  // The years of a few say nothing of the rest.
  const dated = summary.decades.reduce((total, [, n]) => total + n, 0);
  return term.about[facet](count, dated * 2 < count ? '' : yearsOf(summary, locale));
}

function reuseOf(stated: string, { locale }: Pick<Site, 'locale'>) {
  const group = rightsGroupOf(stated);
  return { group, sentence: rightsNote(stated, locale) ?? locale.t.reuse.groups[group].sentence };
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

/** Returns links to pages on the same subject; `kind` is what kind of page it is. */
function linksOf(term: Term, site: Site): Array<Crumb & { kind: string; path: string }> {
  const { relations, locale } = site;
  const { t } = locale;
  const valueLink = (other: Term, kind: string) => ({
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
  const { articles, terms } = namedAs(term, site);
  const others = terms.filter(({ facet, slug, count }) => count > 0 && !(facet === term.facet && slug === term.slug));
  return [
    ...articles.map(({ title, slug }) => {
      return { kind: t.guide.page, label: title, path: articlePath(slug), lang: textLang(title, site) };
    }),
    ...others.map((other) => valueLink(other, t.facets[other.facet].singular)),
  ].slice(0, MAX_LINKS);
}

/** A search for more topics would have a URL that is too long. */
const MAX_SEARCHED = 40;

/** Returns topics as a tree. */
export function createTopicTree(lines: TermLine[], site: Site): Branch[] {
  const slugs = new Map(lines.map(({ path, slug }) => [path, slug]));
  return createTree(lines, site.locale).map((branch) => withTotals(branch, slugs, site).branch);
}

/** Returns a branch with its totals, and the slugs of all topics in it. */
function withTotals(
  branch: Branch,
  slugs: ReadonlyMap<string, string>,
  site: Site,
): { branch: Branch; slugs: readonly string[] } {
  const below = branch.branches.map((each) => withTotals(each, slugs, site));
  const own = branch.path === undefined ? undefined : slugs.get(branch.path);
  const all = [...(own === undefined ? [] : [own]), ...below.flatMap((each) => each.slugs)];
  if (below.length === 0) return { branch, slugs: all };
  const count = site.relations.countWithAny('topic', all);
  const total = { count, query: searchFor(all, site) };
  return { branch: { ...branch, branches: below.map((each) => each.branch), total }, slugs: all };
}

/** Returns the query of a search for records with any of some topics; undefined if the site cannot search for them. */
function searchFor(slugs: readonly string[], site: Site): string | undefined {
  if (slugs.length > MAX_SEARCHED || !site.search) return undefined;
  const labels = slugs.flatMap((slug) => site.relations.term('topic', slug)?.label ?? []);
  return String(new URLSearchParams(labels.map((label): [string, string] => ['topic', label])));
}
