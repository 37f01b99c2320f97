/** Marks words in a part of the page, and takes the marks away. */
import { findText } from '../../formats/search/fold-text.ts';
import { createElement } from '../browser/create-element.ts';

/** Elements between which words are apart. */
const BLOCKS = 'p, li, dd, dt, td, th, h2, h3, h4, pre, blockquote, div';
/** Elements whose text is not searched. */
const CONTROLS = '.cue-time, .term-meaning';

/** Marks all matches of some words in an element; a match may be in several text nodes. Returns the first mark of each match. */
export function markAll(element: Element, words: string): HTMLElement[] {
  const nodes = textNodes(element).filter((node) => !node.parentElement?.closest(CONTROLS));
  const starts: number[] = [];
  let text = '';
  for (const [i, node] of nodes.entries()) {
    if (i > 0 && blockOf(node) !== blockOf(nodes[i - 1] as Text)) text += '\n';
    starts.push(text.length);
    text += node.data;
  }
  const marks: HTMLElement[] = [];
  // From the end, so that positions before it stay valid.
  for (const [start, end] of findText(text, words).reverse()) {
    let first: HTMLElement | undefined;
    for (let i = nodes.length - 1; i >= 0; i--) {
      const [node, offset] = [nodes[i] as Text, starts[i] as number];
      const [from, to] = [Math.max(0, start - offset), Math.min(node.length, end - offset)];
      if (from < to) first = wrap(node, from, to, createElement('mark', { className: 'found' }));
    }
    if (first) marks.unshift(first);
  }
  return marks;
}

const blockOf = (node: Text): Element | null => node.parentElement?.closest(BLOCKS) ?? null;

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

/** Puts a part of a text node into an element, and returns that. The node keeps the text before it. */
export function wrap(node: Text, start: number, end: number, element: HTMLElement): HTMLElement {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  range.surroundContents(element);
  return element;
}
