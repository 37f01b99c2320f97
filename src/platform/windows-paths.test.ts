/** Paths as on Windows: the program's modules, loaded once more with `path.win32` in place of `node:path`. */
import { registerHooks } from 'node:module';
import { win32 } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as BundledParts from '../build/astro/bundled-parts.ts';
import type * as ManifestLines from '../formats/manifest-lines.ts';
import type * as Ids from '../model/ids.ts';
import type * as Slug from '../model/text/slug.ts';
import type * as InstalledFrom from '../project/installed-from.ts';
import type * as MediaFiles from '../snapshot/media-files.ts';
import type * as Portability from './portability.ts';
import type * as SafeDirectory from './safe-directory.ts';
import type * as StagingModule from './staging.ts';
import type * as UserState from './user-state.ts';

/** At the end of the URL of a module that is loaded as on Windows, and so of all modules of the program that it imports. */
const ON_WINDOWS = '?windows';
const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
const REPLACED: Readonly<Record<string, string>> = {
  'node:path': moduleOf(
    `import path from 'node:path'; export const { ${Object.keys(win32).join(', ')} } = path.win32; export default win32;`,
  ),
  'node:os': moduleOf(`export * from 'node:os'; export const homedir = () => 'C:\\\\Users\\\\Ada';`),
};
/** Node's own import: Vitest would load what it has already, without the ending. */
const { importWithNode } = (await import(moduleOf('export const importWithNode = (url) => import(url);'))) as {
  importWithNode: (url: string) => Promise<unknown>;
};

const hooks = registerHooks({
  resolve(specifier, context, nextResolve) {
    if (context.parentURL?.endsWith(ON_WINDOWS) !== true) return nextResolve(specifier, context);
    const url = REPLACED[specifier];
    if (url !== undefined) return { url, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    return specifier.startsWith('.') ? { ...resolved, url: resolved.url + ON_WINDOWS } : resolved;
  },
});
const load = async <T>(path: string) => (await importWithNode(new URL(path, import.meta.url).href + ON_WINDOWS)) as T;
const { pathFrom } = await load<typeof BundledParts>('../build/astro/bundled-parts.ts');
const { findInvalidLines, parseManifest } = await load<typeof ManifestLines>('../formats/manifest-lines.ts');
const { isObjectId } = await load<typeof Ids>('../model/ids.ts');
const { slugOf } = await load<typeof Slug>('../model/text/slug.ts');
const { dependencyOn, installedFrom } = await load<typeof InstalledFrom>('../project/installed-from.ts');
const { mediaPathProblem } = await load<typeof MediaFiles>('../snapshot/media-files.ts');
const { MAX_PATH_LENGTH, objectFileName, pathProblem } = await load<typeof Portability>('./portability.ts');
const { pathTraversalProblem } = await load<typeof SafeDirectory>('./safe-directory.ts');
const { isWithin } = await load<typeof StagingModule>('./staging.ts');
const { cacheDirectory, stateDirectory } = await load<typeof UserState>('./user-state.ts');
hooks.deregister();

const SITE = 'D:\\site';
/** Windows allows 260, with the null character at the end. */
const WINDOWS_PATH_LENGTH = 259;
const DEVICES = ['CON', 'PRN', 'AUX', 'NUL', 'CONIN$', 'CONOUT$'].concat(
  ...['COM', 'LPT'].map((port) => [...'0123456789¹²³'].map((number) => port + number)),
);
/** Forms of one path that Windows reads as another directory, a drive, a server or a device. */
const OUTSIDE = [
  'C:/x',
  'C:x',
  'c:\\x',
  'C:',
  '/x',
  '\\x',
  '//server/share/x',
  '\\\\server\\share\\x',
  '\\\\?\\C:\\x',
  '\\\\.\\COM1',
  '..',
  '../x',
  '..\\x',
  'a/../../x',
  'a\\..\\..\\x',
  'a/..\\..\\x',
];
/** Text of the parts that paths are made of, also those with a meaning on Windows. */
const anyPath = fc
  .array(fc.constantFrom('a', 'b.jpg', '..', '.', '/', '\\', 'C:', ':', 'nul', 'COM1', ' ', '?', '~1', 'é', '\0'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const isBelowSite = (path: string) => {
  const way = win32.relative(SITE, win32.join(SITE, path));
  return way !== '..' && !way.startsWith('..\\') && !win32.isAbsolute(way);
};

describe('a path of a snapshot or a site', () => {
  it.each(OUTSIDE)('is refused as %j', (path) => {
    expect(pathTraversalProblem(path)).toBeDefined();
    expect(pathProblem(path)).toBeDefined();
    expect(mediaPathProblem(`media/a/${path}`)).toBeDefined();
  });

  it('never leads out of its directory if it is accepted', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        if (pathTraversalProblem(path) === undefined) expect(isBelowSite(path)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is a file of that name, neither a stream nor a device, if every file system can store it', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        if (pathProblem(path) !== undefined) return;
        const file = win32.join(SITE, path);
        expect(file).toBe(`${SITE}\\${path.replaceAll('/', '\\')}`);
        expect(file.slice('D:'.length)).not.toContain(':');
      }),
      { numRuns: 5000 },
    );
  });

  it.each(DEVICES)('may not have the device %s as a name', (device) => {
    for (const name of [device, device.toLowerCase(), `${device}.html`, `${device.toLowerCase()}.tar.gz`])
      expect([name, pathProblem(`objects/${name}`), pathProblem(`${name}/index.html`)]).toEqual([
        name,
        expect.stringContaining('device of Windows'),
        expect.stringContaining('device of Windows'),
      ]);
    expect(pathProblem(`objects/${device}-1.html`)).toBeUndefined();
    expect(isObjectId(device)).toBe(false);
    expect(pathProblem(`browse/topic/${slugOf(device)}.html`)).toBeUndefined();
  });

  it('fits below a directory of 58 characters', () => {
    const id = `lica-${'quay-'.repeat(40)}1`;
    const path = `objects/${objectFileName(id)}/${objectFileName(id)}.html`;
    expect(pathProblem(path)).toBeUndefined();
    expect(pathProblem(`${'a'.repeat(100)}/${'b'.repeat(99)}`)).toBeUndefined();
    expect(pathProblem(`${'a'.repeat(100)}/${'b'.repeat(100)}`)).toContain('longer');
    const directory = `C:\\${'d'.repeat(WINDOWS_PATH_LENGTH - MAX_PATH_LENGTH - 1 - 'C:\\'.length)}`;
    expect(directory).toHaveLength(58);
    expect(win32.join(directory, 'x'.repeat(MAX_PATH_LENGTH))).toHaveLength(WINDOWS_PATH_LENGTH);
  });
});

