/** What a page, style sheet or script refers to: links that a reader may follow, and things that the browser fetches by itself. */
import { Parser } from 'htmlparser2';

export interface Reference {
  href: string;
  /** `load`: fetched without anyone's doing; `link`: followed by a reader; `send`: where a form or ping would go. */
  use: 'load' | 'link' | 'send';
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
  '*': { background: 'load', ping: 'send', 'xlink:href': 'load', manifest: 'load', poster: 'load', src: 'load' },
  a: { href: 'link' },
  area: { href: 'link' },
  base: { href: 'load' },
  blockquote: {},
  button: { formaction: 'send' },
  embed: { src: 'load' },
  form: { action: 'send' },
  image: { href: 'load' },
  input: { formaction: 'send' },
  object: { data: 'load', codebase: 'load' },
  use: { href: 'load' },
};
/** `<link>`s that only name something; every other kind makes the browser fetch, or reach out. */
const NAMING_LINKS = /^(?:canonical|alternate|author|license|help|next|prev|search|me|shortlink|dcterms\..*|schema\..*)$/i;

export function referencesInHtml(html: string): PageReferences {
  const references: Reference[] = [];
  const anchors = new Set<string>();
  let text: 'style' | 'script' | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      for (const [attribute, value] of Object.entries(attributes)) {
        const use = ATTRIBUTES[name]?.[attribute] ?? ATTRIBUTES['*']?.[attribute];
        const where = `${name} ${attribute}`;
        if (use) references.push({ href: value, use, where });
        if (attribute === 'srcset' || attribute === 'imagesrcset') {
          for (const candidate of value.split(/,\s+|,(?=\S+\s)/))
            references.push({ href: candidate.trim().split(/\s+/)[0] ?? '', use: 'load', where });
        }
        // Out of a pack, by its path from the site's first folder: the page's own address does not matter.
        if (attribute === 'data-thumb') references.push({ href: `pack:${value}`, use: 'load', where });
        if (attribute === 'data-tiles') references.push({ href: `${value.split('?')[0]}/info.json`, use: 'load', where });
        if (attribute === 'style') references.push(...referencesInCss(value, where));
        if (attribute.startsWith('on')) references.push(...referencesInScript(value, where));
        if (attribute === 'srcdoc') references.push(...referencesInHtml(value).references);
        if (attribute === 'id' || (name === 'a' && attribute === 'name')) anchors.add(value);
      }
      if (name === 'link' && attributes['href'] !== undefined) {
        const naming = (attributes['rel'] ?? '').split(/\s+/).every((rel) => NAMING_LINKS.test(rel));
        references.push({
          href: attributes['href'],
          use: naming ? 'link' : 'load',
          where: `link rel=${attributes['rel'] ?? ''}`,
        });
      }
      if (name === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '')) {
        const target = /url\s*=\s*['"]?([^'"]+)/i.exec(attributes['content'] ?? '')?.[1];
        if (target) references.push({ href: target.trim(), use: 'load', where: 'meta refresh' });
      }
      text = name === 'style' || (name === 'script' && !/json/i.test(attributes['type'] ?? '')) ? name : undefined;
    },
    ontext(chunk) {
      if (text === 'style') references.push(...referencesInCss(chunk, 'style'));
      if (text === 'script') references.push(...referencesInScript(chunk, 'script'));
    },
    onclosetag() {
      text = undefined;
    },
  });
  parser.end(html);
  return { references: references.filter(({ href }) => href !== ''), anchors };
}

export function referencesInCss(css: string, where: string): Reference[] {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, '');
  const urls = [
    ...bare.matchAll(
      /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')|image-set\(\s*(?:"([^"]*)"|'([^']*)')/gi,
    ),
  ];
  return urls.map(
    (match): Reference => ({ href: (match.slice(1).find((group) => group !== undefined) ?? '').trim(), use: 'load', where }),
  );
}

/** Calls that fetch an absolute address written in the script itself. What a script puts together while it runs cannot be seen here. */
export function referencesInScript(script: string, where: string): Reference[] {
  const calls =
    /(?:\b(?:fetch|import|importScripts|Worker|SharedWorker|WebSocket|EventSource|sendBeacon|Request|open)\s*\(\s*(?:["'](?:GET|POST|HEAD)["']\s*,\s*)?|\bfrom\s*|\bimport\s*|\.(?:src|href)\s*=\s*)(["'`])((?:https?:|wss?:)?\/\/[^"'`\s]+)\1/gi;
  return [...script.matchAll(calls)].map((match): Reference => ({ href: match[2] ?? '', use: 'load', where }));
}
