/** Marks words in a part of the page, and takes the marks away. */
import { findText } from './fold-text.ts';

/** Marks all matches of some words within the text nodes of an element. Returns the marks in their order. */
export function markAll(element: Element, words: string): HTMLElement[] {
  return textNodes(element).flatMap((node) => {
    const marks: HTMLElement[] = [];
    // From the end, so that positions before it stay valid.
    for (const [start, end] of findText(node.data, words).reverse()) {
      const mark = document.createElement('mark');
      mark.className = 'found';
      wrap(node, start, end, mark);
      marks.unshift(mark);
    }
    return marks;
  });
}

/** Takes all marks within an element away. */
export function clearMarks(element: Element): void {
  for (const mark of element.querySelectorAll('mark.found')) {
    const parent = mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent?.normalize();
  }
}

/** Returns the text nodes of an element. */
export function textNodes(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  return nodes;
}

/** Puts a part of a text node into an element. */
export function wrap(node: Text, start: number, end: number, element: HTMLElement): void {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  range.surroundContents(element);
}
