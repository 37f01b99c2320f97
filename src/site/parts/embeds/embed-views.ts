/** The view models of embeds. What is wrong with a directive is found in the same way before anything is rendered. */
import type { Entries } from '../../../catalogue/catalogue.ts';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { facetValuePath } from '../../../catalogue/urls.ts';
import { findPlayable } from '../../../derivatives/copied-files.ts';
import { comparableText } from '../../../formats/search/names.ts';
import type { Facet } from '../../../model/facets.ts';
import { sortById } from '../../../model/ids.ts';
import { truncateWords } from '../../../model/text/text.ts';
import { formatDuration } from '../../../platform/quantities.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import type { SiteImage } from '../../images.ts';
import { createLocales } from '../../language/locale.ts';
import { isCovered } from '../../notices/notices.ts';
import type { Embed, RecordQuery } from '../../own/directives.ts';
import { readTermLines } from '../../pages/term/term.ts';
import type { Site } from '../../site.ts';
import { type Card, createCard } from '../cards/card.ts';
import { describeImage } from '../cards/image-text.ts';
import { PAGE_SIZE } from '../frame/page-parts.ts';
import type { ReadLand } from '../map/land-outlines.ts';
import { createMapView, type MapView } from '../map/map.ts';
import { createDisplayImage, type DisplayImage } from '../media/media-files.ts';
import { createDocumentPages, splitFiles } from '../media/object-parts.ts';
import { createPlayer, type Player } from '../media/recording.ts';
import { createTimeline, type Timeline } from '../timeline/timeline.ts';

/** A record as the line below its image or player names it. */
type RecordLine = ReturnType<typeof createRecordLine>;

/** What an embed shows. */
export type EmbedView =
  | { kind: 'figure'; record?: RecordLine | undefined; image: DisplayImage; caption: string; description: string }
  | {
      kind: 'player';
      record?: RecordLine | undefined;
      name?: string;
      player: Player;
      at: number | undefined;
      poster: DisplayImage | undefined;
      alt: string;
    }
  /** A record whose media files are not in the site. */
  | { kind: 'card'; record: RecordLine; lacks: string }
  /** A record that a content warning covers: only its own page shows it. */
  | { kind: 'covered'; record: RecordLine }
  | { kind: 'grid'; cards: Card[] }
  | { kind: 'map'; map: MapView }
  | { kind: 'timeline'; rows: Timeline['rows'] }
  | { kind: 'image-file'; image: SiteImage; alt: string }
  /** Only what the line and the caption say. */
  | { kind: 'text'; record: RecordLine | undefined };

/** What embeds are created from. */
export interface EmbedContext extends FindContext {
  land: ReadLand;
  /** Whether a list may be shown without some of its records. */
  leavesOut?: boolean;
  /** Returns the image of a path as the text has it. */
  imageAt(src: string): SiteImage | undefined;
}

/** Returns the view model of an embed, or what is wrong with it: a clause. */
export function createEmbedView(embed: Embed, context: EmbedContext): Found<EmbedView> {
  switch (embed.kind) {
    case 'image':
    case 'player':
    case 'document': {
      const found = findRecord(embed.id, context);
      if ('problem' in found) return found;
      if (embed.kind === 'image') return createFigure(found.entry, context.site);
      if (embed.kind === 'player') return createPlayerView(found.entry, embed.at, context.site);
      return createDocument(found.entry, embed.page, context.site);
    }
    case 'list': {
      const found = embed.ids.map((id) => findRecord(id, context));
      const problem = found.find((one) => 'problem' in one);
      const cards = found.flatMap((one) => ('entry' in one ? [createCard(one.entry, context.site)] : []));
      return problem && !(context.leavesOut && cards.length > 0) ? problem : { kind: 'grid', cards };
    }
    case 'query': {
      const found = findRecords(embed.query, context);
      return 'problem' in found ? found : { kind: 'grid', cards: found.entries.map((entry) => createCard(entry, context.site)) };
    }
    case 'map':
    case 'timeline': {
      const found = embed.collection === undefined ? undefined : findCollection(embed.collection, context);
      if (found && 'problem' in found) return found;
      return embed.kind === 'map' ? createMap(embed.collection, context) : createTimelineView(embed.collection, context);
    }
    case 'image-file': {
      const image = context.imageAt(embed.src);
      return image ? { kind: 'image-file', image, alt: embed.alt } : { problem: `the image ${embed.src} does not exist` };
    }
  }
}

