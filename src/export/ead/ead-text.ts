/** Turns HTML of records into the elements of EAD3: paragraphs, lists, tables, emphasis and links. */
import { parseMarkup } from '../../model/text/markup.ts';
import { toXmlText, type XmlAttributes, xmlElement } from '../../model/text/xml.ts';
import { type ResolveLink, toSafeHtml } from '../../site/text/sanitize.ts';

/** An element of HTML, or text. */
type HtmlNode = HtmlElement | string;
interface HtmlElement {
  name: string;
  href: string | undefined;
  children: HtmlNode[];
}

/** Where inline content is: links cannot contain links, and only paragraphs, items and cells can contain lists. */
type InlineContext = Partial<Record<'inLink' | 'allowsLists', boolean>>;

const EMPHASIS: Readonly<Record<string, string>> = {
  i: 'italic',
  em: 'italic',
  b: 'bold',
  strong: 'bold',
  u: 'underline',
  sup: 'super',
  sub: 'sub',
};
const BLOCKS = new Set('p div pre h2 h3 h4 hr ul ol li dl dt dd blockquote table caption thead tbody tr th td'.split(' '));

/** Returns untrusted HTML, or plain text, as blocks of EAD3 (`p`, `list`, `table`, `blockquote`). Empty if it has no text. */
export const toEadBlocks = (html: string, resolve: ResolveLink): string => blocksOf(parseHtml(toSafeHtml(html, resolve)));

/** Returns untrusted HTML as content of one line, such as a title, with emphasis and links. */
export function toEadLine(html: string, resolve: ResolveLink): string {
  return inlineOf(parseHtml(toSafeHtml(html, resolve)), {}).trim();
}

