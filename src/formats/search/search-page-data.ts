/** The texts that the site passes to the script of its search page. */
import type { SearchFacet } from '../../model/facets.ts';
import type { LANGUAGE_FILES } from '../../model/text/languages.ts';
import { patternsIn, type Texts } from '../../model/text/messages.ts';
import { pluralForms } from '../plural-forms.ts';

/** These texts. In each, `#` becomes the first of its values, and `##` the second: see src/site/language/en.json. */
export type SearchWords = ReturnType<typeof createSearchWords>;

type Words = Omit<Texts<(typeof LANGUAGE_FILES)['en']>, 'codes'>;

/** Returns these texts in a language, a BCP 47 tag. */
export function createSearchWords({ t, language }: { t: Words; language: string }) {
  const { search, lists } = t;
  const facets = Object.entries({ ...search.filters, ...t.facets });
  const ofFacets = (label: (names: { plural: string; singular: string }) => string) =>
    Object.fromEntries(facets.map(([facet, names]) => [facet, label(names)])) as Record<SearchFacet, string>;
  return {
    filters: ofFacets(({ singular }) => singular),
    filterValues: ofFacets(({ plural }) => search.filterValues(plural.toLocaleLowerCase(language))),
    ...patternsIn(search, 'showAll showFewer firstValues'),
    yearBar: pluralForms(language, (count) => search.yearBar('#', count), '##'),
    showResults: pluralForms(language, search.showResults),
    part: search.part('#', '##'),
    results: pluralForms(language, search.results),
    grouped: search.grouped('#'),
    records: pluralForms(language, lists.records),
    ...patternsIn(search, 'none noneFor withoutUnknown withoutLeftOut someWords quoted didYouMean corrected'),
    ...patternsIn(search, 'undoCorrection foundIn'),
    inFiles: pluralForms(language, search.inFiles),
    ...patternsIn(search, 'heardIn inSegments allSegments foundInHidden remove unknownLanguage notLoaded'),
    ...patternsIn(lists, 'shown noMatches'),
    skipToResults: t.frame.skipToResults,
    contentWarning: t.notices.warning,
    /** A name that several people have, with the number of the narrator, or the ID of the name record. */
    narratorName: t.personWithId('#', t.narrator('##')),
    recordName: t.personWithId('#', t.nameRecord('##')),
  };
}
