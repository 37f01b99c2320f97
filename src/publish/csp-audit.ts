/** Proves of a page that it has our Content-Security-Policy in force before anything else, and holds no script that the policy would refuse. */
import { Parser } from 'htmlparser2';
import { hashSource, policyDirectives } from '../site/csp.ts';
import { START_NAME } from './stick-names.ts';

/** Pages with style and script of their own: those for lost addresses, one an edition, and the one in a stick's root. No link on them could lead to ours. */
const ALONE = /^(?:[a-z]{2}\/)?404\.html$/;
/** What may stand before the policy. */
const HARMLESS_BEFORE = new Set(['html', 'head']);
/** The types of script elements that hold data: a browser never runs those. */
const DATA_TYPES = new Set(['application/json', 'application/ld+json']);
/** Attributes by which a script could be an address; `to`, `from` and `values` are those of SVG's animations. */
const ADDRESSES = new Set('href xlink:href src action formaction data poster background to from values'.split(' '));
/** Elements that no page of ours has, and that the policy refuses. */
const REFUSED_ELEMENTS = new Set(['base', 'iframe', 'frame', 'object', 'embed', 'applet', 'portal']);

interface Script {
  inline: string;
  source: string | undefined;
  type: string;
}

interface Page {
  /** The `content` of the first policy, where it comes before all that it must hold for. */
  policy: string | undefined;
  scripts: Script[];
  styles: string[];
  problems: string[];
}

/** What is wrong with a page, in words; nothing where all is well. `path` is that below dist. */
export function policyProblems(path: string, html: string): string[] {
  const { policy, scripts, styles, problems } = readPage(html);
  const mayInline = ALONE.test(path) || path === START_NAME;
  const hashes = mayInline ? [...styles, ...scripts.map(({ inline }) => inline)].map(hashSource) : [];
  const found = [...problems];
  if (policy === undefined) found.push('no Content-Security-Policy is in force from the beginning of the page');
  else found.push(...weaknesses(policy, hashes).map((problem) => `its Content-Security-Policy is weaker than ours: ${problem}`));
  for (const script of scripts) {
    const problem = scriptProblem(
      script,
      hashes.filter((hash) => policy?.includes(hash)),
    );
    if (problem !== undefined) found.push(problem);
  }
  return found;
}

/** A page may allow less than ours, never more. */
function weaknesses(content: string, hashes: string[]): string[] {
  const ours = policyDirectives();
  const theirs = directivesIn(content);
  const needed = ['default-src', 'form-action', 'base-uri'].filter((name) => !theirs.has(name));
  const wider = [...theirs].flatMap(([name, sources]) => {
    const allowed = new Set([...(ours.get(name) ?? []), ...(/^(?:script|style)-src$/.test(name) ? hashes : []), "'none'"]);
    return sources.filter((source) => !allowed.has(source)).map((source) => `${name} allows ${source}`);
  });
  return [...needed.map((name) => `${name} is missing`), ...wider];
}

/** The directives of a policy as a browser reads them: the first of a name counts. */
function directivesIn(content: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const part of content.split(';')) {
    const [name = '', ...sources] = part.trim().split(/[\t\n\f\r ]+/);
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

function scriptProblem({ inline, source, type }: Script, hashes: string[]): string | undefined {
  if (source !== undefined) {
    const elsewhere = /^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(bare(source));
    return elsewhere ? `a script comes from ${source}, ${REFUSED}` : undefined;
  }
  if (DATA_TYPES.has(type.trim().toLowerCase()) || hashes.includes(hashSource(inline))) return undefined;
  return `it has an inline script, ${REFUSED}`;
}

/** An address as a browser reads it: without what it leaves out. */
function bare(address: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers leave these out
  return address.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '');
}

function readPage(html: string): Page {
  const page: Page = { policy: undefined, scripts: [], styles: [], problems: [] };
  let begun = false;
  let script: Script | undefined;
  let style: string[] | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!begun && !HARMLESS_BEFORE.has(name) && !isCharset(name, attributes)) {
        begun = true;
        if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'content-security-policy')
          page.policy = attributes['content'] ?? '';
      }
      judgeElement(name, attributes, page.problems);
      if (name === 'script') {
        const source = attributes['src'] ?? attributes['href'] ?? attributes['xlink:href'];
        script = { inline: '', source, type: attributes['type'] ?? '' };
        page.scripts.push(script);
      }
      if (name === 'style') style = [];
    },
    ontext(text) {
      // Words before the head open the body, and a policy in the body is none.
      if (begun && !script && !style) return;
      if (!begun && /[^\t\n\f\r ]/.test(text)) begun = true;
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

function isCharset(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return name === 'meta' && Object.keys(attributes).join() === 'charset';
}

const REFUSED = 'which the Content-Security-Policy refuses';

/** Enters what is wrong with one element. */
function judgeElement(name: string, attributes: Readonly<Record<string, string>>, problems: string[]): void {
  if (REFUSED_ELEMENTS.has(name)) problems.push(`it has a <${name}>, ${REFUSED}`);
  for (const attribute in attributes) {
    if (attribute.startsWith('on')) problems.push(`${name} ${attribute} is an event handler, ${REFUSED}`);
    else if (ADDRESSES.has(attribute) && /^(?:java|vb)script:/i.test(bare(attributes[attribute] ?? '')))
      problems.push(`${name} ${attribute} is a script, ${REFUSED}`);
  }
}
