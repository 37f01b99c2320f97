/** What a page, style sheet or script refers to: links that a reader may follow, and things that the browser fetches by itself. */
import { referencesInCss } from './references-in-css.ts';
import { referencesInScript } from './references-in-script.ts';
import { type Attributes, scanMarkup } from './scan-markup.ts';

export { referencesInCss, referencesInScript };

export interface Reference {
  href: string;
  /**
   * `load`: fetched without anyone's doing; `run`: fetched, and what comes may fetch more, so that even a `data:` address is no harmless one;
   * `link`: followed by a reader; `send`: where a form or ping would go; `ask`: asks the network whatever the address is.
   */
  use: 'load' | 'run' | 'link' | 'send' | 'ask';
  /** Where it stands, such as `img src`. */
  where: string;
}

export interface PageReferences {
  references: Reference[];
  /** What `#…` may point to. */
  anchors: Set<string>;
}

/** Attributes that name an address, by element; `*` stands for every element. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Reference['use']>>>> = {
  '*': {
    attributionsrc: 'send',
    background: 'load',
    manifest: 'load',
    ping: 'send',
    poster: 'load',
    src: 'load',
    'xlink:href': 'load',
  },
  a: { href: 'link', 'xlink:href': 'link' },
  applet: { archive: 'run', code: 'run', codebase: 'run' },
  area: { href: 'link' },
  base: { href: 'ask' },
  button: { formaction: 'send' },
  embed: { src: 'run' },
  feimage: { href: 'load' },
  form: { action: 'send' },
  frame: { src: 'run' },
  iframe: { src: 'run' },
  image: { href: 'load' },
  input: { formaction: 'send' },
  object: { classid: 'run', codebase: 'run', data: 'run' },
  portal: { src: 'run' },
  script: { href: 'run', src: 'run', 'xlink:href': 'run' },
  use: { href: 'run', 'xlink:href': 'run' },
};
/** Attributes of SVG elements that hold CSS values. */
const STYLED = /^(?:style|fill|stroke|filter|mask|clip-path|cursor|marker(?:-start|-mid|-end)?)$/;
/** `<link>`s that only name something; every other kind makes the browser fetch, or reach out. */
const NAMING_LINKS = /^(?:canonical|alternate|author|license|help|next|prev|search|me|shortlink|dcterms\..*|schema\..*)$/i;

/** What a page refers to; `xml` where it is an SVG file or XHTML, which browsers read as XML. Takes time in proportion to the page's length, whatever it holds. */
export function referencesInHtml(html: string, { xml = false }: { xml?: boolean } = {}): PageReferences {
  const anchors = new Set<string>();
  const read = (foreign: boolean): Reference[] => {
    const found: Reference[][] = [];
    scanMarkup(
      html,
      { xml, foreign },
      {
        onTag(name, attributes) {
          for (const [attribute, value] of attributes) {
            found.push(inAttribute(name, attribute, value, attributes));
            if (attribute === 'id' || (name === 'a' && attribute === 'name')) anchors.add(value);
          }
          if (name === 'link') found.push(inLink(attributes));
          if (name === 'meta') found.push(inMeta(attributes));
        },
        onRawText(name, attributes, text) {
          found.push(name === 'style' ? referencesInCss(text, 'style') : inScript(attributes, text));
        },
        onInstruction: (text) => void found.push(inInstruction(text)),
      },
    );
    return found.flat();
  };
  const references = read(xml);
  if (!xml && /<(?:svg|math)\b/i.test(html)) {
    // Inside SVG and MathML browsers read the same letters as other markup: what is found either way counts.
    const known = new Set(references.map(keyOf));
    for (const reference of read(true)) if (!known.has(keyOf(reference))) references.push(reference);
  }
  return { references: references.filter(({ href }) => href !== ''), anchors };
}

function keyOf({ use, where, href }: Reference): string {
  return `${use} ${where} ${href}`;
}

