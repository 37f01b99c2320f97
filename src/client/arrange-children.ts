/** Changes the children of an element as little as possible. */

/**
 * Gives an element these children, in this order. The one that has the focus is not taken out, because a key may be pressed in it: it would lose
 * the release of the key.
 */
export function arrangeChildren(parent: Element, children: readonly Element[]): void {
  const kept = new Set(children);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  const focused = children.findIndex((child) => child.contains(document.activeElement));
  const start = Math.max(0, focused);
  const [first] = children.slice(start);
  if (!first) return;
  if (first.parentElement !== parent) parent.prepend(first);
  for (let i = start + 1; i < children.length; i++) {
    const [before, child] = [children[i - 1], children[i]];
    if (child && before?.nextElementSibling !== child) before?.after(child);
  }
  for (let i = start - 1; i >= 0; i--) {
    const [child, after] = [children[i], children[i + 1]];
    if (child && after?.previousElementSibling !== child) after?.before(child);
  }
}
