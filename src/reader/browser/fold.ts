/** Panels that open over the page below their summary, which are `details` elements. */

/** Shows all of a panel when it opens, and lets Escape close it; with `closesOutside`, also a click elsewhere. */
export function setUpFold(fold: HTMLDetailsElement, { closesOutside = false } = {}): void {
  fold.addEventListener('toggle', () => {
    if (fold.open) fold.lastElementChild?.scrollIntoView({ block: 'nearest' });
  });
  fold.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !fold.open) return;
    fold.open = false;
    fold.querySelector('summary')?.focus();
  });
  if (!closesOutside) return;
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !fold.contains(target)) fold.open = false;
  });
}
