/** Returns the text of an element in which what `<bdi>` isolates stays isolated where it is pasted (U+2068 and U+2069). */
export function isolatedText(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll('bdi')) part.textContent = `\u2068${part.textContent}\u2069`;
  return copy.textContent ?? '';
}
