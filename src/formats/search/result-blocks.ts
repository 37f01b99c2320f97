/** The files of results of an index (docs/search-format.md): what the result list shows of some documents. */
import type { ResultData } from '../result-data.ts';
import type { Piece, Pieces } from './facet-table.ts';

/** What the index has of a document. */
export interface StoredResult {
  /** Its number in the index. */
  number: number;
  /** Path of its page in the site. */
  page: string;
  /** `ResultData` as JSON. */
  shown: string;
}

/** What a result shows, and where its page is. */
export interface IndexedResult {
  /** Path of the page in the site. */
  url: string;
  meta: ResultData;
}

/** Returns results as a piece: a line each, with the number in base 36, the page as JSON, and the data. */
export function encodeResults(results: readonly StoredResult[]): Piece[] {
  const lines = results.map(
    ({ number, page, shown }) => `${number.toString(36)} ${JSON.stringify([page]).slice(0, -1)},${shown}]`,
  );
  return [{ name: 'results', data: new TextEncoder().encode(lines.join('\n')) }];
}

/** Returns the results in a piece, by the numbers of their documents. */
export function decodeResults(pieces: Pieces): Map<number, IndexedResult> {
  return new Map(
    linesOf(pieces).map(([number, json]) => {
      const [url, meta] = JSON.parse(json) as [string, ResultData];
      return [number, { url, meta }];
    }),
  );
}

/** Returns the results in a piece as they were stored. */
export function decodeStored(pieces: Pieces): StoredResult[] {
  return linesOf(pieces).map(([number, json]) => {
    const [page, shown] = JSON.parse(json) as [string, ResultData];
    return { number, page, shown: JSON.stringify(shown) };
  });
}

function linesOf(pieces: Pieces): Array<[number: number, json: string]> {
  const text = new TextDecoder().decode(pieces.get('results'));
  return (text === '' ? [] : text.split('\n')).map((line) => {
    const at = line.indexOf(' ');
    return [Number.parseInt(line.slice(0, at), 36), line.slice(at + 1)];
  });
}
