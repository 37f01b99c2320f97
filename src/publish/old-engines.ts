/**
 * Rewrites the style sheet for readers with an old engine, such as Kiwix Desktop 2.3.0 (Qt WebEngine 5.15, which is Chrome 87). It knows neither
 * cascade layers nor `light-dark()`. Newer engines show the result as they show the original.
 */
import { type CssNode, fromPlainObject, generate, parse, toPlainObject } from 'css-tree';
import { preprocessCSS, resolveConfig } from 'vite';

/** The oldest engines of readers that are supported. The numbers are those of lightningcss: the major version is in the third byte. */
const TARGETS = { chrome: 87 << 16, firefox: 78 << 16, safari: 14 << 16 };

/** What cannot be expressed in older CSS. The selectors are those of src/site/parts. */
const ADDITIONS = `@layer additions {
  @supports not (aspect-ratio: 1) {
    .card-picture::before, .lead-image::before { content: ""; display: block; padding-top: 75%; }
  }
  @supports not (height: 1dvh) {
    .zoom-dialog { position: fixed; top: 0; left: 0; height: 100vh; }
  }
  @supports not (color: color-mix(in srgb, red, red)) {
    .fields dl > div + div { border-top: 1px solid var(--line); }
  }
  @supports not selector(:has(a)) {
    .shapes { display: none; }
  }
}`;

/** The oldest engines of readers that are supported, as the bundler of scripts names them. */
export const SCRIPT_TARGETS = ['chrome87', 'firefox78', 'safari14'];

/**
 * Returns the style sheet for old engines, without comments and indentation.
 * @throws {Error} if it is not CSS.
 */
export async function styleForOldEngines(css: string): Promise<string> {
  const lightningcss = { targets: TARGETS };
  const config = await resolveConfig(
    { configFile: false, logLevel: 'error', css: { transformer: 'lightningcss', lightningcss } },
    'build',
  );
  const { code } = await preprocessCSS(`${css}\n${ADDITIONS}`, 'site.css', config);
  const sheet = toPlainObject(parse(code));
  sheet.children = withoutLayers(withoutMozAny(sheet.children ?? []));
  return generate(fromPlainObject(sheet));
}

/** Leaves out the copies of rules with `:-moz-any()` that lightningcss makes of those with `:is()`: Firefox knows `:is()` since version 78. */
function withoutMozAny(rules: readonly CssNode[]): CssNode[] {
  return rules
    .filter((rule) => rule.type !== 'Rule' || !(rule.prelude?.children ?? []).some(hasMozAny))
    .map((rule) =>
      rule.type === 'Atrule' && rule.block
        ? { ...rule, block: { ...rule.block, children: withoutMozAny(rule.block.children ?? []) } }
        : rule,
    );
}

function hasMozAny({ type, name, children }: CssNode): boolean {
  return (type === 'PseudoClassSelector' && name === '-moz-any') || (children ?? []).some(hasMozAny);
}

/**
 * Replaces each layer by its rules. Later layers win over earlier ones, and rules outside of layers over all of them, because their selectors get
 * more classes than the earlier layers have.
 */
function withoutLayers(rules: readonly CssNode[]): CssNode[] {
  const isLayer = (rule: CssNode) => rule.type === 'Atrule' && rule.name === 'layer';
  const namesOf = ({ prelude }: CssNode) => (prelude ? generate(fromPlainObject(prelude)).split(',') : ['']);
  const inner = (rule: CssNode) => (isLayer(rule) ? (rule.block?.children ?? []) : [rule]);
  const layers = [...new Set(rules.filter(isLayer).flatMap(namesOf)), OUTSIDE_LAYERS];
  const layerOf = (rule: CssNode) => (isLayer(rule) ? (namesOf(rule)[0] as string) : OUTSIDE_LAYERS);
  const byLayer = Map.groupBy(rules, layerOf);
  let classes = 0;
  for (const layer of layers) {
    const selectors = (byLayer.get(layer) ?? []).flatMap(inner).flatMap(selectorsOf);
    const maxClasses = Math.max(0, ...selectors.map(countClasses));
    for (const selector of selectors) selector.children = addClasses(selector.children ?? [], classes);
    classes += maxClasses + 1;
  }
  return rules.flatMap(inner);
}

const OUTSIDE_LAYERS = '(outside of layers)';

/** Returns the selectors of a rule, and of the rules in it. */
function selectorsOf(rule: CssNode): CssNode[] {
  if (rule.type === 'Rule') return rule.prelude?.children ?? [];
  return rule.type === 'Atrule' && rule.name !== 'keyframes' ? (rule.block?.children ?? []).flatMap(selectorsOf) : [];
}

/** Returns how many classes, attributes and pseudo-classes a selector has. It may count some that do not raise its specificity. */
function countClasses({ type, children }: CssNode): number {
  const own = /^(?:Class|Attribute|PseudoClass)Selector$/.test(type) ? 1 : 0;
  return (children ?? []).reduce((total, child) => total + countClasses(child), own);
}

/**
 * Adds `:not(._)`, which matches every element and has the specificity of a class. IDs are not used, so that readers can style what they add to
 * pages.
 */
function addClasses(parts: readonly CssNode[], count: number): CssNode[] {
  const start = parts[0]?.type === 'TypeSelector' ? 1 : 0;
  return [...parts.slice(0, start), { type: 'Raw', value: ':not(._)'.repeat(count) }, ...parts.slice(start)];
}
