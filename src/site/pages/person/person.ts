/** The view model of the page of a person or organization. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { EntryList } from '../../../catalogue/lists/entry-list.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { articlePath, facetValuePath, PEOPLE_PATH, personPath } from '../../../catalogue/urls.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import { filedName } from '../../../model/names/filing.ts';
import type { Narrator } from '../../../model/people/narrator.ts';
import { toPlainText, truncateWords } from '../../../model/text/text.ts';
import { createPageCitations } from '../../citation/citation.ts';
import { wordingOf } from '../../citation/wording.ts';
import type { PersonAuthors } from '../../content.ts';
import { createKnowHref } from '../../parts/actions/know-href.ts';
import { toPageCitations } from '../../parts/actions/object-citations.ts';
import { createCard } from '../../parts/cards/card.ts';
import { findThumbnail } from '../../parts/cards/record-thumbnail.ts';
import { createTermRecords } from '../../parts/cards/term-records.ts';
import { createPersonMetadata } from '../../parts/frame/metadata.ts';
import { addressOfPage, removedNotices } from '../../parts/frame/page-parts.ts';
import { createPlaylist } from '../../parts/media/object-parts.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfLiveUrl } from '../../text/links.ts';
import { toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { describePerson, personLabel, personNames } from './person-names.ts';
import { type Portrait, portraitOf } from './portrait.ts';

/** The page of a person or organization. */
export type PersonView = ReturnType<typeof createPersonView>;

/** Cards in a section. A list of all has a page of its own. */
export const MAX_CARDS = 24;

/** Returns the view model of a person's page. */
export function createPersonView(person: PersonEntry, authors: PersonAuthors, site: Site) {
  const { relations, locale } = site;
  const { t } = locale;
  const { slug } = person;
  const path = personPath(slug);
  const title = personLabel(person, site);
  const interviews = relations.interviewsWith(slug);
  const { articles, mentioned } = guideOf(authors, site);
  const narrator = createNarratorView(person, interviews, site);
  const biographies = [...narrator.biographies, ...createBiographies(authors, path, site)];
  const description = truncateWords(toPlainText(biographies[0]?.html), 160) || t.people.describes(title);
  const created = relations.recordsWith('creator', slug);
  const works = withoutInterviews(created, interviews, site);
  const mentions = relations.recordsWith('person', slug);
  const portrait = portraitOf(person, interviews, mentions.slice(0, MAX_CARDS), site);
  const section = createSection(portrait, site);
  const metadata = createPersonMetadata(person, authors, { title, description, path }, site);
  const url = metadata.liveUrl ?? addressOfPage(path, site);
  return {
    path,
    title,
    description,
    metadata,
    trail: [
      { label: t.sections.people, path: PEOPLE_PATH },
      { label: title, path: undefined },
    ],
    notices: [
      ...(narrator.notice === undefined ? [] : [narrator.notice]),
      ...new Set(authors.flatMap(({ entry }) => removedNotices(entry.removedAt, locale))),
    ],
    kind: filedName(person.label).kind,
    tally: createTally(
      { interviews: interviews.length, segments: works.segments, works: works.count, mentions: mentions.length },
      person.records,
      site,
    ),
    sentence: describePerson(person, interviews, site),
    portrait,
    life: narrator.life,
    /** Sanitized HTML: that of a narrator, and one for each author who is this person. */
    biographies,
    articles: articles.map(({ title: label, slug: name, excerpt }) => ({
      label,
      path: articlePath(name),
      excerpt,
      lang: textLang(`${label}. ${excerpt}`, site),
    })),
    interviews: {
      rows: interviews.map((interview) => createInterview(interview, site)),
      isPortrayed: isOnlyPortrayed(interviews, portrait, site),
    },
    works: section(works.shown, works.count, {
      path: facetValuePath('creator', slug),
      label: t.people.allCreated(created.length),
    }),
    mentions: section(mentions.slice(0, MAX_CARDS), mentions.length, {
      path: facetValuePath('person', slug),
      label: t.people.all(t.people.mentions, mentions.length),
    }),
    /** Records that the guide pages mention. */
    inGuide: section(mentioned.slice(0, MAX_CARDS), mentioned.length),
    companions: findCompanions(person, [created, mentions], site),
    ...personNames(person, site),
    citations: toPageCitations(createPageCitations({ title, key: slug, archive: site.facts.title, url }, wordingOf(locale))),
    fileName: slug,
    know: createKnowHref({ kind: 'person', id: slug, page: path }, { title, date: '', description, credit: '' }, undefined, site),
    livePages: [...narrator.livePages, ...authors.flatMap(({ content }) => safeExternalUrl(content.author?.liveUrl ?? '') ?? [])],
  };
}

/** Returns what a person's page says of the narrator who is this person. */
function createNarratorView(person: PersonEntry, interviews: readonly ListedEntry[], site: Site) {
  const narrator = person.narrator === undefined ? undefined : site.relations.narratorOf(person.narrator);
  if (!narrator) return { life: [], biographies: [], livePages: [], notice: undefined };
  const { t } = site.locale;
  const { biography, liveUrl } = narrator;
  const path = personPath(person.slug);
  const resolve = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  return {
    /** When and where the narrator was born, and other facts of the kind. */
    life: lifeOf(narrator, site),
    biographies:
      biography === undefined
        ? []
        : [{ html: toSafeHtml(biography, resolve), lang: textLang(biography, site), modified: undefined }],
    /** URLs of the pages in the live archive. */
    livePages: liveUrl === undefined ? [] : [liveUrl],
    /** Says that the interviews are not in this copy; undefined if any is. */
    notice: interviews.length > 0 || person.created > 0 ? undefined : t.people.notInCopy,
  };
}

