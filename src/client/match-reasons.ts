/** Says in which fields of a result the words of a query are that its title and excerpt do not show. */
import { type MarkedText, markExcerpt, markText } from './excerpt.ts';
import type { ResultData } from './result-data.ts';
import type { Matcher } from './text-matches.ts';

/** A field with words of the query; `name` is undefined for text that is only for search, which is not shown. */
export interface MatchReason {
  name: string | undefined;
  text: MarkedText;
}

const REASON_LENGTH = 120;
const NO_TEXT: MarkedText = { segments: [], terms: new Set() };

/**
 * Returns the fields that contain the words and phrases that are not in `shownTerms`, as few as possible. `labelOf` returns a value as it is
 * shown. A field that is found by other words than its own, such as a year within a period, is marked as a whole.
 */
export function findReasons(
  { fields }: Pick<ResultData, 'fields'>,
  matcher: Matcher,
  shownTerms: ReadonlySet<number>,
  labelOf: (name: string, text: string) => string,
): MatchReason[] {
  const missing = new Set(Array.from({ length: matcher.terms }, (_, term) => term).filter((term) => !shownTerms.has(term)));
  const reasons: MatchReason[] = [];
  const candidates =
    missing.size === 0 ? [] : fields.map(([name, text, also]) => markField(name, labelOf(name, text), also, matcher));
  const countMissing = ({ text }: MatchReason) => [...text.terms].filter((term) => missing.has(term)).length;
  while (missing.size > 0) {
    const best = candidates.reduce<MatchReason | undefined>(
      (a, b) => (countMissing(b) > (a ? countMissing(a) : 0) ? b : a),
      undefined,
    );
    if (!best) break;
    reasons.push(best);
    for (const term of best.text.terms) missing.delete(term);
  }
  if (missing.size > 0) reasons.push({ name: undefined, text: NO_TEXT });
  return reasons;
}

function markField(name: string, text: string, also: string | undefined, matcher: Matcher): MatchReason {
  const own = markExcerpt(text, matcher, REASON_LENGTH);
  const { terms } = also === undefined ? NO_TEXT : markText(also, matcher);
  if ([...terms].every((term) => own.terms.has(term))) return { name, text: own };
  return { name, text: { segments: [{ text, isMatch: true }], terms: new Set([...own.terms, ...terms]) } };
}
