/** The cards of people, places, topics, facilities and collections above the results of a search. */
import { isTitleKind, type Name } from '../../formats/search/name-kinds.ts';
import { STEP } from '../../model/term-steps.ts';
import { toLegible } from '../../model/text/legible.ts';
import { createElement } from '../browser/create-element.ts';
import { loadNames } from './load-names.ts';
import { formatCounted, getElement, pageAddress, pageData } from './search-elements.ts';

const MAX_CARDS = 4;

/** Returns the names that a query begins; none if they cannot be loaded, because a search does without them. */
export async function findNames(query: string): Promise<Name[]> {
  try {
    const found = await (await loadNames()).find(query);
    return found.filter(({ kind }) => !isTitleKind(kind)).slice(0, MAX_CARDS);
  } catch (error) {
    console.warn(error);
    return [];
  }
}

/** Shows names as cards. */
export function renderNames(names: readonly Name[]): void {
  const list = getElement('names');
  list.hidden = names.length === 0;
  list.replaceChildren(
    ...names.map(({ kind, label, path, count }) => {
      // Of a term, the steps above it are small.
      const [own, ...above] = toLegible(label).split(STEP).reverse();
      const number = count > 0 ? formatCounted(pageData.words.records, count) : '';
      // Each is isolated, so that numbers stay with their words.
      const facts = [pageData.nameKinds[kind], above.reverse().join(STEP), number].flatMap((fact) =>
        fact ? [' · ', createElement('bdi', {}, fact)] : [],
      );
      const link = createElement('a', { href: pageAddress(path) }, own ?? '');
      return createElement('li', {}, link, ' ', createElement('span', { className: 'fine' }, ...facts.slice(1)));
    }),
  );
}
