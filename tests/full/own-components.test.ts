/** The archive's own components: in a site that the command line builds, and within a larger site that Astro builds. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { COMPONENT_NAMES } from '../../src/site/own-components.ts';
import { isLateTransition, startChromium, waitForSearch } from '../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  ROOT,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
} from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';
import { startStaticHost } from '../support/static-host.ts';

const FOOTER = `---
import { type ComponentProps, linksFrom } from 'microfiche-archive/components';
import Default from 'microfiche-archive/components/Footer.astro';
import { motto } from './words.ts';

type Props = ComponentProps['Footer'];
const { to } = linksFrom(Astro.props.path, Astro.props.site);
---

<aside class="motto">
  {motto} <a href={to('people/index.html')}>Keepers</a>
  <button type="button">Ring</button>
</aside>
<Default {...Astro.props} />

<style>
  .motto { border-top: 3px solid rgb(1, 2, 3); }
</style>
<script>
  import { ring } from './bell.ts';
  const button = document.querySelector<HTMLButtonElement>('.motto button');
  button?.addEventListener('click', () => { button.textContent = ring(); });
</script>
`;
/** Fails on one record. */
const HEADING = `---
import type { ComponentProps } from 'microfiche-archive/components';
import Default from 'microfiche-archive/components/ObjectHeading.astro';

type Props = ComponentProps['ObjectHeading'];
if (Astro.props.from === 'objects/lica-quay-1-5.html') throw new TypeError('No tide is known');
---

<Default {...Astro.props} />
<p class="seen">Seen from the lantern</p>
`;
/** A page from nothing. */
const COLLECTION = `---
import type { ComponentProps } from 'microfiche-archive/components';
import Base from 'microfiche-archive/components/Base.astro';
import Breadcrumbs from 'microfiche-archive/components/Breadcrumbs.astro';
import Cards from 'microfiche-archive/components/Cards.astro';

type Props = ComponentProps['CollectionPage'];
const { view, site } = Astro.props;
---

<Base path={view.path} title={view.title} description={view.title} site={site}>
  <Breadcrumbs label={site.locale.t.frame.breadcrumbs} from={view.path} trail={view.trail} />
  <h1>{view.title}</h1>
  <Cards from={view.path} cards={view.context.children} />
</Base>
`;
/** A home page without the name of the archive. */
const HOME = `---
import type { ComponentProps } from 'microfiche-archive/components';
import { HOME_PATH } from 'microfiche-archive/components';
import Base from 'microfiche-archive/components/Base.astro';

type Props = ComponentProps['HomePage'];
const { site } = Astro.props;
---

<Base path={HOME_PATH} title={site.title} description={site.title} site={site}>
  <h1>Come in</h1>
</Base>
`;
const COMPONENTS = {
  HomePage: './src/Home.astro',
  Footer: './src/Footer.astro',
  ObjectHeading: './src/Heading.astro',
  CollectionPage: './src/Collection.astro',
};
const SOURCES: Readonly<Record<string, string>> = {
  'src/Home.astro': HOME,
  'src/Footer.astro': FOOTER,
  'src/Heading.astro': HEADING,
  'src/Collection.astro': COLLECTION,
  'src/words.ts': "export const motto: string = 'Lit every night since 1874.';\n",
  'src/bell.ts': "export const ring = (): string => 'Ding';\n",
};

function writeProject(directory: string, components: unknown = COMPONENTS, sources = SOURCES): void {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const settings = { snapshot: inject('mirror').small, components };
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(settings, undefined, 2));
}

const shared = createSharedDirectory();
const project = join(shared.path, 'project');
const site = join(project, 'dist');
const env = { MICROFICHE_CACHE: join(shared.path, 'cache') };
const build = (cwd = project) => runMicroficheJson<BuildReport>(['build'], { cwd, env });
const read = (path: string, directory = site) => readFileSync(join(directory, path), 'utf8');
let browser: Browser;
let first: BuildReport;

beforeAll(async () => {
  mkdirSync(project);
  createCache(env.MICROFICHE_CACHE);
  writeProject(project);
  first = await build();
  browser = await startChromium();
});

afterAll(async () => {
  await browser?.close();
  shared.remove();
});

