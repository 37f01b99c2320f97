/** Says in which fields and texts of a result the words of a query are that its title and excerpt do not show. */
import type { ResultData, ResultText } from '../../formats/result-data.ts';
import { createExcerpter, type MarkedText, markText } from './excerpt.ts';
import type { Matcher } from './text-matches.ts';

/** A field or text with words of the query; `name` is undefined for text that is only for search, which is not shown. */
export interface MatchReason {
  name: string | undefined;
  text: MarkedText;
}

const REASON_LENGTH = 120;
const TEXTS: readonly ResultText[] = ['title', 'description', 'body', 'spoken'];
const NO_TEXT: MarkedText = { segments: [], terms: new Set() };

/**
 * Returns the fields and texts that contain the words and phrases with the numbers `missing`, as few as possible. `labelOf`
 * returns a value as it is shown. A field that is found by other words than its own, such as a year within a period, is marked as
 * a whole.
 */
export function findReasons(
  result: Pick<ResultData, 'fields'> & Partial<Pick<ResultData, ResultText>>,
  matcher: Matcher,
  missing: ReadonlySet<number>,
  labelOf: (name: string, text: string) => string,
): MatchReason[] {
  const reasons: MatchReason[] = [];
  const rest = new Set(missing);
  if (rest.size === 0) return reasons;
  const fields = result.fields.map(([name, text, also]) => markField(name, labelOf(name, text), also, matcher));
  const texts = TEXTS.flatMap((name) => {
    const text = result[name];
    return text === undefined ? [] : [{ name, excerpt: createExcerpter(text, matcher) }];
  });
  const countMissing = ({ text }: MatchReason) => [...text.terms].filter((term) => rest.has(term)).length;
  while (rest.size > 0) {
    const candidates = [...fields, ...texts.map(({ name, excerpt }) => ({ name, text: excerpt(REASON_LENGTH, rest) }))];
    const best = candidates.reduce<MatchReason | undefined>(
      (a, b) => (countMissing(b) > (a ? countMissing(a) : 0) ? b : a),
      undefined,
    );
    if (!best) break;
    reasons.push(best);
    for (const term of best.text.terms) rest.delete(term);
  }
  if (rest.size > 0) reasons.push({ name: undefined, text: NO_TEXT });
  return reasons;
}

function markField(name: string, text: string, also: string | undefined, matcher: Matcher): MatchReason {
  const own = createExcerpter(text, matcher)(REASON_LENGTH);
  const { terms } = also === undefined ? NO_TEXT : markText(also, matcher);
  if ([...terms].every((term) => own.terms.has(term))) return { name, text: own };
  return { name, text: { segments: [{ text, isMatch: true }], terms: new Set([...own.terms, ...terms]) } };
}
