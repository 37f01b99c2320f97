/** What records are, in words with numbers: “35 photographs”, “3 interview segments”. */
import type { KindCount, TermSummary } from '../../../catalogue/lists/term-summaries.ts';
import { codeLabel, type Locale } from '../../language/locale.ts';

/** Records of one kind. The label follows the number; `query` has the parameters of a search for them. */
export type KindLine = ReturnType<typeof kindLines>['lines'][number];

/** Returns the most frequent kinds; those beyond `max` together. */
export function kindLines(kinds: readonly KindCount[], max: number, locale: Locale) {
  const shown = kinds.length === max + 1 ? kinds : kinds.slice(0, max);
  return {
    lines: shown.map((kind) => ({ count: kind.count, label: labelOf(kind, locale), query: queryOf(kind) })),
    others: kinds.slice(shown.length).reduce((total, { count }) => total + count, 0),
  };
}

/** Genres whose labels have no plural. */
const COLLECTIVE = new Set('architecture correspondence ephemera ethnography music poetry sheet_music'.split(' '));

function labelOf({ model, genre, format, count }: KindCount, { t, language }: Locale): string {
  const lower = (label: string) => label.toLocaleLowerCase(language);
  if (genre !== undefined && COLLECTIVE.has(genre)) return t.term.itemsOf(count, lower(codeLabel(t.codes.genre, genre)));
  if (genre !== undefined) return t.term.kind(lower(codeLabel(count === 1 ? t.codes.item : t.codes.genre, genre)));
  // One record is named as on its card.
  if (format !== undefined && count === 1) return t.term.kind(lower(codeLabel(t.object.kinds, format)));
  const labels: Partial<Record<string, (n: number) => string>> = t.home.tally;
  return labels[model]?.(count) ?? t.term.kind(lower(t.codes.model[model]));
}

function queryOf({ model, genre, format }: KindCount): Record<string, string> {
  return { model, ...(genre === undefined ? {} : { genre }), ...(genre === undefined && format !== undefined ? { format } : {}) };
}

/** Returns the years of records, as they follow a sentence; empty without any. */
export function yearsOf({ years }: Pick<TermSummary, 'years'>, { t }: Locale): string {
  if (!years) return '';
  const [first, last] = years;
  return first === last ? t.term.inYear(String(first)) : t.term.inYears(String(first), String(last));
}

const MAX_IN_SENTENCE = 3;

/** Returns a sentence with the kinds and years of records: “31 interview segments and 12 photographs, from 1908 to 1961.” */
export function describeRecords(summary: TermSummary, locale: Locale): string {
  const { t, language, formatNumber } = locale;
  const { lines, others } = kindLines(summary.kinds, MAX_IN_SENTENCE, locale);
  const parts = lines.map(({ count, label }) => t.term.counted(formatNumber(count), label));
  const list = new Intl.ListFormat([language, 'en']).format(others > 0 ? [...parts, t.term.others(others)] : parts);
  return t.term.holds(list, yearsOf(summary, locale));
}