describe('a site with own components', () => {
  it('shows them on all pages, with the usual component within, styles, and a script that works on file://', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => isLateTransition(error) || errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    for (const path of ['index.html', 'objects/lica-quay-1-1.html', 'search.html']) {
      await page.goto(pathToFileURL(join(site, path)).href);
      const motto = page.locator('.motto');
      expect(await motto.innerText(), path).toContain('Lit every night since 1874.');
      expect(await motto.evaluate((aside) => getComputedStyle(aside).borderTopColor)).toBe('rgb(1, 2, 3)');
      await motto.locator('button').click();
      expect(await motto.locator('button').innerText()).toBe('Ding');
      expect(await page.locator('footer.colophon').count()).toBe(1);
      await motto.locator('a').click();
      await page.waitForURL(/\/people\/index\.html$/);
      expect(await page.locator('h1').innerText()).toMatch(/^People/);
    }
    expect(errors).toEqual([]);
    await page.close();
  });

  it('has its links and styles on the page for missing paths too', () => {
    const html = read('404.html');
    expect(/<aside class="motto"[^>]*>.*?<\/aside>/s.exec(html)?.[0]).toMatch(/1874\. <a href="\/?people\/index\.html"/);
    expect(/border-top:3px solid #[0-9a-f]+/.exec(html)?.[0]).toBe('border-top:3px solid #010203');
  });

  it('has a page that is made from nothing, with the parts of other pages', () => {
    const html = read('objects/lica-quay-1.html');
    expect(html).toMatch(/<nav class="breadcrumbs".*<h1>[^<]+<\/h1>\s*<ul class="cards"/s);
    expect(html).not.toContain('class="full-record"');
    expect(read('objects/lica-quay-1-1.html')).toContain('class="full-record"');
  });

  it('has the name of the archive in the header of its home page, whose heading may be another', () => {
    expect(read('index.html')).toMatch(/<a class="masthead-title"[^>]* href="index.html".*<h1>Come in</s);
    expect(read('index.html', inject('mirror').dist)).not.toContain('class="masthead-title"');
  });

  it('reports a record on which one of them fails, and shows the usual ones there', async () => {
    expect(first.pageProblems).toContainEqual({
      page: 'objects/lica-quay-1-5.html',
      cause: 'an own component failed, and the usual ones are shown: ObjectHeading (src/Heading.astro): No tide is known',
    });
    expect(first.pageProblems.filter(({ cause }) => cause.includes('own component'))).toHaveLength(1);
    const html = read('objects/lica-quay-1-5.html');
    expect(html).toContain('class="full-record"');
    expect(html).not.toMatch(/class="(?:seen|motto)"/);
    expect(read('objects/lica-quay-1-6.html')).toContain('Seen from the lantern');
    // The next build tries again, and nothing else.
    const again = await build();
    expect(again.rebuilt.pages).toBe(1);
    expect(again.pageProblems).toEqual(first.pageProblems);
  });

  it('passes verify', async () => {
    const { code, stdout } = await runMicrofiche(['verify', '--dir', site], { cwd: project, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 broken links')]);
  });

  it('is built again when a file changes that a component imports, as a clean build makes it elsewhere', async () => {
    writeFileSync(join(project, 'src/words.ts'), "export const motto = 'Dark since 1931.';\n");
    writeFileSync(join(project, 'src/bell.ts'), "export const ring = (): string => 'Dong';\n");
    const changed = await build();
    expect(changed.rebuilt).toMatchObject({ reason: 'program or options', pages: changed.pages });
    expect(read('assets/own-components.js')).toContain('Dong');
    const elsewhere = join(shared.path, 'elsewhere');
    cpSync(join(project, 'src'), join(elsewhere, 'src'), { recursive: true });
    cpSync(join(project, 'microfiche.config.json'), join(elsewhere, 'microfiche.config.json'));
    await build(elsewhere);
    const [here, there] = [readFiles(site), readFiles(join(elsewhere, 'dist'))];
    expect([...here.keys()]).toEqual([...there.keys()]);
    for (const [path, bytes] of here) expect(bytes.equals(there.get(path) as Buffer), path).toBe(true);
    expect(read('index.html')).toContain('Dark since 1931.');
  });
});

it('has documentation for each component that can be replaced', () => {
  const rows = readFileSync(join(ROOT, 'docs/own-components.md'), 'utf8').matchAll(/^\| `([A-Z]\w+)` \|/gm);
  expect([...rows].map(([, name]) => name).sort()).toEqual(COMPONENT_NAMES.toSorted());
});

describe('a component that cannot be used', () => {
  const WRONG: Array<[problem: string, components: unknown, sources: Record<string, string>, message: string, code: number]> = [
    [
      'an unknown name',
      { Foter: './src/Footer.astro' },
      {},
      'microfiche.config.json, line 4: "components" has no setting "Foter". Did you mean "Footer"?',
      2,
    ],
    [
      'another file',
      { Footer: './src/Footer.tsx' },
      {},
      'microfiche.config.json, line 4: "components.Footer" must be the path of an .astro file.',
      2,
    ],
    [
      'no file',
      { Footer: './src/Nothing.astro' },
      {},
      'microfiche.config.json, line 4: "components.Footer": the file ./src/Nothing.astro does not exist. Paths are relative to the directory of the configuration.',
      2,
    ],
    [
      'a mistake in the component',
      { Footer: './src/Footer.astro' },
      { 'src/Footer.astro': '---\nconst year = ;\n---\n<p>{year}</p>\n' },
      'src/Footer.astro, line 2: Unexpected token.',
      1,
    ],
    [
      'a mistake in a file that it imports',
      { Footer: './src/Footer.astro' },
      { 'src/Footer.astro': "---\nimport { a } from './a.ts';\n---\n<p>{a}</p>\n", 'src/a.ts': '\nexport const a = (;\n' },
      'src/a.ts, line 2: Unexpected token.',
      1,
    ],
    [
      'an inline script',
      { Footer: './src/Footer.astro' },
      { 'src/Footer.astro': '<p>Bell</p>\n<script is:inline>ring();</script>\n' },
      'src/Footer.astro, line 2: <script> is inline, which the Content-Security-Policy of pages does not allow. Leave out is:inline and define:vars.',
      1,
    ],
    [
      'code without an end',
      { Footer: './src/Footer.astro' },
      { 'src/Footer.astro': '---\nconst year = 1942;\n<p>{year}</p>\n' },
      'src/Footer.astro, line 1: the code has no end. Close it with a second line of three dashes.',
      1,
    ],
    [
      'a script from elsewhere',
      { Footer: './src/Footer.astro' },
      { 'src/Footer.astro': '<p>Bell</p>\n<script src="https://elsewhere.example/bell.js"></script>\n' },
      'src/Footer.astro, line 2: <script> loads https://elsewhere.example/bell.js, and pages load no scripts from elsewhere. Put the script into the project, and import it.',
      1,
    ],
    [
      'a style that loads something',
      { Footer: './src/Footer.astro' },
      { 'src/Footer.astro': '<p>Bell</p>\n<style>p { background: url(https://elsewhere.example/bell.png); }</style>\n' },
      'src/Footer.astro loads https://elsewhere.example/bell.png, and pages load no other files. Use a data: URL, or "design.fonts" for fonts.',
      1,
    ],
  ];

  it.each(WRONG)('is reported in one sentence: %s', async (_, components, sources, message, code) => {
    const directory = createTestDirectory();
    writeProject(directory, components, sources);
    const failed = await runMicrofiche(['build'], { cwd: directory, env });
    expect([failed.code, failed.stderr]).toEqual([code, `microfiche: ${message}\n`]);
  });

  it('may have its code in one line, or end it with an indented line', async () => {
    const directory = createTestDirectory();
    writeProject(
      directory,
      { Header: './src/Header.astro', Footer: './src/Footer.astro' },
      {
        'src/Header.astro': '--- const year = 1941; ---\n<p class="bell">{year}</p>\n',
        'src/Footer.astro': '---\nconst year = 1942;\n  ---\n<p class="bell">{year}</p>\n',
      },
    );
    const { code, stderr } = await runMicrofiche(['build'], { cwd: directory, env });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('microfiche: ')]);
    expect(readFileSync(join(directory, 'dist/index.html'), 'utf8')).toMatch(/>1941<\/p>.*>1942<\/p>/s);
  });
});

