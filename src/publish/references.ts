/** Extracts references from pages, style sheets and scripts: links, and URLs that a browser fetches by itself. */
import { findCssReferences, type Reference } from './references-in-css.ts';
import { type Attributes, scanMarkup } from './scan-markup.ts';

/** Functions that fetch the URL in their first argument, or send something there. */
const FETCHING_FUNCTIONS =
  'fetch|import|importScripts|Worker|SharedWorker|WebSocket|WebTransport|EventSource|sendBeacon|Request|open|Audio|FontFace';
/** Properties that make the browser fetch or open the URL that they are set to. */
const FETCHING_PROPERTIES = 'src|href|srcset|action|formAction|poster|data|ping|location';
/** What precedes an absolute URL in quotes: a call, an import, or an assignment to a property. */
const PRECEDING = [
  `(?:\\b(?:${FETCHING_FUNCTIONS})|\\[\\s*["'](?:${FETCHING_FUNCTIONS})["']\\s*\\])\\s*\\(\\s*(?:["'](?:GET|POST|PUT|HEAD)["']\\s*,\\s*)?`,
  '\\bfrom\\s*',
  '\\bimport\\s*',
  `(?:\\.(?:${FETCHING_PROPERTIES})|\\[\\s*["'](?:${FETCHING_PROPERTIES})["']\\s*\\]|\\blocation)\\s*=\\s*`,
  '\\blocation\\s*\\.\\s*(?:assign|replace)\\s*\\(\\s*',
  `\\bsetAttribute\\s*\\(\\s*["'](?:${FETCHING_PROPERTIES})["']\\s*,\\s*`,
].join('|');
const QUOTED_URL = new RegExp(`(?:${PRECEDING})(["'\`])((?:(?:https?|wss?|ftp):)?//[^"'\`\\s]+)\\1`, 'g');

/** Returns the absolute URLs that a script fetches, sends to, or opens. `where` becomes part of the result. */
export function findScriptReferences(script: string, where: string): Reference[] {
  return [...decodeEscapes(script).matchAll(QUOTED_URL)].map((match): Reference => ({ href: match[2] ?? '', use: 'run', where }));
}

/** Decodes escapes that could hide a URL: `\x2f`, `\u002f`, `\u{2f}`, `\/`. */
function decodeEscapes(script: string): string {
  if (!script.includes('\\')) return script;
  return script.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,5})\}|(\/))/gi, (_, byte, unit, point, slash) =>
    slash === undefined ? String.fromCodePoint(Number.parseInt(byte ?? unit ?? point, 16)) : slash,
  );
}

