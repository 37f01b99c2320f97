/** The first records of each kind, above a long list of all records with a facet value. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { filterValue } from '../../../catalogue/lists/facets.ts';
import type { Term } from '../../../catalogue/lists/relations.ts';
import type { Model } from '../../../model/ids.ts';
import { capitalize } from '../../../model/text/capitalize.ts';
import { createCard } from '../../parts/cards/card.ts';
import { type KindLine, kindLines } from '../../parts/cards/kind-counts.ts';
import { findListedImage } from '../../parts/cards/record-thumbnail.ts';
import type { Site } from '../../site.ts';

const MAX_SECTIONS = 4;
const CARDS_IN_SECTION = 8;
/** Of a longer list, only so many records are looked at. */
const MAX_LOOKED_AT = 200;

/** Returns the first records of the most frequent kinds, those with an image first: interviews, then items, then segments. */
export function createSections(term: Term, site: Site) {
  const { facet, slug } = term;
  const { relations, locale } = site;
  const kinds = (relations.summary(facet, slug)?.kinds ?? []).filter(({ model }) => model === 'entity' || model === 'segment');
  const all = relations.recordsWith(facet, slug);
  const records = new Map(
    [...new Set(kinds.map(({ model }) => model))].map((model) => [model, all.only(model).slice(0, MAX_LOOKED_AT)]),
  );
  const { lines } = kindLines(kinds, MAX_SECTIONS, locale);
  const rank = ({ query }: KindLine) => (query['genre'] === 'interview' ? 0 : query['model'] === 'segment' ? 2 : 1);
  const shown = lines.slice(0, MAX_SECTIONS).sort((a, b) => rank(a) - rank(b));
  const sections = shown.map(({ count, label, query }) => {
    const own = (records.get(query['model'] as Model) ?? []).filter((entry) => isOfKind(entry, query));
    const withImage = own.filter((entry) => findListedImage(entry, site).shows !== undefined);
    const first = [...new Set([...withImage.slice(0, CARDS_IN_SECTION), ...own.slice(0, CARDS_IN_SECTION)])];
    const searched = site.search ? new URLSearchParams({ [facet]: filterValue(term), ...query }).toString() : undefined;
    return {
      /** What they are, such as “photographs”. */
      label: capitalize(label),
      count,
      cards: first.slice(0, CARDS_IN_SECTION).map((entry) => createCard(entry, site)),
      /** The query of a search for all of them; undefined if the site cannot search for them. */
      query: searched,
    };
  });
  return sections.filter(({ cards }) => cards.length > 0);
}

function isOfKind({ model, genre, format }: ListedEntry, kind: Readonly<Record<string, string>>): boolean {
  return model === kind['model'] && (kind['genre'] ?? genre) === genre && (kind['format'] ?? format) === format;
}
