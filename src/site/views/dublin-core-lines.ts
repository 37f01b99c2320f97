/** Dublin Core as lines for the head of a page. */
import { type DatePeriod, dcmiPeriod } from '../../model/dublin-core.ts';

/** A line in the head of a page: `DC.title`, its content, and the scheme in which it is encoded, if it is not plain. */
export type DublinCoreLine = [name: string, content: string, scheme?: string];

/** Returns elements as `DC.title` and so on, each different value once. Empty values are left out. */
export function dublinCoreLines(elements: Record<string, Array<string | undefined>>): DublinCoreLine[] {
  return Object.entries(elements).flatMap(([name, values]) =>
    [...new Set(values)].flatMap((value): DublinCoreLine[] => (value ? [[`DC.${name}`, value]] : [])),
  );
}

/** Returns periods as lines of a term, such as `DCTERMS.created`. */
export function periodLines(term: 'created' | 'temporal', periods: readonly DatePeriod[]): DublinCoreLine[] {
  return periods.map((period) => [`DCTERMS.${term}`, dcmiPeriod(period), 'DCTERMS.Period']);
}
