/** The facts of a guide page, and the labels of its fields. */

import type { Position } from '../../../model/coordinates.ts';
import type { ArticleFact } from '../../../model/guide/article-fields.ts';
import { capitalize } from '../../../model/text/capitalize.ts';
import { codeLabel, type Locale } from '../../language/locale.ts';
import type { LinkTarget, ResolveLink } from '../../text/sanitize.ts';

/** A row of facts. */
export interface FactRow {
  label: string;
  /** A value that is a URL has a target. */
  values: Array<{ text: string; target: LinkTarget | undefined }>;
}

/** First words of names in which upstream writes several as one. */
const RUN_TOGETHER =
  /(?:media|interest|reading|related|free|web|has|teaching)(?=aids?|articles?|events?|formats?|levels?|objects?|sites?|teaching|topics?|types?|versions?|web)/g;

/** Returns the label of a field: its words if they are not known, without the prefix that groups fields upstream. */
export function labelOfField(name: string, { t }: Pick<Locale, 't'>): string {
  const known = codeLabel(t.guide.fields, name);
  if (known !== name) return known;
  const words = name
    .replace(/^rg_(?:rg)?/, '')
    .replace(RUN_TOGETHER, '$& ')
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replaceAll('_', ' ')
    .trim();
  return capitalize(words);
}

/** Returns the facts of a guide page, and its position. */
export function createFactRows(
  { facts, position }: { facts: readonly ArticleFact[]; position: Position | undefined },
  resolve: ResolveLink,
  locale: Locale,
): FactRow[] {
  const rows = facts
    // The position says the same.
    .filter(({ name }) => position === undefined || !/^GISL(?:at|ng)$/.test(name))
    .map(({ name, values }) => ({
      label: labelOfField(name, locale),
      values: values.map((text) => ({ text, target: /^https?:\/\/\S+$/.test(text) ? resolve(text) : undefined })),
    }));
  const stated = position && [position.lat, position.lng].map((degrees) => degrees.toFixed(4).replace('-', '−')).join(', ');
  return [...rows, ...(stated ? [{ label: locale.t.guide.position, values: [{ text: stated, target: undefined }] }] : [])];
}