describe('a manifest', () => {
  const sha256 = '0'.repeat(64);
  it('has no lines that lead out of the directory, and none with names of devices', () => {
    const paths = [...OUTSIDE, 'nul', 'objects/con.html', 'a.', 'a/b:stream', 'a|b'];
    const text = [...paths, 'objects/a.html'].map((path) => `${sha256}  ${path}\n`).join('');
    expect(parseManifest(text)).toEqual([{ path: 'objects/a.html', sha256 }]);
    expect(findInvalidLines(text)).toEqual(paths.map((_, i) => i + 1));
  });

  it('whose lines an editor has ended as on Windows is invalid, not read with other names', () => {
    const text = `${sha256}  a.html\r\n${sha256}  b.html\r\n`;
    expect(parseManifest(text)).toEqual([]);
    expect(findInvalidLines(text)).toEqual([1, 2]);
  });
});

describe('a directory within another', () => {
  it.each([
    ['C:\\archive\\site', 'C:\\archive', true],
    ['c:\\ARCHIVE\\site', 'C:\\archive', true],
    ['C:/archive/site', 'C:\\archive\\', true],
    ['C:\\archive', 'C:\\archive', true],
    ['C:\\archive-2', 'C:\\archive', false],
    ['C:\\archive\\..\\site', 'C:\\archive', false],
    ['C:\\', 'C:\\archive', false],
    ['D:\\archive\\site', 'C:\\archive', false],
    ['\\\\server\\share\\archive\\site', '\\\\server\\share\\archive', true],
    ['\\\\server\\other\\archive', '\\\\server\\share\\archive', false],
    ['C:\\archive\\..site', 'C:\\archive', true],
  ])('%s, %s: %s', (path, directory, expected) => expect(isWithin(path, directory)).toBe(expected));
});

describe('where the program is', () => {
  const PROGRAM = 'C:\\work\\node_modules\\microfiche-archive';
  it('is found in node_modules', () => expect(installedFrom(PROGRAM)).toMatchObject({ kind: 'registry' }));

  it.each([
    ['C:\\src\\microfiche', 'C:\\work\\archive', 'file:../../src/microfiche'],
    ['C:\\src\\microfiche', 'D:\\archive', 'file:C:/src/microfiche'],
  ])('is, for npm, a path with slashes: %s from %s', (directory, project, expected) =>
    expect(dependencyOn({ kind: 'directory', directory }, project)).toBe(expected),
  );

  it('does not change how components are named', () => {
    expect(pathFrom('C:\\archive', 'C:\\archive\\components\\Header.astro')).toBe('components/Header.astro');
    expect(pathFrom('C:\\archive', 'D:\\shared\\Header.astro')).toBe('D:/shared/Header.astro');
  });
});

describe('directories of the operator', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
  beforeEach(() => {
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
    for (const name of ['XDG_STATE_HOME', 'XDG_CACHE_HOME', 'LOCALAPPDATA']) vi.stubEnv(name, undefined);
  });
  afterEach(() => {
    Object.defineProperty(process, 'platform', platform);
    vi.unstubAllEnvs();
  });

  it('are below LOCALAPPDATA', () => {
    vi.stubEnv('LOCALAPPDATA', 'E:\\Profiles\\Ada\\Local');
    expect(stateDirectory()).toBe('E:\\Profiles\\Ada\\Local\\Microfiche');
    expect(cacheDirectory()).toBe('E:\\Profiles\\Ada\\Local\\Microfiche\\Cache');
  });

  it('are below the home directory if a service has no such variable', () => {
    expect(stateDirectory()).toBe('C:\\Users\\Ada\\AppData\\Local\\Microfiche');
    expect(cacheDirectory()).toBe('C:\\Users\\Ada\\AppData\\Local\\Microfiche\\Cache');
  });

  it('are elsewhere if the operator says so', () => {
    vi.stubEnv('XDG_CACHE_HOME', 'F:\\cache');
    expect(cacheDirectory()).toBe('F:\\cache\\microfiche');
  });
});
