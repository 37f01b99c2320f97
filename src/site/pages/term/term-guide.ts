/** What the guide says of a term: the beginning of the page of the same name. */
import type { ArticleEntry } from '../../../catalogue/entries.ts';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { articlePath } from '../../../catalogue/urls.ts';
import { NAMED_FACETS } from '../../../model/facets.ts';
import { textOfSections } from '../../../model/guide/article-fields.ts';
import { toPlainText, truncateSentences } from '../../../model/text/text.ts';
import type { ArticleContent } from '../../content.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfLiveUrl } from '../../text/links.ts';
import { textLang } from '../../text/text-lang.ts';
import { createFactRows } from '../guide/article-text.ts';
import { findLead } from '../guide/guide.ts';
import { namedAs } from './named-as.ts';

/** The guide page of a term’s name. */
export function guidePageOf(term: Term, site: Pick<Site, 'relations'>): ArticleEntry | undefined {
  return NAMED_FACETS.some((named) => named === term.facet) ? namedAs(term, site).articles[0] : undefined;
}

/** What the guide says of a term. */
export type TermGuide = ReturnType<typeof createTermGuide>;

/** Characters. */
const MAX_GUIDE_LENGTH = 480;
const MAX_FACTS = 6;
const MAX_FACT_LENGTH = 80;

/** Returns the beginning of the guide page of a term’s name, with its image and its short facts. */
export function createTermGuide(entry: ArticleEntry, content: ArticleContent, site: Site) {
  const { article } = content;
  const path = articlePath(entry.slug);
  const resolve = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  const facts = article ? createFactRows(article, resolve, site.locale) : [];
  const text = toPlainText(article?.description) || textOfSections(article?.sections ?? []);
  const isShort = ({ values }: (typeof facts)[number]) => values.every((value) => value.label.length <= MAX_FACT_LENGTH);
  return {
    path,
    lang: textLang(entry.title, site),
    lead: findLead(entry, site),
    text: truncateSentences(text, MAX_GUIDE_LENGTH),
    facts: facts.filter((fact) => isShort(fact) && fact.values.every(({ href }) => href === undefined)).slice(0, MAX_FACTS),
  };
}
