/** Checks that a page has our Content-Security-Policy before anything else, and contains no script that the policy blocks. */
import { Parser } from 'htmlparser2';
import { hashSource, policyDirectives } from '../site/csp.ts';
import { START_FILE } from './usb-names.ts';

/** The 404 pages, one per locale. Style and script are inline: at any path, relative URLs would not work. */
const STANDALONE_PAGE = /^(?:[a-z]{2}\/)?404\.html$/;
/** Elements that may precede the policy. */
const ALLOWED_BEFORE = new Set(['html', 'head']);
/** Types of script elements that contain data, which browsers never run. */
const DATA_TYPES = new Set(['application/json', 'application/ld+json']);
/** Attributes that may contain a `javascript:` URL; `to`, `from` and `values` belong to SVG animations. */
const URL_ATTRIBUTES = new Set('href xlink:href src action formaction data poster background to from values'.split(' '));
/** Elements that the policy blocks. */
const BLOCKED_ELEMENTS = new Set(['base', 'iframe', 'frame', 'object', 'embed', 'applet', 'portal']);

interface Script {
  inline: string;
  source: string | undefined;
  type: string;
}

/** Returns the problems of a page. `path` is its path in the site. */
export function findPolicyProblems(path: string, html: string): string[] {
  const { policy, scripts, styles, problems } = parsePage(html);
  const mayInline = STANDALONE_PAGE.test(path) || path === START_FILE;
  const hashes = mayInline ? [...styles, ...scripts.map(({ inline }) => inline)].map(hashSource) : [];
  const all = [...problems];
  if (policy === undefined) all.push('no Content-Security-Policy is in force from the beginning of the page');
  else
    all.push(...findWeaknesses(policy, hashes).map((problem) => `its Content-Security-Policy is weaker than ours: ${problem}`));
  const allowed = hashes.filter((hash) => policy?.includes(hash));
  return [...all, ...scripts.flatMap((script) => checkScript(script, allowed) ?? [])];
}

/** Returns the problems of a policy that allows more than ours. */
function findWeaknesses(content: string, hashes: string[]): string[] {
  const ours = policyDirectives();
  const found = parseDirectives(content);
  const needed = ['default-src', 'form-action', 'base-uri'].filter((name) => !found.has(name));
  const wider = [...found].flatMap(([name, sources]) => {
    const allowed = new Set([...(ours.get(name) ?? []), ...(/^(?:script|style)-src$/.test(name) ? hashes : []), "'none'"]);
    return sources.filter((source) => !allowed.has(source)).map((source) => `${name} allows ${source}`);
  });
  return [...needed.map((name) => `${name} is missing`), ...wider];
}

/** Parses the directives of a policy as a browser does: the first one of each name applies. */
function parseDirectives(content: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const part of content.split(';')) {
    const [name = '', ...sources] = part.trim().split(/[\t\n\f\r ]+/);
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

function checkScript({ inline, source, type }: Script, hashes: string[]): string | undefined {
  if (source !== undefined) {
    const isExternal = /^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(normalizeUrl(source));
    return isExternal ? `a script is loaded from ${source}, ${BLOCKED}` : undefined;
  }
  if (DATA_TYPES.has(type.trim().toLowerCase()) || hashes.includes(hashSource(inline))) return undefined;
  return `it has an inline script, ${BLOCKED}`;
}

/** Removes the characters that browsers ignore in a URL (URL Standard, “basic URL parser”). */
export function normalizeUrl(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these
  return url.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '');
}

function parsePage(html: string) {
  const page = {
    /** The `content` of the policy; undefined if there is none, or if it follows something that it must apply to. */
    policy: undefined as string | undefined,
    scripts: [] as Script[],
    styles: [] as string[],
    problems: [] as string[],
  };
  let hasStarted = false;
  let script: Script | undefined;
  let style: string[] | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!hasStarted && !ALLOWED_BEFORE.has(name) && !(name === 'meta' && Object.keys(attributes).join() === 'charset')) {
        hasStarted = true;
        if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'content-security-policy')
          page.policy = attributes['content'] ?? '';
      }
      checkElement(name, attributes, page.problems);
      if (name === 'script') {
        const source = attributes['src'] ?? attributes['href'] ?? attributes['xlink:href'];
        script = { inline: '', source, type: attributes['type'] ?? '' };
        page.scripts.push(script);
      }
      if (name === 'style') style = [];
    },
    ontext(text) {
      // Text before the head opens the body, and a policy in the body is ignored.
      if (hasStarted && !script && !style) return;
      if (!hasStarted && /[^\t\n\f\r ]/.test(text)) hasStarted = true;
      if (script) script.inline += text;
      style?.push(text);
    },
    onclosetag(name) {
      if (name === 'script') script = undefined;
      if (name === 'style' && style) {
        page.styles.push(style.join(''));
        style = undefined;
      }
    },
  });
  parser.end(html);
  return page;
}

const BLOCKED = 'which the Content-Security-Policy blocks';

function checkElement(name: string, attributes: Readonly<Record<string, string>>, problems: string[]): void {
  if (BLOCKED_ELEMENTS.has(name)) problems.push(`it has a <${name}>, ${BLOCKED}`);
  for (const attribute in attributes) {
    if (attribute.startsWith('on')) problems.push(`${name} ${attribute} is an event handler, ${BLOCKED}`);
    else if (URL_ATTRIBUTES.has(attribute) && /^(?:java|vb)script:/i.test(normalizeUrl(attributes[attribute] ?? '')))
      problems.push(`${name} ${attribute} is a script, ${BLOCKED}`);
  }
}