function createFigure(entry: ListedEntry, site: Site): Found<EmbedView> {
  const record = createRecordLine(entry, site);
  if (isCovered(entry, site)) return { kind: 'covered', record };
  const firstPages = splitFiles(entry, site).documentPages.slice(0, 1);
  const image = createDisplayImage(entry, site) ?? createDocumentPages(1, firstPages, site)[0]?.image;
  if (!image) return { kind: 'card', record, lacks: `its record ${entry.id} has no image in this site` };
  const description = truncateWords(site.relations.entry(entry.id)?.excerpt ?? '', MAX_DESCRIPTION);
  return { kind: 'figure', record, image, caption: describeImage(entry, site), description };
}

/** Characters of the beginning of a record's description, in the alternative text of its image. */
const MAX_DESCRIPTION = 120;

function createPlayerView(entry: ListedEntry, at: number | undefined, site: Site): Found<EmbedView> {
  const { id } = entry;
  const seconds = entry.durationSeconds ?? findPlayable(entry.media, site.copiedFiles)?.file.waveform?.seconds;
  if (at !== undefined && seconds !== undefined && at >= seconds)
    return { problem: `the recording ${id} has ${formatDuration(seconds)}, so that it cannot begin at ${formatDuration(at)}` };
  const player = createPlayer(entry, site);
  const moment = at === undefined ? undefined : site.locale.t.own.from(formatDuration(at));
  const record = { ...createRecordLine(entry, site), position: moment, fragment: at === undefined ? '' : `#t=${at}` };
  if (isCovered(entry, site)) return { kind: 'covered', record };
  if (!player) return { kind: 'card', record, lacks: `its record ${id} has no recording in this site` };
  return { kind: 'player', record, player, at, poster: createDisplayImage(entry, site), alt: describeImage(entry, site) };
}

function createDocument(entry: ListedEntry, page: number, site: Site): Found<EmbedView> {
  const { id } = entry;
  const { documentPages } = splitFiles(entry, site);
  const count = documentPages.length;
  const only = count === 0 ? createDisplayImage(entry, site) : undefined;
  const record = createRecordLine(entry, site);
  if (count === 0 && !only) return { kind: 'card', record, lacks: `its record ${id} has no pages in this site` };
  if (page > Math.max(1, count))
    return { problem: `the document ${id} has ${count <= 1 ? 'one page' : `${count} pages`}, so page ${page} does not exist` };
  if (isCovered(entry, site)) return { kind: 'covered', record };
  const block = Math.floor((page - 1) / PAGE_SIZE) + 1;
  const image = only ?? createDocumentPages(block, documentPages, site).find(({ number }) => number === page)?.image;
  if (!image) return { kind: 'card', record, lacks: `page ${page} of its record ${id} has no image in this site` };
  const caption = count > 1 ? site.locale.t.object.leaf(page, record.card.title) : describeImage(entry, site);
  const position = count > 1 ? site.locale.t.object.leafOf(String(page), count) : undefined;
  const fragment = count > 1 && block === 1 ? `#page-${page}` : '';
  return { kind: 'figure', record: { ...record, position, fragment }, image, caption, description: '' };
}

/** Returns the line below the image or player of a record. */
export function createRecordLine(entry: ListedEntry, site: Site) {
  const rights = site.relations.entry(entry.id)?.facets.rights?.[0];
  return {
    card: createCard(entry, site),
    /** What to add to the address of the record's page: the moment or page. */
    fragment: '',
    /** Such as `Page 2 of 5`, or the moment at which a recording begins. */
    position: undefined as string | undefined,
    rights: rights && facetLabel(site.locale, 'rights', rights),
  };
}

function createMap(collection: string | undefined, context: EmbedContext): Found<EmbedView> {
  const { site, entries, land } = context;
  const inCollection = collection === undefined ? undefined : [...entriesIn(collection, context)];
  const positions = inCollection ? inCollection.map((entry) => entry.positions) : entries.objects.positions();
  const counts = inCollection && countValues(inCollection, 'place');
  const map = createMapView(positions, site, land, { isZoomable: false, ...(counts ? { counts } : {}) });
  return map
    ? { kind: 'map', map }
    : { problem: collection === undefined ? 'no place in this site has a position' : `no place in ${collection} has a position` };
}