/** Attributes whose value is a URL, by element; `*` is any element. */
const URL_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, Reference['use']>>>> = {
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
  base: { href: 'network' },
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
/** Attributes whose value is CSS. */
const CSS_ATTRIBUTES = /^(?:style|fill|stroke|filter|mask|clip-path|cursor|marker(?:-start|-mid|-end)?)$/;
/** Values of `rel` for which a browser neither fetches the URL of a `<link>` nor connects to its host. */
const LINK_RELATIONS = /^(?:canonical|alternate|author|license|help|next|prev|search|me|shortlink|dcterms\..*|schema\..*)$/i;

/** Returns a page's references and targets in linear time. `xml`: it is SVG or XHTML, which browsers parse as XML. */
export function findHtmlReferences(html: string, { xml = false }: { xml?: boolean } = {}) {
  const anchors = new Set<string>();
  const scan = (foreign: boolean): Reference[] => {
    const found: Reference[][] = [];
    scanMarkup(
      html,
      { xml, foreign },
      {
        onTag(name, attributes) {
          for (const [attribute, value] of attributes) {
            found.push(referencesInAttribute(name, attribute, value, attributes));
            if (attribute === 'id' || (name === 'a' && attribute === 'name')) anchors.add(value);
          }
          if (name === 'link') found.push(referencesInLink(attributes));
          if (name === 'meta') found.push(referencesInMeta(attributes));
        },
        onRawText(name, attributes, text) {
          found.push(name === 'style' ? findCssReferences(text, 'style') : referencesInScriptElement(attributes, text));
        },
        onInstruction: (text) => void found.push(referencesInInstruction(text)),
      },
    );
    return found.flat();
  };
  const references = scan(xml);
  if (!xml && /<(?:svg|math)\b/i.test(html)) {
    // Browsers parse the content of SVG and MathML differently, so the results of both ways are merged.
    const known = new Set(references.map(referenceKey));
    for (const reference of scan(true)) if (!known.has(referenceKey(reference))) references.push(reference);
  }
  return { references: references.filter(({ href }) => href !== ''), anchors };
}

const referenceKey = ({ use, where, href }: Reference): string => `${use} ${where} ${href}`;

/** For a processing instruction or declaration, which only SVG files and XHTML contain. */
function referencesInInstruction(text: string): Reference[] {
  if (/(?:^|<)!ENTITY\b/i.test(text)) return [{ href: 'an entity that it declares', use: 'network', where: 'document type' }];
  const href = /^\?xml-stylesheet\b[^>]*?\bhref\s*=\s*["']([^"']*)/.exec(text)?.[1];
  return href === undefined ? [] : [{ href, use: 'run', where: 'xml-stylesheet' }];
}

function referencesInAttribute(name: string, attribute: string, value: string, attributes: Attributes): Reference[] {
  const where = `${name} ${attribute}`;
  const normalized = attribute.endsWith(':href') ? 'xlink:href' : attribute; // any prefix may be bound to XLink
  const use = URL_ATTRIBUTES[name]?.[normalized] ?? URL_ATTRIBUTES['*']?.[normalized];
  const found: Reference[] = use ? [{ href: value, use, where }] : [];
  if (attribute === 'srcset' || attribute === 'imagesrcset')
    for (const href of urlsInSourceSet(value)) found.push({ href, use: 'load', where });
  // A file in a pack, by its path in the site; it is not relative to the page.
  if (attribute === 'data-thumb') found.push({ href: `pack:${value}`, use: 'load', where });
  if (attribute === 'data-src' || attribute === 'data-larger') found.push({ href: value, use: 'load', where });
  if (attribute === 'data-tiles') found.push({ href: `${value.split('?')[0]}/info.json`, use: 'load', where });
  if (isAnimated(name, attribute, attributes))
    for (const href of value.split(';')) found.push({ href: href.trim(), use: 'load', where });
  if (CSS_ATTRIBUTES.test(attribute)) return [...found, ...findCssReferences(value, where)];
  if (attribute.startsWith('on')) return [...found, ...findScriptReferences(value, where)];
  return attribute === 'srcdoc' ? [...found, ...findHtmlReferences(value).references] : found;
}

/** Whether an attribute contains the URLs that an SVG animation sets. */
function isAnimated(name: string, attribute: string, attributes: Attributes): boolean {
  if (!['to', 'from', 'by', 'values'].includes(attribute) || !['set', 'animate'].includes(name)) return false;
  return attributes.some(([other, value]) => other === 'attributename' && /href$/i.test(value.trim()));
}

/** Returns the URLs of a source set (HTML, “parse a srcset attribute”). */
function urlsInSourceSet(value: string): string[] {
  const found: string[] = [];
  // A URL contains no white space. A comma at its end ends the candidate; any other comma belongs to the URL.
  const pattern = /[\s,]*([^\s]+)/y;
  for (let match = pattern.exec(value); match; match = pattern.exec(value)) {
    const token = match[1] as string;
    const url = trimTrailingCommas(token);
    if (url !== '') found.push(url);
    if (url.length === token.length) pattern.lastIndex = findEndOfDescriptors(value, pattern.lastIndex);
  }
  return found;
}

function trimTrailingCommas(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ',') end--;
  return text.slice(0, end);
}

function findEndOfDescriptors(value: string, from: number): number {
  const comma = value.indexOf(',', from);
  return comma === -1 ? value.length : comma + 1;
}

function referencesInLink(attributes: Attributes): Reference[] {
  const href = getAttribute(attributes, 'href');
  if (href === undefined) return [];
  const rel = getAttribute(attributes, 'rel') ?? '';
  const words = rel.trim().split(/\s+/);
  const use = words.every((word) => LINK_RELATIONS.test(word))
    ? 'link'
    : words.some((word) => /^(?:stylesheet|modulepreload|import)$/i.test(word))
      ? 'run'
      : 'load';
  return [{ href, use, where: `link rel=${rel}` }];
}

function referencesInMeta(attributes: Attributes): Reference[] {
  if (!/^refresh$/i.test(getAttribute(attributes, 'http-equiv')?.trim() ?? '')) return [];
  const content = getAttribute(attributes, 'content')?.trim() ?? '';
  // HTML, “shared declarative refresh steps”: a time, then a URL, which may follow “url=” and may be in quotes.
  const rest = content.replace(/^[\d.]*/, '').replace(/^\s*[;,]?\s*/, '');
  const url = rest.replace(/^url\s*=\s*/i, '');
  const quote = /^["']/.exec(url)?.[0];
  const href = quote === undefined ? url : (url.slice(1).split(quote)[0] ?? '');
  return [{ href: href.trim(), use: 'run', where: 'meta refresh' }];
}

function referencesInScriptElement(attributes: Attributes, text: string): Reference[] {
  const type = getAttribute(attributes, 'type')?.trim() ?? '';
  if (/^speculationrules$/i.test(type))
    return [{ href: 'the URLs in its rules', use: 'network', where: 'script type=speculationrules' }];
  if (/^importmap$/i.test(type)) {
    const urls = text.matchAll(/"((?:[a-z][a-z0-9+.-]{0,30}:|\/\/)[^"\\]*)"/gi);
    return [...urls].map((match): Reference => ({ href: match[1] ?? '', use: 'run', where: 'import map' }));
  }
  return /json/i.test(type) ? [] : findScriptReferences(text, 'script');
}

function getAttribute(attributes: Attributes, name: string): string | undefined {
  return attributes.find(([other]) => other === name)?.[1];
}
