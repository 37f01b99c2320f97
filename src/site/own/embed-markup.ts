/**
 * The place of an embed in a text: an element with the directive as JSON, around its caption. Astro's Markdown processor writes
 * it, and pages split the text there. Operators cannot forge more than a directive.
 */
import type { MdastPluginDefinition } from 'satteri';
import { attempt } from '../../platform/expected-errors.ts';
import type { WrittenDirective } from './directives.ts';

const ELEMENT = 'microfiche-embed';
/** The name of the directive that an image beside the text becomes. */
export const IMAGE_FILE = 'image-file';

/** A plugin of Astro's Markdown: directives within a line (`0:35`) stay text; an image as a paragraph becomes an embed. */
export const embedPlugin: MdastPluginDefinition = {
  name: 'microfiche-embeds',
  options: { position: true },
  leafDirective(node, context) {
    context.setProperty(node, 'data', place({ name: node.name, attributes: node.attributes ?? {} }));
  },
  textDirective(node, context) {
    const { start, end } = node.position ?? {};
    context.replaceNode(node, { type: 'text', value: context.source.slice(start?.offset, end?.offset) });
  },
  paragraph(node, context) {
    const [image] = node.children;
    if (image?.type !== 'image' || node.children.length > 1) return;
    context.replaceNode(node, {
      type: 'paragraph',
      data: place({ name: IMAGE_FILE, attributes: { src: image.url, alt: image.alt ?? '' } }),
      children: image.title ? [{ type: 'text', value: image.title }] : [],
    });
  },
};

const place = (directive: WrittenDirective) => ({ hName: ELEMENT, hProperties: { 'data-directive': JSON.stringify(directive) } });

/** A part of a rendered text: HTML that is not safe yet, or an embed with its caption as such HTML. */
export type TextPart = { html: string } | { directive: WrittenDirective; caption: string };

const PLACE = new RegExp(`<${ELEMENT} data-directive="([^"]*)">(.*?)</${ELEMENT}>`, 'gs');

/** Splits rendered HTML at its embeds. */
export function splitAtEmbeds(html: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: whole, 1: json = '', 2: caption = '', index } of html.matchAll(PLACE)) {
    parts.push({ html: html.slice(from, index) });
    const directive = readDirective(json);
    if (directive) parts.push({ directive, caption });
    from = index + whole.length;
  }
  parts.push({ html: html.slice(from) });
  return parts.filter((part) => !('html' in part) || part.html.trim() !== '');
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

function readDirective(escaped: string): WrittenDirective | undefined {
  // What the Markdown processor escapes in an attribute.
  const json = escaped.replace(/&(?:#x([0-9a-f]{1,5})|(\w+));/gi, (entity, code?: string, name = '') =>
    code === undefined ? (NAMED_ENTITIES[name] ?? entity) : String.fromCodePoint(Number.parseInt(code, 16)),
  );
  // What is not JSON is HTML that the operator wrote.
  const { name, attributes } = (attempt(() => JSON.parse(json) as unknown) ?? {}) as Partial<WrittenDirective>;
  return typeof name === 'string' && typeof attributes === 'object' ? { name, attributes } : undefined;
}

/** The features of Markdown that own pages have. */
export const MARKDOWN_FEATURES = { directive: true };
