/** The keys that move between search results. */

/** Lets the arrow keys move between the query and the results, also when nothing has the focus. */
export function setUpResultKeys(query: HTMLInputElement, results: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...results.querySelectorAll('a')];
    if (step === undefined || links.length === 0) return;
    const { target } = event;
    // As on the page that a search opens.
    const isUnfocused = target instanceof Element && target.matches('html, body, main, [role="status"]') && step === 1;
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (at < 0 && target !== query && !isUnfocused) return;
    const next = at + step;
    event.preventDefault();
    (next < 0 ? query : links[Math.min(next, links.length - 1)])?.focus();
  });
}

/** Lets the Escape key in the query undo corrections, instead of clearing it. */
export function setUpUndoKey(query: HTMLInputElement, isCorrected: () => boolean, undo: () => void): void {
  query.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || !isCorrected()) return;
    event.preventDefault();
    undo();
  });
}

/** Lets links skip to the first result, and to the first filter. Without one, they go to their targets. */
export function setUpSkipLinks(form: HTMLElement, results: HTMLElement, filters: HTMLElement): void {
  form.addEventListener('click', (event) => {
    const skip = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-skip-to]') : null;
    if (!skip) return;
    const first = skip.dataset['skipTo'] === 'filters' ? filters.querySelector('summary') : results.querySelector('a');
    if (!first) return;
    event.preventDefault();
    first.focus();
  });
}
