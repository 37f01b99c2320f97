/**
 * Rewrites the style sheet of a site for readers with an old engine, such as Kiwix Desktop 2.3.0 (Qt WebEngine 5.15, which is Chrome 87). It
 * knows neither cascade layers nor `light-dark()`. Newer engines show the result as they show the original.
 */
import { type CssNode, fromPlainObject, generate, parse, toPlainObject } from 'css-tree';
import { preprocessCSS, resolveConfig } from 'vite';

/** The oldest engines of readers that are supported. The numbers are those of lightningcss: the major version is in the third byte. */
const TARGETS = { chrome: 87 << 16, firefox: 78 << 16, safari: 14 << 16 };

/** What cannot be expressed in older CSS. The selectors are those of src/site/styles/site.css. */
const FALLBACKS = `@layer fallbacks {
  @supports not (aspect-ratio: 1) {
    .card-picture::before { content: ""; display: block; padding-top: 75%; }
  }
  @supports not (height: 1dvh) {
    .zoom-dialog { height: 100vh; }
  }
  @supports not (color: color-mix(in srgb, red, red)) {
    .fields dl > div + div { border-top: 1px solid var(--line); }
  }
  @supports not selector(:has(a)) {
    .shapes { display: none; }
  }
}`;

/**
 * Returns the style sheet for old engines.
 * @throws {Error} if it is not CSS.
 */
export async function styleForOldEngines(css: string): Promise<string> {
  const lightningcss = { targets: TARGETS };
  const config = await resolveConfig(
    { configFile: false, logLevel: 'silent', css: { transformer: 'lightningcss', lightningcss } },
    'build',
  );
  const { code } = await preprocessCSS(`${css}\n${FALLBACKS}`, 'site.css', config);
  const sheet = toPlainObject(parse(code));
  sheet.children = withoutLayers(sheet.children ?? []);
  return generate(fromPlainObject(sheet));
}

/** Replaces each layer by its rules. Later layers win over earlier ones, and rules outside of layers over all of them. */
function withoutLayers(rules: readonly CssNode[]): CssNode[] {
  const isLayer = (rule: CssNode) => rule.type === 'Atrule' && rule.name === 'layer';
  const namesOf = ({ prelude }: CssNode) => (prelude ? generate(fromPlainObject(prelude)).split(',') : ['']);
  const layers = [...new Set(rules.filter(isLayer).flatMap(namesOf))];
  return rules.flatMap((rule) => {
    const inner = isLayer(rule) ? (rule.block?.children ?? []) : [rule];
    const depth = isLayer(rule) ? layers.indexOf(namesOf(rule)[0] as string) : layers.length;
    for (const each of inner) raise(each, depth);
    return inner;
  });
}

/** Raises the specificity of the selectors of a rule above that of all earlier layers. */
function raise(rule: CssNode, depth: number): void {
  if (rule.type === 'Rule')
    for (const selector of rule.prelude?.children ?? []) selector.children = raiseSelector(selector.children ?? [], depth);
  else if (rule.type === 'Atrule' && rule.name !== 'keyframes')
    for (const inner of rule.block?.children ?? []) raise(inner, depth);
}

/** Adds `:not(#\#)`, which every element matches, once for each layer below. Each has the specificity of an ID. */
function raiseSelector(parts: CssNode[], depth: number): CssNode[] {
  const start = parts[0]?.type === 'TypeSelector' ? 1 : 0;
  const always: CssNode = { type: 'Raw', value: ':not(#\\#)' };
  return [...parts.slice(0, start), ...Array.from({ length: depth }, () => always), ...parts.slice(start)];
}
