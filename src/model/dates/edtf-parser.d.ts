/** The parts of the package `edtf` that are used here; it has no types of its own. */
declare module 'edtf' {
  /** A parsed expression of EDTF. */
  export interface EdtfNode {
    type: 'Date' | 'Year' | 'Decade' | 'Century' | 'Season' | 'Interval' | 'List' | 'Set';
    /**
     * Of a date: year, month (0 to 11), day. Of a season: year, and EDTF's number. Of the others: nodes; null is an end that is
     * open or unknown; an array is a span.
     */
    values: unknown[];
    /** Whether, or (as a bit mask) which parts of the date, are approximate. */
    approximate?: boolean | number;
    uncertain?: boolean | number;
    /** Which digits are not stated, as a bit mask: the year's digits from 1 to 8, the month's 16 and 32, the day's 64 and 128. */
    unspecified?: number;
    /** Of a list or set: it begins or ends with `..`. */
    earlier?: boolean;
    later?: boolean;
  }
  /** @throws {SyntaxError} if the text is not EDTF */
  export function parse(text: string): EdtfNode;
}