/** A processing instruction or declaration, which only SVG files and XHTML have. */
function inInstruction(text: string): Reference[] {
  if (/(?:^|<)!ENTITY\b/i.test(text)) return [{ href: 'an entity of its own', use: 'ask', where: 'document type' }];
  const href = /^\?xml-stylesheet\b[^>]*?\bhref\s*=\s*["']([^"']*)/.exec(text)?.[1];
  return href === undefined ? [] : [{ href, use: 'run', where: 'xml-stylesheet' }];
}

function inAttribute(name: string, attribute: string, value: string, attributes: Attributes): Reference[] {
  const where = `${name} ${attribute}`;
  const own = attribute.endsWith(':href') ? 'xlink:href' : attribute; // whatever prefix stands for XLink
  const use = ATTRIBUTES[name]?.[own] ?? ATTRIBUTES['*']?.[own];
  const found: Reference[] = use ? [{ href: value, use, where }] : [];
  if (attribute === 'srcset' || attribute === 'imagesrcset')
    for (const href of inSourceSet(value)) found.push({ href, use: 'load', where });
  // Out of a pack, by its path from the site's first folder: the page's own address does not matter.
  if (attribute === 'data-thumb') found.push({ href: `pack:${value}`, use: 'load', where });
  if (attribute === 'data-tiles') found.push({ href: `${value.split('?')[0]}/info.json`, use: 'load', where });
  if (isAnimated(name, attribute, attributes))
    for (const href of value.split(';')) found.push({ href: href.trim(), use: 'load', where });
  if (STYLED.test(attribute)) return [...found, ...referencesInCss(value, where)];
  if (attribute.startsWith('on')) return [...found, ...referencesInScript(value, where)];
  return attribute === 'srcdoc' ? [...found, ...referencesInHtml(value).references] : found;
}

/** Whether the attribute holds what an SVG animation puts into an address. */
function isAnimated(name: string, attribute: string, attributes: Attributes): boolean {
  if (!['to', 'from', 'by', 'values'].includes(attribute) || !['set', 'animate'].includes(name)) return false;
  return attributes.some(([other, value]) => other === 'attributename' && /href$/i.test(value.trim()));
}

/** The addresses of a source set (HTML, “parse a srcset attribute”). */
function inSourceSet(value: string): string[] {
  const found: string[] = [];
  // An address holds no white space; a comma at its end closes the candidate, any other is part of it.
  const token = /[\s,]*([^\s]+)/y;
  for (let match = token.exec(value); match; match = token.exec(value)) {
    const address = match[1] as string;
    const bare = withoutCommas(address);
    if (bare !== '') found.push(bare);
    if (bare.length === address.length) token.lastIndex = endOfDescriptors(value, token.lastIndex);
  }
  return found;
}

function withoutCommas(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ',') end--;
  return text.slice(0, end);
}

function endOfDescriptors(value: string, from: number): number {
  const comma = value.indexOf(',', from);
  return comma === -1 ? value.length : comma + 1;
}

function inLink(attributes: Attributes): Reference[] {
  const href = attributeOf(attributes, 'href');
  if (href === undefined) return [];
  const rel = attributeOf(attributes, 'rel') ?? '';
  const words = rel.trim().split(/\s+/);
  const use = words.every((word) => NAMING_LINKS.test(word))
    ? 'link'
    : words.some((word) => /^(?:stylesheet|modulepreload|import)$/i.test(word))
      ? 'run'
      : 'load';
  return [{ href, use, where: `link rel=${rel}` }];
}

function inMeta(attributes: Attributes): Reference[] {
  if (!/^refresh$/i.test(attributeOf(attributes, 'http-equiv')?.trim() ?? '')) return [];
  const content = attributeOf(attributes, 'content')?.trim() ?? '';
  // HTML, “shared declarative refresh steps”: a time, then an address that “url=” may stand before, and quotes around.
  const rest = content.replace(/^[\d.]*/, '').replace(/^\s*[;,]?\s*/, '');
  const address = rest.replace(/^url\s*=\s*/i, '');
  const quote = /^["']/.exec(address)?.[0];
  const href = quote === undefined ? address : (address.slice(1).split(quote)[0] ?? '');
  return [{ href: href.trim(), use: 'run', where: 'meta refresh' }];
}

function inScript(attributes: Attributes, text: string): Reference[] {
  const type = attributeOf(attributes, 'type')?.trim() ?? '';
  if (/^speculationrules$/i.test(type))
    return [{ href: 'what its rules say', use: 'ask', where: 'script type=speculationrules' }];
  if (/^importmap$/i.test(type)) {
    const addresses = text.matchAll(/"((?:[a-z][a-z0-9+.-]{0,30}:|\/\/)[^"\\]*)"/gi);
    return [...addresses].map((match): Reference => ({ href: match[1] ?? '', use: 'run', where: 'import map' }));
  }
  return /json/i.test(type) ? [] : referencesInScript(text, 'script');
}

function attributeOf(attributes: Attributes, name: string): string | undefined {
  return attributes.find(([other]) => other === name)?.[1];
}