/** Parses sanitized HTML. */
function parseHtml(html: string): HtmlNode[] {
  const root: HtmlElement = { name: '', href: undefined, children: [] };
  const open = [root];
  parseMarkup(html, {
    onopentag(name, attributes) {
      const element: HtmlElement = { name, href: attributes['href'], children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    ontext: (text) => void open.at(-1)?.children.push(text),
    onclosetag: () => void open.pop(),
  });
  return root.children;
}

const isBlock = (node: HtmlNode): node is HtmlElement => typeof node !== 'string' && BLOCKS.has(node.name);

function blocksOf(nodes: readonly HtmlNode[], inQuote = false): string {
  let blocks = '';
  let line: HtmlNode[] = [];
  const endLine = () => {
    blocks += wrap('p', {}, inlineOf(line, {}));
    line = [];
  };
  for (const node of nodes) {
    if (!isBlock(node)) {
      line.push(node);
      continue;
    }
    endLine();
    blocks += blockOf(node, inQuote);
  }
  endLine();
  return blocks;
}

function blockOf({ name, children }: HtmlElement, inQuote: boolean): string {
  if (name === 'ul' || name === 'ol') return listOf(name, children);
  if (name === 'dl') return definitionsOf(children);
  if (name === 'table') return tableOf(children);
  if (/^h[2-4]$/.test(name)) return wrap('p', {}, wrapInline('emph', { render: 'bold' }, inlineOf(children, {})));
  if (name === 'blockquote' && !inQuote) return wrap('blockquote', {}, blocksOf(children, true));
  return blocksOf(children, inQuote);
}

function listOf(name: 'ul' | 'ol', children: readonly HtmlNode[]): string {
  const items = children
    .filter((node) => typeof node !== 'string' || node.trim() !== '')
    .map((node) => itemOf(typeof node !== 'string' && node.name === 'li' ? node.children : [node]))
    .join('');
  const type = name === 'ul' ? { listtype: 'unordered', mark: 'disc' } : { listtype: 'ordered', numeration: 'decimal' };
  return wrap('list', type, items);
}

const itemOf = (children: readonly HtmlNode[]) => wrap('item', {}, inlineOf(children, { allowsLists: true }));

/** Each term has one definition: those that follow it are joined, and a missing one is empty. */
function definitionsOf(children: readonly HtmlNode[]): string {
  const entries: Array<{ term: string; definitions: string[] }> = [];
  for (const node of children) {
    if (typeof node === 'string' && node.trim() === '') continue;
    const isTerm = typeof node !== 'string' && node.name === 'dt';
    const content = inlineOf(typeof node === 'string' ? [node] : node.children, { allowsLists: !isTerm });
    const last = entries.at(-1);
    if (isTerm || !last) entries.push(isTerm ? { term: content, definitions: [] } : { term: '', definitions: [content] });
    else last.definitions.push(content);
  }
  const items = entries.map(
    ({ term, definitions }) => `<defitem><label>${term}</label><item>${definitions.join('<lb/>')}</item></defitem>`,
  );
  return wrap('list', { listtype: 'deflist' }, items.join(''));
}

function tableOf(children: readonly HtmlNode[]): string {
  const rows: HtmlElement[][] = [];
  let caption: readonly HtmlNode[] = [];
  const collect = (nodes: readonly HtmlNode[]) => {
    for (const node of nodes) {
      if (typeof node === 'string') continue;
      if (node.name === 'caption') caption = node.children;
      else if (node.name === 'tr') rows.push(node.children.filter(isBlock));
      else collect(node.children);
    }
  };
  collect(children);
  const shown = rows.filter((cells) => cells.length > 0);
  if (shown.length === 0) return blocksOf(caption);
  const columns = shown.reduce((most, cells) => Math.max(most, cells.length), 0);
  const body = shown.map((cells) => `<row>${cells.map(cellOf).join('')}</row>`).join('');
  const group = `<tgroup cols="${columns}"><tbody>${body}</tbody></tgroup>`;
  return `<table>${wrap('head', {}, inlineOf(caption, {}))}${group}</table>`;
}

function cellOf({ name, children }: HtmlElement): string {
  const content = inlineOf(children, { allowsLists: name === 'td' });
  return `<entry>${name === 'th' ? wrapInline('emph', { render: 'bold' }, content) : content}</entry>`;
}

/** Returns nodes as content of one block. Blocks among them are separated by line breaks. */
function inlineOf(nodes: readonly HtmlNode[], context: InlineContext): string {
  let content = '';
  let isSeparate = false;
  for (const node of nodes) {
    const part = typeof node === 'string' ? toXmlText(node) : elementOf(node, context);
    if (part === '' || (part.trim() === '' && (isSeparate || content === ''))) continue;
    const isBroken = isBlock(node) && !part.startsWith('<list');
    if ((isBroken || isSeparate) && content.trim() !== '' && !part.startsWith('<l')) content += '<lb/>';
    isSeparate = isBroken;
    content += part;
  }
  return content;
}

function elementOf({ name, href, children }: HtmlElement, context: InlineContext): string {
  if (name === 'br') return '<lb/>';
  if (context.allowsLists && (name === 'ul' || name === 'ol')) return listOf(name, children);
  if (context.allowsLists && name === 'dl') return definitionsOf(children);
  const render = EMPHASIS[name];
  if (render !== undefined) return wrapInline('emph', { render }, inlineOf(children, { ...context, allowsLists: false }));
  if (name === 'a' && href !== undefined && !context.inLink)
    return wrapInline('ref', { href, show: 'new', actuate: 'onrequest' }, inlineOf(children, { inLink: true }));
  return inlineOf(children, context);
}

/** Returns a block; nothing if it has no text. */
function wrap(name: string, attributes: XmlAttributes, content: string): string {
  return isBlank(content) ? '' : xmlElement(name, attributes, content.trim());
}

/** Returns an element within a line; only its spaces and line breaks if it has no text. */
function wrapInline(name: string, attributes: XmlAttributes, content: string): string {
  return isBlank(content) ? content : xmlElement(name, attributes, content);
}

const isBlank = (content: string) => content.replaceAll('<lb/>', '').trim() === '';
