/**
 * Makes the style sheets of a site. Readers with an old engine, such as Kiwix Desktop 2.3.0 (Qt WebEngine 5.15, which is Chrome
 * 87), load a second one: it shows the same without cascade layers, nesting and `light-dark()`.
 */
import { type CssNodePlain, fromPlainObject, generate, parse, toPlainObject } from 'css-tree';
import { type CustomAtRules, Features, type Selector, type Targets, type TransformOptions, transform } from 'lightningcss';

/** What is read of the nodes of a syntax tree, which have many types. */
interface CssNode {
  type: string;
  name?: string;
  value?: unknown;
  prelude?: CssNode | null;
  block?: CssNode | null;
  children?: CssNode[];
}

/** Returns the CSS of a node. */
const cssOf = (node: CssNode): string => generate(fromPlainObject(node as CssNodePlain));

/** The first engines that know `@scope`. In lightningcss's numbers, the third byte is the major version, the second the minor. */
const TARGETS: Targets = { chrome: 118 << 16, firefox: 128 << 16, safari: (17 << 16) | (4 << 8) };
/** The oldest engines of readers that are supported. */
const OLD_TARGETS: Targets = { chrome: 87 << 16, firefox: 78 << 16, safari: (14 << 16) | (1 << 8) };

/** The name of the second style sheet, beside the first one. */
export const OLD_ENGINES_STYLE = 'old-engines.css';
/**
 * Precedes the first style sheet. After a rule, an `@import` is none, and engines that do not know `@scope` see no rule: only
 * they load the second one. Its rules are in no layer, so they win over those of the first one.
 */
export const IMPORT_FOR_OLD_ENGINES = `@scope (html) {} @import "${OLD_ENGINES_STYLE}";`;

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
 * Returns a style sheet for engines since 2024, without comments and indentation.
 * @throws {Error} if it is not CSS.
 */
export const styleForEngines = (css: string): string => generate(parse(lower(css, { targets: TARGETS })));

/**
 * Returns the style sheet for old engines, without comments and indentation.
 * @throws {Error} if it is not CSS.
 */
export function styleForOldEngines(css: string): string {
  const flat = lower(`${css}\n${ADDITIONS}`, { include: Features.Nesting });
  const sheet = toPlainObject(parse(lower(flat, { targets: OLD_TARGETS, visitor: { Selector: expandLists } }))) as CssNode;
  sheet.children = withoutLayers(withoutMozAny(sheet.children ?? []));
  // Chrome knows floats by direction since version 118.
  return cssOf(sheet).replaceAll('float:inline-start', 'float:left').replaceAll('float:inline-end', 'float:right');
}

function lower(css: string, options: Partial<TransformOptions<CustomAtRules>>): string {
  return transform({ filename: 'site.css', code: Buffer.from(css), ...options }).code.toString();
}

/**
 * Chrome knows `:is(…)` since version 88: where its selectors have one specificity, each becomes one of the rule. Of the others,
 * lightningcss makes `:-webkit-any(…)`, which has that of a class.
 */
function expandLists(selector: Selector): Selector[] {
  const at = selector.findIndex((part) => part.type === 'pseudo-class' && part.kind === 'is');
  const list = selector[at];
  if (list?.type !== 'pseudo-class' || list.kind !== 'is') return [selector];
  const isSame = new Set(list.selectors.map(specificityOf)).size === 1;
  if (!isSame || !list.selectors.every((one) => canReplace(one, selector, at))) return [selector];
  return list.selectors.flatMap((one) => expandLists([...selector.slice(0, at), ...one, ...selector.slice(at + 1)]));
}

/** What differs between selectors of different specificity; sometimes also between others. */
function specificityOf(selector: Selector): string {
  const kinds = selector.map(({ type }) => (type === 'attribute' || type === 'pseudo-class' ? 'class' : type));
  return kinds
    .filter((type) => type !== 'combinator')
    .sort()
    .join();
}

/** A selector of several elements can only be the beginning, and the name of an element only that of a compound. */
function canReplace(one: Selector, selector: Selector, at: number): boolean {
  const isFirst = at === 0 || selector[at - 1]?.type === 'combinator';
  return at === 0 || (!one.some(({ type }) => type === 'combinator') && (isFirst || one[0]?.type !== 'type'));
}

/** Leaves out the `:-moz-any()` copies that lightningcss makes of rules with `:is()`: Firefox knows that since version 78. */
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
 * Replaces each layer by its rules. Later layers win over earlier ones, and rules outside of layers over all of them, because
 * their selectors get more classes than the earlier layers have.
 */
function withoutLayers(all: readonly CssNode[]): CssNode[] {
  const rules = all.flatMap(layersOutside);
  const namesOf = ({ prelude }: CssNode) => (prelude ? cssOf(prelude).split(',') : ['']);
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

const isLayer = (rule: CssNode) => rule.type === 'Atrule' && rule.name === 'layer';

/** Turns layers in a condition, as lightningcss writes the import of a style sheet with both, into conditions in a layer. */
function layersOutside(rule: CssNode): CssNode[] {
  const inner = rule.block?.children ?? [];
  if (rule.type !== 'Atrule' || !inner.some(isLayer)) return [rule];
  return inner.map((layer) => ({
    ...layer,
    block: { ...rule.block, type: 'Block', children: [{ ...rule, block: layer.block ?? null }] },
  }));
}

const OUTSIDE_LAYERS = '(outside of layers)';

/** Returns the selectors of a rule, and of the rules in it. */
function selectorsOf(rule: CssNode): CssNode[] {
  if (rule.type === 'Rule') return rule.prelude?.children ?? [];
  return rule.type === 'Atrule' && rule.name !== 'keyframes' ? (rule.block?.children ?? []).flatMap(selectorsOf) : [];
}

/** Returns how many classes, attributes and pseudo-classes a selector has, also some that do not raise its specificity. */
function countClasses({ type, children }: CssNode): number {
  const own = /^(?:Class|Attribute|PseudoClass)Selector$/.test(type) ? 1 : 0;
  return (children ?? []).reduce((total, child) => total + countClasses(child), own);
}

/**
 * Adds `:not(._)`, which matches every element and has the specificity of a class. IDs are not used, so that readers can style
 * what they add to pages.
 */
function addClasses(parts: readonly CssNode[], count: number): CssNode[] {
  const start = parts[0]?.type === 'TypeSelector' ? 1 : 0;
  return [...parts.slice(0, start), { type: 'Raw', value: ':not(._)'.repeat(count) }, ...parts.slice(start)];
}
