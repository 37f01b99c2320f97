/** Rules for style sheets: each file is used, each selector can match, and directions follow that of the language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles } from '../../snapshot/directory-files.ts';

const SOURCES = new Map(
  listFiles(join(import.meta.dirname, '../..'))
    .filter(([path]) => /\.(?:css|astro|[mc]?[jt]s)$/.test(path) && !path.endsWith('.test.ts'))
    .map(([path, file]) => [path, readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm, '')] as const),
);
const isStyle = (path: string) => path.endsWith('.css');
const STYLES = [...SOURCES].filter(([path]) => isStyle(path));
const PROGRAMS = [...SOURCES].filter(([path]) => !isStyle(path)).map(([, text]) => text);

/** The formatter writes each on a line. */
const DECLARATION = /^\s*(-{0,2}[a-z][\w-]*): (.+);$/;
const linesOf = (text: string) => text.split('\n');

/** Classes that pages do not name where they write `class`, with where they come from. */
const ELSEWHERE = new Map([
  ['hg-button', 'simple-keyboard, a library'],
  ['openseadragon-canvas', 'OpenSeadragon, a library'],
  ['request', 'the name of a group, in RightsGroups.astro'],
  ['related', 'the name of a section, in ObjectPage.astro'],
  ['saved-citation', 'an argument, in saved-page.entry.ts'],
  ['wave-played', 'an argument, in player.ts'],
]);

it('has no selector for what no page has', () => {
  const classes = new Set([...ELSEWHERE.keys(), ...PROGRAMS.flatMap(writtenClasses)]);
  const attributes = PROGRAMS.map((text) => text.replace(/\bdataset\.(\w+)|\bdataset\['(\w+)'\]/g, dataAttribute)).join('\n');
  const unused = STYLES.flatMap(([path, text]) => {
    const selectors = linesOf(text)
      .filter((line) => !DECLARATION.test(line) && !/^\s*@/.test(line))
      .join('\n');
    const names = (pattern: RegExp) => [...selectors.matchAll(pattern)].map(([, name]) => name as string);
    return [
      ...names(/\.([a-z_][\w-]*)/g).filter((name) => !classes.has(name)),
      ...names(/#([a-z][\w-]*)/g).filter((id) => !new RegExp(`\\bid\\s*[=:]\\s*['"]${id}\\b`).test(attributes)),
      ...names(/\[([a-z][\w-]*)/g).filter((name) => !new RegExp(`(?<![\\w[-])${name}(?![\\w-])`).test(attributes)),
    ].map((name) => `${path}: ${name}`);
  });
  expect([...new Set(unused)]).toEqual([]);
});

/** Returns the words where a program writes classes: in markup, and for the DOM. */
function writtenClasses(text: string): string[] {
  const starts = [...text.matchAll(/\bclass(?:Name|:list)?\s*[=:]\s*|\bclassList\.\w+/g)];
  return starts.flatMap(({ index, 0: start }) => valueAt(text, index + start.length).match(/[\w-]+/g) ?? []);
}

/** Returns a string, an expression in brackets, or what is on the rest of a line. */
function valueAt(text: string, start: number): string {
  const first = text[start] ?? '';
  if (/['"`]/.test(first)) return text.slice(start, text.indexOf(first, start + 1));
  if (!/[{[(]/.test(first)) return /^.*/.exec(text.slice(start))?.[0] ?? '';
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (/[{[(]/.test(text[i] ?? '')) depth++;
    else if (/[}\])]/.test(text[i] ?? '') && --depth === 0) return text.slice(start, i);
  }
  return '';
}

const dataAttribute = (_: string, name = '', quoted = '') =>
  ` data-${`${name}${quoted}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Declarations that CSS cannot write by direction. */
const PHYSICAL = new Map([
  ['overflow-x', 'few engines know `overflow-inline`'],
  ['overflow-y', 'few engines know `overflow-block`'],
  ['object-position', 'has no form by direction'],
  ['mask-image', 'gradients have no form by direction'],
]);
const SIDE =
  /^(?:(?:scroll-)?(?:margin|padding)-|border-)?(?:top|right|bottom|left)\b|^(?:min-|max-)?(?:width|height)$|^overflow-[xy]$/;

it('has no property for a side of the screen where one for a side of the text exists', () => {
  const physical = STYLES.flatMap(([path, text]) =>
    linesOf(text).flatMap((line) => {
      const [, property = '', value = ''] = DECLARATION.exec(line) ?? [];
      if (property.startsWith('--') || PHYSICAL.has(property) || !isPhysical(property, value)) return [];
      return [`${path}: ${line.trim()}`];
    }),
  );
  expect(physical).toEqual([]);
});

function isPhysical(property: string, value: string): boolean {
  const [top, right, bottom, left] = value.split(/ (?![^(]*\))/);
  const differs =
    (/^(?:margin|padding|inset)$/.test(property) && left !== undefined && left !== right) ||
    (property === 'border-radius' && right !== undefined && (right !== top || left !== bottom));
  return differs || SIDE.test(property) || /\b(?:left|right)\b/.test(value);
}

it('has no file that no style sheet of a site contains', () => {
  const imported = STYLES.flatMap(([path, text]) =>
    [...text.matchAll(/^@import "([^"]+)"/gm)].map(([, to = '']) => join(path, '..', to)),
  );
  const entries = ['site.css', 'printed.css', 'not-found.css', 'kiosk.css'].map((name) => join('site/styles', name));
  // A setting chooses one of these, which is then part of the style sheet.
  const layouts = ['gallery.css', 'reading-room.css'].map((name) => join('site/design/layouts', name));
  expect(STYLES.map(([path]) => path).sort()).toEqual([...new Set([...imported, ...entries, ...layouts])].sort());
});