function lifeOf(narrator: Narrator, { locale: { t, formatRecordDate } }: Pick<Site, 'locale'>) {
  const { born, birthPlace, died, generation, fullName, nickname } = narrator;
  const facts = {
    born: [born && formatRecordDate(born), birthPlace].filter(Boolean).join(' · '),
    died: died && formatRecordDate(died),
    generation,
    fullName,
    nickname,
  };
  return (['born', 'died', 'generation', 'fullName', 'nickname'] as const).flatMap((fact) => {
    const value = facts[fact];
    return value ? [{ label: t.people.life[fact], value }] : [];
  });
}

/** Returns the guide pages by authors, and the records that these mention. */
function guideOf(authors: PersonAuthors, { relations }: Pick<Site, 'relations'>) {
  const articles = [...new Set(authors.flatMap(({ entry }) => entry.articles))].flatMap((name) => relations.article(name) ?? []);
  return {
    articles,
    mentioned: [...new Set(articles.flatMap(({ objects }) => objects))].flatMap((id) => relations.object(id) ?? []),
  };
}

function createTally(
  counts: Record<'interviews' | 'segments' | 'works' | 'mentions', number>,
  records: number,
  { locale: { t, language } }: Pick<Site, 'locale'>,
): string {
  const kinds = ['interviews', 'segments', 'works', 'mentions'] as const;
  const tallies = kinds.flatMap((kind) => (counts[kind] > 0 ? [t.people.tally[kind](counts[kind])] : []));
  const tally = tallies.join(' · ');
  if (tallies.length > 1) return t.people.tally.total(records, tally);
  return tally.charAt(0).toLocaleUpperCase(language) + tally.slice(1);
}

function createBiographies(authors: PersonAuthors, path: string, site: Site) {
  const resolve = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  return authors.flatMap(({ entry: { modified }, content: { author } }) =>
    author?.body ? [{ html: toSafeHtml(author.body, resolve), lang: textLang(author.body, site), modified }] : [],
  );
}

/** Returns the first works, and the number of all: the interviews with the person, and their segments, are counted apart. */
function withoutInterviews(works: EntryList, interviews: readonly ListedEntry[], { relations }: Pick<Site, 'relations'>) {
  const parts = interviews.flatMap(({ id }) => [id, ...Array.from(relations.children(id), (segment) => segment.id)]);
  const apart = new Set(parts.filter((id) => works.indexOf(id) !== -1));
  const shown = [
    ...Iterator.from(works)
      .filter(({ id }) => !apart.has(id))
      .take(MAX_CARDS),
  ];
  const segments = apart.size - interviews.filter(({ id }) => apart.has(id)).length;
  return { shown, count: works.length - apart.size, segments };
}

/** Returns a function that makes a section of the first records, of which there are `count`; `all` is the list of all. */
function createSection(portrait: Portrait | undefined, site: Site) {
  return (shown: readonly ListedEntry[], count: number, all?: { path: string; label: string }) => ({
    ...createTermRecords(shown, site),
    /** The number of all of them. */
    count,
    all: count > shown.length ? all : undefined,
    /** Whether the portrait is the image of the only record. */
    isPortrayed: isOnlyPortrayed(shown, portrait, site),
  });
}

/** Returns an interview with all its segments, and what plays it. */
function createInterview(interview: ListedEntry, site: Site) {
  const segments = site.relations.children(interview.id).only('segment');
  const { interviews } = createTermRecords([interview, ...segments], site);
  const [row = { card: createCard(interview, site), isCounted: true, parts: [] }] = interviews;
  const { start, duration } = createPlaylist(interview.id, 1, undefined, site) ?? {};
  return { ...row, start, duration };
}

/** Whether the portrait is the image of the only record. */
function isOnlyPortrayed(shown: readonly ListedEntry[], portrait: Portrait | undefined, site: Site): boolean {
  const [first, ...others] = shown;
  if (!first || !portrait || others.length > 0) return false;
  return findThumbnail(first, site)?.image.path === portrait.image.path;
}

const MAX_COMPANIONS = 8;
/** Of someone with more records, the first are read: the page is then made in about the same time. */
const MAX_RECORDS = 200;

/**
 * Returns those who share most records with a person, in the records that the person created or is mentioned in. The count is
 * that of the records that name both; undefined if not all were read.
 */
function findCompanions({ slug }: Pick<PersonEntry, 'slug'>, lists: readonly EntryList[], { relations, locale }: Site) {
  const ids = new Set(lists.flatMap((list) => list.slice(0, MAX_RECORDS).map(({ id }) => id)));
  const counts = new Map<string, number>();
  for (const id of ids) {
    const { creator = [], person = [] } = relations.entry(id)?.facets ?? {};
    const named = new Set([...creator, ...person].map((value) => value.slug));
    for (const other of named) if (other !== slug) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  const isComplete = lists.every(({ length }) => length <= MAX_RECORDS);
  const companions = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .flatMap(([other, count]) => {
      const person = relations.person(other);
      const label = person && personLabel(person, { locale });
      return label === undefined ? [] : [{ label, path: personPath(other), count: isComplete ? count : undefined }];
    });
  return companions.slice(0, MAX_COMPANIONS);
}
