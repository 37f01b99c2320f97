/** Creates an element with properties and children. ARIA properties become attributes: Firefox before 119 has only these. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: Array<Node | string>
): HTMLElementTagNameMap[K] {
  const { role, ariaLabel, ariaPressed, ariaExpanded, dataset, ...others } = properties;
  const made = Object.assign(document.createElement(name), others);
  Object.assign(made.dataset, dataset);
  const attributes = { role, 'aria-label': ariaLabel, 'aria-pressed': ariaPressed, 'aria-expanded': ariaExpanded };
  for (const [attribute, value] of Object.entries(attributes)) if (value) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}
