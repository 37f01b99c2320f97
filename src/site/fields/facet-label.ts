/** Labels of facet values. */
import { type LabeledValue, UNDATED } from '../../catalogue/lists/facets.ts';
import { CODED_FACETS, type Facet, STEPPED_FACETS } from '../../model/facets.ts';
import { stepsOfTerm } from '../../model/term-steps.ts';
import { codeLabel, type Locale } from '../language/locale.ts';

/** Returns what distinguishes a person from others of the same name, in words: the years of interviews, or else an ID. */
export function personQualifier(
  { ids: { oh, nr = '' } = {}, interviewed }: Pick<LabeledValue, 'ids' | 'interviewed'>,
  { t, language }: Pick<Locale, 't' | 'language'>,
): string {
  if (interviewed) return t.interviewed(new Intl.ListFormat([language, 'en']).format(interviewed.map(String)));
  return oh === undefined ? t.nameRecord(nr) : t.narrator(oh);
}

/** Returns the label of a facet value in a language. */
export function facetLabel(locale: Locale, facet: Facet, labeled: LabeledValue): string {
  const { t, languageName } = locale;
  const { slug, label: value, ids, sharesName } = labeled;
  if (sharesName && ids) return t.personWithId(value, personQualifier(labeled, locale));
  if (facet === 'language') return languageName(value);
  const coded = CODED_FACETS.find((each) => each === facet);
  if (coded) return codeLabel(t.codes[coded], value);
  if (STEPPED_FACETS.includes(facet)) return stepsOfTerm(value);
  if (facet !== 'time') return value;
  if (slug === UNDATED) return t.dates.undated;
  return slug.endsWith('s') ? t.decade(Number(slug.slice(0, -1))) : slug;
}
