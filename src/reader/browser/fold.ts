/** Panels that open over the page below their summary, which are `details` elements. */

/** Shows all of a panel when it opens, and lets Escape close it. */
export function setUpFold(fold: HTMLDetailsElement): void {
  fold.addEventListener('toggle', () => {
    if (fold.open) fold.lastElementChild?.scrollIntoView({ block: 'nearest' });
  });
  closeByKey(fold);
}

/** Lets Escape close a panel. */
export function closeByKey(fold: HTMLDetailsElement): void {
  fold.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !fold.open) return;
    fold.open = false;
    fold.querySelector('summary')?.focus();
  });
}

/** Lets a click elsewhere close a panel. */
export function closeOutside(fold: HTMLDetailsElement): void {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !fold.contains(target)) fold.open = false;
  });
}