describe('the Astro integration', () => {
  const larger = join(shared.path, 'larger');
  const options = {
    base: 'archive',
    snapshot: inject('mirror').small,
    settings: { components: { Header: './src/Top.astro' } },
  };
  const { VITEST: _, NODE_ENV: __, ...inherited } = process.env;
  const astro = (...args: string[]) =>
    execa(join(ROOT, 'node_modules/.bin/astro'), args, {
      cwd: larger,
      env: { ...inherited, ...env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', FORCE_COLOR: undefined },
      extendEnv: false,
      reject: false,
      all: true,
    });
  const configure = (given: unknown) =>
    writeFileSync(
      join(larger, 'astro.config.mjs'),
      `import microfiche from 'microfiche-archive/astro';\nexport default { site: 'https://harbor.example', integrations: [microfiche(${JSON.stringify(given)})] };\n`,
    );

  beforeAll(async () => {
    for (const directory of ['src/pages/archive', 'node_modules']) mkdirSync(join(larger, directory), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules/astro'), join(larger, 'node_modules/astro'));
    symlinkSync(ROOT, join(larger, 'node_modules/microfiche-archive'));
    writeFileSync(join(larger, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(larger, 'src/links.ts'),
      "export const links = [['/', 'Harbor museum'], ['/archive/', 'Archive']] as const;\n",
    );
    writeFileSync(
      join(larger, 'src/Nav.astro'),
      '---\nimport { links } from \'./links.ts\';\n---\n<nav class="museum">{links.map(([href, label]) => <a href={href}>{label}</a>)}</nav>\n',
    );
    writeFileSync(
      join(larger, 'src/Top.astro'),
      "---\nimport Default from 'microfiche-archive/components/Header.astro';\nimport Nav from './Nav.astro';\n---\n<Nav /><Default {...Astro.props} />\n",
    );
    const page = "---\nimport Nav from 'SOURCE/Nav.astro';\n---\n<html><body><Nav /><h1>Harbor museum</h1></body></html>\n";
    writeFileSync(join(larger, 'src/pages/index.astro'), page.replace('SOURCE', '..'));
    writeFileSync(join(larger, 'src/pages/archive/visit.astro'), page.replace('SOURCE', '../..'));
    writeFileSync(join(larger, 'src/pages/404.astro'), '<p>Not found</p>\n');
    configure(options);
    const { exitCode, all } = await astro('build');
    expect([exitCode, all]).toEqual([0, expect.stringMatching(/pages below \/archive\/; copied \d+ files/)]);
  });

  it('puts the site below its path, beside the pages of the project, to be browsed and searched', async () => {
    const server = await startStaticHost(join(larger, 'dist'));
    const page = await browser.newPage();
    try {
      const missing: string[] = [];
      page.on('response', (response) => response.status() >= 400 && missing.push(response.url()));
      await page.goto(`${server.url}/index.html`);
      expect(await page.locator('h1').innerText()).toBe('Harbor museum');
      await page.locator('.museum a', { hasText: 'Archive' }).click();
      await page.waitForURL(/\/archive\/$/);
      expect(await page.locator('.museum').count()).toBe(1);
      await page.goto(`${server.url}/archive/search.html?q=ferry`);
      await waitForSearch(page);
      await page.locator('#results a[href*="objects/"]').first().click();
      await page.waitForURL(/\/archive\/objects\/.*\.html/);
      await page.locator('.museum a', { hasText: 'Harbor' }).click();
      await page.waitForURL(`${server.url}/`);
      expect(await page.locator('h1').innerText()).toBe('Harbor museum');
      expect(missing.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([]);
    } finally {
      await page.close();
      await server.stop();
    }
    expect(readFileSync(join(larger, 'dist/archive/visit/index.html'), 'utf8')).toContain('Harbor museum');
    expect(readFileSync(join(larger, 'dist/archive/about.html'), 'utf8')).toContain(
      '<link rel="canonical" href="https://harbor.example/archive/about.html">',
    );
  });

  it('replaces no page of the project, and says which one is in its way', async () => {
    writeFileSync(join(larger, 'src/pages/archive/index.astro'), '<p>Ours</p>\n');
    const { exitCode, all } = await astro('build');
    rmSync(join(larger, 'src/pages/archive/index.astro'));
    expect(exitCode).not.toBe(0);
    expect(all).toContain(
      'archive/index.html is also a page or file of this project. Choose another "base" than "archive", or rename the page or file.',
    );
    expect(all).not.toContain('    at ');
    expect(readFileSync(join(larger, 'dist/archive/index.html'), 'utf8')).toContain('<p>Ours</p>');
  });

  it('says what is wrong in its options', async () => {
    configure({ ...options, settings: { components: { Header: './src/Nowhere.astro' } } });
    const wrong = await astro('build');
    expect(wrong.exitCode).not.toBe(0);
    expect(wrong.all).toContain(
      'The option "settings": "components.Header": the file ./src/Nowhere.astro does not exist. Paths are relative to the directory of the configuration.',
    );
    for (const [wrongOptions, sentence] of [
      ['archive', 'The integration takes an object with its options, as in microfiche({ base: "archive" }).'],
      [
        { ...options, settings: 5 },
        'The option "settings" must be an object, with the same settings as in microfiche.config.json.',
      ],
      [{ ...options, base: 5 }, 'The option "base" must be a path such as "archive"; it is 5.'],
    ] as const) {
      configure(wrongOptions);
      expect((await astro('build')).all).toContain(sentence);
    }
    configure({ ...options, base: '../elsewhere' });
    expect((await astro('build')).all).toContain('The option "base" must be a path such as "archive"; it is "../elsewhere".');
    configure({ ...options, base: 'index.html/archive' });
    expect((await astro('build')).all).toContain(
      'index.html is a file of this project, so no site can be below it. Choose another "base" than "index.html/archive".',
    );
    configure({ ...options, snapshot: './nowhere' });
    expect((await astro('build')).all).toMatch(
      /No snapshot found in .*nowhere\. .* or name the snapshot directory with "snapshot"\./,
    );
  });
});
