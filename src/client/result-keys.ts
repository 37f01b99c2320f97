/** The keys that move between search results. */

/** Lets the arrow keys move between the query and the results, also when nothing has the focus, and the skip link move to the first result. */
export function setUpResultKeys(query: HTMLInputElement, results: HTMLElement, skipLink: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
  skipLink.addEventListener('click', (event) => {
    const first = results.querySelector('a');
    if (!first) return; // its target is the number of results
    event.preventDefault();
    first.focus();
  });
}
