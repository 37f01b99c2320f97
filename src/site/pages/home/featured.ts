/** The view model of the records that the home page features: those that the archive chose, or other ones each day. */
import type { Entries } from '../../../catalogue/catalogue.ts';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { sortById } from '../../../model/ids.ts';
import { createCard } from '../../parts/cards/card.ts';
import { describeImage } from '../../parts/cards/image-text.ts';
import { findPreview } from '../../parts/cards/record-thumbnail.ts';
import type { Site } from '../../site.ts';
import { createEntryCard } from '../collections/collections.ts';

/** Featured records. The browser shows the first ones of both lists; if `isDaily`, it begins with other ones each day. */
export type Featured = ReturnType<typeof createFeatured>;

/** Records from which the day chooses. */
const MAX_DAILY = { leads: 14, cards: 28 };
/** Cards that are shown at a time. The style sheet hides the others. */
export const SHOWN_CARDS = 5;
/** A large image is wider than it is high, so that the search field beside it stays near the top. */
const MIN_LEAD_RATIO = 1.1;

/** A record that the day may choose. Not its entry, which would take a lot of memory in a large archive. */
export type Candidate = NonNullable<ReturnType<typeof toCandidate>>;

/** Returns a record as a candidate, whose image may be wide enough for a large one; undefined without an image that is shown. */
export function toCandidate(entry: ListedEntry, site: Pick<Site, 'images' | 'notices'>) {
  const image = findPreview(entry, site)?.page;
  return image && { id: entry.id, isWide: entry.genre === 'photograph' && image.width / image.height >= MIN_LEAD_RATIO };
}

/** Returns the records that the home page features. */
export function createFeatured({ objects }: Pick<Entries, 'objects'>, candidates: readonly Candidate[], site: Site) {
  const { leadRecord, leadImage } = site.design ?? {};
  const wanted = leadRecord === undefined ? undefined : site.relations.object(leadRecord);
  const ownLead = wanted && createLead(wanted, site);
  const chosen = site.featured.flatMap((id) => site.relations.object(id) ?? []);
  if (chosen.length > 0) {
    const [first] = chosen;
    const lead = ownLead ?? (first && !leadImage ? createLead(first, site) : undefined);
    const others = chosen.filter(({ id }) => id !== lead?.id);
    return { leads: lead ? [lead] : [], cards: others.map((entry) => createEntryCard(entry, site)), isDaily: false };
  }
  const withImages = sortById(candidates.filter(({ id }) => id !== ownLead?.id));
  const wide = withImages.filter(({ isWide }) => isWide);
  // Enough are left for the cards: no record is there twice.
  const maxLeads = Math.min(MAX_DAILY.leads, Math.max(1, withImages.length - SHOWN_CARDS));
  const leads = ownLead || leadImage ? [] : spread(wide.length > 0 ? wide : withImages, maxLeads);
  const isLead = new Set(leads.map(({ id }) => id));
  const others = withImages.filter(({ id }) => !isLead.has(id));
  const entriesOf = (chosenByDay: readonly Candidate[]) => chosenByDay.flatMap(({ id }) => objects.listed(id) ?? []);
  return {
    /** Records with a large image, and its alternative text. */
    leads: ownLead ? [ownLead] : entriesOf(leads).flatMap((entry) => createLead(entry, site) ?? []),
    cards: mixRecords(entriesOf(spread(others, MAX_DAILY.cards))).map((entry) => createCard(entry, site)),
    isDaily: true,
  };
}

function createLead(entry: ListedEntry, site: Site) {
  const image = findPreview(entry, site)?.page;
  return image && { id: entry.id, card: createEntryCard(entry, site), alt: describeImage(entry, site), image };
}

type Mixed = Pick<ListedEntry, 'genre' | 'ancestors' | 'title'>;

/** What distinguishes neighbors, the most conspicuous first. */
const DISTINCTIONS: ReadonlyArray<(record: Mixed) => string> = [
  ({ genre = '' }) => genre,
  ({ ancestors }) => ancestors[0] ?? '',
  // The titles of a series differ in their numbers.
  ({ title }) => title.toLowerCase().split(/[\d,:;(]/, 1)[0] ?? '',
];

/** Returns records in an order in which neighbors differ in their genre, collection and title, as far as there are any. */
export function mixRecords<T extends Mixed>(records: readonly T[], [distinction, ...others] = DISTINCTIONS): T[] {
  if (!distinction) return [...records];
  const groups = Map.groupBy(records, distinction);
  return mix(Array.from(groups.values(), (group) => mixRecords(group, others)));
}

/** Returns the elements of all groups, those of each at equal distances. */
function mix<T>(groups: ReadonlyArray<readonly T[]>): T[] {
  return groups
    .flatMap((group) => group.map((element, i) => ({ element, position: (i + 0.5) / group.length })))
    .sort((a, b) => a.position - b.position)
    .map(({ element }) => element);
}

/** Returns up to `count` elements at equal distances. */
export function spread<T>(elements: readonly T[], count: number): T[] {
  const step = Math.max(1, elements.length / count);
  return Array.from({ length: Math.min(count, elements.length) }, (_, i) => elements[Math.floor(i * step)] as T);
}
