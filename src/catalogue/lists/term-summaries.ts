/** What the records with a facet value are, all together: how many of each kind, from which years, and where. */
import type { Model } from '../../model/ids.ts';
import { lastStep, stepsOfTerm } from '../../model/term-steps.ts';
import type { ObjectEntry } from '../entries.ts';
import { type FacetValue, UNDATED } from './facets.ts';

/** Records of one kind: of a model, and items of a genre, or else of a format. */
export interface KindCount {
  model: Model;
  genre?: string;
  format?: string;
  count: number;
}

/** What the head of a facet value's page says of its records. */
export type TermSummary = ReturnType<ReturnType<typeof createSummaryCounter>['summary']>;

const MAX_SPOTS = 12;

/** The part of a record that summaries count. */
export type Counted = Pick<ObjectEntry, 'model' | 'facets' | 'positions'>;

/** Begins a summary, which counts records one after the other. */
export function createSummaryCounter() {
  const kinds = new Map<string, KindCount>();
  const decades = new Map<number, number>();
  const spots = new Map<string, { place: string; lat: number; lng: number; count: number }>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  function addTime({ slug, span }: FacetValue): void {
    const year = Number.parseInt(slug, 10);
    const isDecade = slug.endsWith('s');
    if (isDecade) decades.set(year, (decades.get(year) ?? 0) + 1);
    const [from, to] = span ?? (isDecade ? [first, last] : [year, year]);
    [first, last] = [Math.min(first, from), Math.max(last, to)];
  }

  return {
    add({ model, facets: { genre, format, time }, positions }: Counted) {
      const kind = kindOf(model, genre?.[0]?.label, format?.[0]?.label);
      const key = JSON.stringify(kind);
      const counted = kinds.get(key) ?? { ...kind, count: 0 };
      counted.count++;
      kinds.set(key, counted);
      for (const value of time ?? []) if (value.slug !== UNDATED) addTime(value);
      for (const { place, lat, lng } of positions) {
        const spot = spots.get(place) ?? { place, lat, lng, count: 0 };
        // As on the map of places, the last position of a place counts.
        spots.set(place, { place, lat, lng, count: spot.count + 1 });
      }
    },
    summary: () => ({
      /** The most frequent first. */
      kinds: [...kinds.values()].sort((a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      /** The first and the last year of all dates. */
      years: first <= last ? ([first, last] as const) : undefined,
      /** The number of records of each decade, by its first year, in order. */
      decades: [...decades].sort(([a], [b]) => a - b),
      /** The places that most records name, by slug, with the number of these; at most `MAX_SPOTS`. */
      spots: [...spots.values()].sort((a, b) => b.count - a.count || (a.place < b.place ? -1 : 1)).slice(0, MAX_SPOTS),
    }),
  };
}

/** Only items are named by their genre or format, as on cards. */
function kindOf(model: Model, genre: string | undefined, format: string | undefined): Omit<KindCount, 'count'> {
  if (model !== 'entity') return { model };
  if (genre !== undefined) return { model, genre };
  return format === undefined ? { model } : { model, format };
}

/** Returns the text by which a facet value and a guide page have the same name: a term's last step, in lower case. */
export const nameKey = (label: string): string => lastStep(stepsOfTerm(label)).normalize('NFKC').trim().toLowerCase();

/** Returns the same text without what is in brackets after a name: “Rohwer (detention facility)” and “Rohwer” have one. */
export const bareNameKey = (label: string): string => nameKey(label).replace(/(?<=\S)\s*\([^()]*\)$/u, '');
