/** Finds the guide pages and other terms that have the same name as a term. */
import type { Term } from '../../../catalogue/lists/relations.ts';
import { bareNameKey, nameKey } from '../../../catalogue/lists/term-summaries.ts';
import type { Site } from '../../site.ts';

/** Returns the guide pages and terms of the same name; without what is in brackets after it, if there is no guide page. */
export function namedAs({ label }: Pick<Term, 'label'>, { relations }: Pick<Site, 'relations'>) {
  const same = relations.named(nameKey(label));
  const bare = bareNameKey(label);
  return same.articles.length > 0 || bare === nameKey(label) ? same : { ...same, articles: relations.named(bare).articles };
}