function createTimelineView(collection: string | undefined, context: EmbedContext): Found<EmbedView> {
  const all = readTermLines(context.site, 'time');
  const counts = collection === undefined ? undefined : countValues(entriesIn(collection, context), 'time');
  const lines = all.flatMap((line) => {
    const count = counts ? counts.get(line.path) : line.count;
    return count === undefined ? [] : [{ ...line, count }];
  });
  const { rows } = createTimeline(lines);
  return rows.length > 0 ? { kind: 'timeline', rows } : { problem: 'none of the records has a date' };
}

/** Returns how many records have each value of a facet, by the path of its page. */
function countValues(
  entries: Iterable<{ facets: { [name in Facet]?: ReadonlyArray<{ slug: string }> } }>,
  facet: Facet,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { facets } of entries)
    for (const { slug } of facets[facet] ?? []) {
      const path = facetValuePath(facet, slug);
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  return counts;
}

/** What records are found in. */
type FindContext = { site: Site; entries: Pick<Entries, 'objects'> };

/** What is wrong with a directive: a clause. */
type Found<T> = T | { problem: string };

/** Returns the record with an ID. A record that the site does not show is not there. */
function findRecord(id: string, { site }: FindContext): Found<{ entry: ListedEntry }> {
  const entry = site.relations.object(id);
  return entry ? { entry } : { problem: `the record "${id}" is not in this site` };
}

/** Returns a collection by its ID. */
function findCollection(id: string, context: FindContext): Found<{ entry: ListedEntry }> {
  const found = findRecord(id, context);
  if ('problem' in found || found.entry.model === 'collection') return found;
  return { problem: `"${id}" is not a collection` };
}

/** Returns the records that a query finds, sorted by ID: items, or if there is none, what else has the facet values. */
function findRecords(query: RecordQuery, context: FindContext): Found<{ entries: ListedEntry[] }> {
  const { site, entries } = context;
  const collection = query.collection === undefined ? undefined : findCollection(query.collection, context);
  if (collection && 'problem' in collection) return collection;
  const lists: ListedEntry[][] = [];
  for (const [facet, value] of query.facets) {
    const slug = findSlug(facet, value, site);
    if (typeof slug !== 'string') return slug;
    lists.push([...site.relations.recordsWith(facet, slug)]);
  }
  const [first = [...entries.objects.allListed('entity')], ...others] = lists;
  const inAll = others.map((list) => new Set(list.map(({ id }) => id)));
  const words = comparableText(query.words ?? '').match(/[^ ]+/g) ?? [];
  const matches = ({ id, title, ancestors }: ListedEntry) => {
    const comparedTitle = ` ${comparableText(title)} `;
    return (
      inAll.every((ids) => ids.has(id)) &&
      (query.collection === undefined || ancestors.includes(query.collection)) &&
      words.every((word) => comparedTitle.includes(` ${word}`))
    );
  };
  const found = sortById(first.filter(matches));
  const items = found.filter(({ model }) => model === 'entity');
  const shown = items.length > 0 ? items : found.filter(({ model }) => model !== 'file');
  return shown.length > 0 ? { entries: shown.slice(0, query.limit) } : { problem: 'this query finds no records' };
}

/** Returns a facet value's slug from its slug or label, in any of the site's languages: texts may be shown in another one. */
function findSlug(facet: Facet, value: string, { relations, locale, design, words }: Site): string | { problem: string } {
  const wanted = comparableText(value);
  const terms = relations.terms(facet);
  const isNamed = (label: string) => comparableText(label) === wanted;
  const findInLanguages = () => {
    const languages = locale.alternatives.map(({ language }) => language);
    const locales = createLocales(languages, design, words);
    return terms.find((one) => locales.some((each) => isNamed(facetLabel(each, facet, one))));
  };
  const term = terms.find(({ slug, label }) => slug === value || isNamed(label)) ?? findInLanguages();
  return term && term.count > 0 ? term.slug : { problem: `no record in this site has the ${facet} "${value}"` };
}

/** Yields the complete entries of the items and segments in a collection. */
function* entriesIn(collection: string, { entries: { objects } }: FindContext) {
  for (const entry of objects) if (entry.ancestors.includes(collection)) yield entry;
}
