/** The setting `design`: own colors, words, images, fonts, fields and facets, and what is said if they cannot be used. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { findAxeViolations, startChromium } from '../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  ROOT,
  runMicrofiche,
  runMicroficheJson,
  spawnMicrofiche,
} from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const FONT = createRequire(import.meta.url).resolve('@fortawesome/fontawesome-free/webfonts/fa-solid-900.woff2');
const DESIGN = {
  title: { en: 'Harbour Light Archive', es: 'Archivo Luz del Puerto' },
  tagline: 'Photographs and voices of the islands.',
  logo: 'logo.svg',
  icon: 'logo.svg',
  leadImage: { record: 'lica-quay-1-5' },
  colors: { accent: '#0b5c6b', paper: { light: '#F4F8F8', dark: '#101416' } },
  fonts: { headings: [{ file: 'font.woff2', weight: 600 }] },
  footer: 'Run by <volunteers>.',
  contact: 'desk@example.org',
  licenseNote: { en: 'Texts: CC BY 4.0', es: 'Textos: CC BY 4.0' },
  home: ['lead', 'collections', 'ways'],
  fields: 'fields.csv',
  facets: ['place', 'topic'],
  facetLabels: { topic: { one: 'Subject', many: { en: 'Subjects', es: 'Asuntos' } } },
  stylesheet: 'own.css',
};
const folder = createSharedDirectory();
const project = folder.path;
const site = join(project, 'dist');
const read = (path: string) => readFileSync(join(site, path), 'utf8');
let browser: Browser;

function configure(design: unknown): void {
  const { small: snapshot } = inject('mirror');
  writeFileSync(
    join(project, 'microfiche.config.json'),
    JSON.stringify({ snapshot, languages: ['en', 'es'], design }, undefined, 2),
  );
}

const build = (...more: string[]) =>
  runMicroficheJson<BuildReport>(['build', '--json', ...more], {
    cwd: project,
    env: { MICROFICHE_CACHE: join(project, 'cache') },
  });

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(pathToFileURL(join(site, path)).href);
  return page;
}

beforeAll(async () => {
  copyFileSync(join(ROOT, 'public/assets/icon.svg'), join(project, 'logo.svg'));
  copyFileSync(FONT, join(project, 'font.woff2'));
  writeFileSync(join(project, 'fields.csv'), '\ufeffname,label,section\nfacility,Made at,summary\ncreators,,\ngenre,,none\n');
  writeFileSync(join(project, 'own.css'), 'h1 { letter-spacing: 2px; }');
  createCache(join(project, 'cache'));
  configure(DESIGN);
  await build();
  browser = await startChromium();
});

afterAll(async () => {
  await browser?.close();
  folder.remove();
});

describe('a site with a design', () => {
  it('has its title, logo and words on each page, in each language', async () => {
    const page = await open('objects/lica-quay-1-1.html');
    expect(await page.title()).toBe('Nets drying on the quay · Harbour Light Archive');
    expect(await page.locator('.masthead-title').innerText()).toBe('Harbour Light Archive');
    expect(
      await page.locator('.masthead-title img').evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBeGreaterThan(0);
    expect(await page.locator('.own-footer').innerText()).toMatch(
      /^Run by <volunteers>\.\s+Contact: desk@example\.org\s+Texts: CC BY 4\.0$/,
    );
    await page.close();
    expect(read('es/index.html')).toContain('<h1>Archivo Luz del Puerto</h1>');
    expect(read('es/index.html')).toContain('Textos: CC BY 4.0');
    expect(read('feed.xml')).toContain('<title>Harbour Light Archive</title>');
    expect(JSON.parse(read('app.webmanifest'))).toMatchObject({
      name: 'Harbour Light Archive',
      theme_color: '#0b5c6b',
      background_color: '#f4f8f8',
    });
    expect(read('assets/icon.svg')).toBe(readFileSync(join(project, 'logo.svg'), 'utf8'));
  });

  it('cites the archive under its own name', () => {
    expect(read('objects/lica-quay-1-1.html')).toMatch(/<dd>[^<]*Lantern Islands Community Archive[^<]*<\/dd>/);
  });

  it('has its colors and font in light and dark, and no page loses contrast', async () => {
    for (const [colorScheme, paper] of [
      ['light', 'rgb(244, 248, 248)'],
      ['dark', 'rgb(16, 20, 22)'],
    ] as const) {
      const page = await open('index.html', { colorScheme });
      expect(await page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)).toBe(paper);
      expect(await page.locator('h1').evaluate((h1) => getComputedStyle(h1).letterSpacing)).toBe('2px');
      const fonts = await page.evaluate(async () => {
        await document.fonts.load('600 20px "Design Headings"');
        return [...document.fonts].map(({ family, status }) => `${family}: ${status}`);
      });
      expect(fonts).toEqual([expect.stringMatching(/^"?Design Headings"?: loaded$/)]);
      expect(await findAxeViolations(page)).toEqual([]);
      await page.close();
    }
  });

  it('has the sections of the home page in its order, and the image that it chose', async () => {
    const page = await open('index.html');
    expect(await page.locator('main h2').evaluateAll((all) => all.map((h2) => h2.textContent?.trim().split(/\s+/)[0]))).toEqual([
      'Collections',
      'Explore',
    ]);
    expect(await page.locator('.leads a').getAttribute('href')).toBe('objects/lica-quay-1-5.html');
    await page.close();
  });

  it('has the fields of its table in their order, under its labels, and not those that it leaves out', async () => {
    const page = await open('objects/lica-quay-1-1.html');
    const labels = await page.locator('.summary-rows dt').allInnerTexts();
    expect(labels.slice(0, 2)).toEqual(['Made at', 'Photographer']);
    expect(await page.locator('[data-field="genre"]').count()).toBe(0);
    await page.close();
  });

  it('is browsed by its facets, under its labels', async () => {
    const page = await open('browse/index.html');
    expect(await page.locator('.facets h2 a').allInnerTexts()).toEqual(['People', 'Places', 'Subjects']);
    await page.goto(pathToFileURL(join(site, 'search.html')).href);
    await page.locator('[data-filter="topic"]').waitFor();
    const filters = await page
      .locator('[data-filter]')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['filter']));
    expect(filters.slice(-2)).toEqual(['place', 'topic']);
    expect(filters).not.toContain('genre');
    await page.close();
    expect(read('es/browse/index.html')).toContain('>Asuntos<');
  });

  it('is verified, and not built again if nothing changed; a change renders all pages', async () => {
    const { code, stdout } = await runMicrofiche(['verify', '--dir', site], { cwd: project });
    expect([code, stdout]).toEqual([0, expect.any(String)]);
    const unchanged = await build();
    expect(unchanged.written).toBe(0);
    writeFileSync(join(project, 'own.css'), 'h1 { letter-spacing: 3px; }');
    const changed = await build();
    expect(changed.rebuilt.pages).toBe(changed.pages);
    expect(read('404.html')).toContain('letter-spacing:3px');
  });
});

it.each(['photographs', 'oral-history'])('the example design %s can be built as it is', async (face) => {
  const out = join(createTestDirectory(), 'dist');
  const cwd = join(ROOT, 'docs/faces', face);
  const { design } = JSON.parse(readFileSync(join(cwd, 'microfiche.config.json'), 'utf8')) as { design: { contact: string } };
  const report = await runMicroficheJson<BuildReport>(
    ['build', '--json', '--no-search', '--snapshot', inject('mirror').snapshot, '--out', out],
    { cwd, env: { MICROFICHE_CACHE: join(project, 'cache') } },
  );
  expect(report.pageProblems.filter(({ page }) => page === 'index.html')).toEqual([]);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(design.contact);
});

describe('a wrong value', () => {
  const WRONG: Array<[problem: string, design: object, message: string | RegExp]> = [
    ['an unknown setting', { hue: 'red' }, 'line 4: "design" has no setting "hue".'],
    ['a color by name', { colors: { accent: 'red' } }, /line 5: "design\.colors\.accent" must be a color such as "#7a3b1d"/],
    [
      'a color that is too light',
      { colors: { accent: '#f0a0a0' } },
      /"design\.colors\.accent": #f0a0a0 on the paper #fbf9f4 \(light\) has a contrast of 1\.9:1, and at least 4\.5:1 is needed\. Choose a darker accent\.$/,
    ],
    [
      'a paper that is too dark',
      { colors: { paper: '#808080' } },
      /"design\.colors\.paper": on #808080 \(light\), text in #5d584b has a contrast of \d\.\d:1/,
    ],
    [
      'a logo that does not exist',
      { logo: 'nothing.svg' },
      'line 4: "design.logo": the file nothing.svg does not exist. Paths are relative to the directory of the configuration.',
    ],
    [
      'a logo that is not an image',
      { logo: 'fields.csv' },
      /"design\.logo": fields\.csv is not an image in SVG, PNG, JPEG or WebP\.$/,
    ],
    ['a font that is not one', { fonts: { text: 'logo.svg' } }, /line 5: "design\.fonts\.text": logo\.svg is not a font file/],
    ['a contact that is neither', { contact: 'call Ada' }, 'line 4: "design.contact" must be an e-mail address or a URL.'],
    ['a contact with the scheme of mail', { contact: 'mailto:a@b.org' }, '"design.contact" must be an e-mail address or a URL.'],
    ['a contact with a password', { contact: 'https://u:p@x.org/' }, '"design.contact" must have no user name or password.'],
    ['an unknown section', { home: ['lead', 'news'] }, /line 6: "design\.home\.1" must be one of "lead", "voice", "featured"/],
    ['an unknown field', { fields: [{ name: 'photographer' }] }, /line 6: "design\.fields\.0\.name" must be one of "creation"/],
    [
      'an unknown section of a field in the table',
      { fields: 'wrong.csv' },
      /"design\.fields": wrong\.csv, line 6: "section" must be one of "summary"/,
    ],
    [
      'two columns with one name',
      { fields: 'twice.csv' },
      '"design.fields": twice.csv, line 1, cannot be read: the column "label" is there twice.',
    ],
    [
      'a language that pages do not have',
      { title: { tlh: 'x' } },
      '"design.title" has no setting "tlh". There are only "en", "es", "ja", "fr", "ar".',
    ],
    [
      'a style sheet in another encoding',
      { stylesheet: 'latin.css' },
      '"design.stylesheet": latin.css is not in UTF-8. Save the file in this encoding.',
    ],
    ['an unknown facet', { facets: ['subject'] }, /"design\.facets\.0" must be one of "topic"/],
    [
      'a style sheet that loads something',
      { stylesheet: 'loads.css' },
      /"design\.stylesheet": loads\.css loads https:\/\/fonts\.example\/x\.woff2, and pages load no other files/,
    ],
    ['a title without text', { title: '' }, /line 4: "design\.title" must be text of at most 200 characters/],
    [
      'a record that is not an ID',
      { leadImage: { record: 'no id' } },
      '"design.leadImage.record" must be the ID of a record such as demo-org-1-2.',
    ],
    [
      'a record that the snapshot does not have',
      { leadImage: { record: 'lica-quay-1-99' } },
      'line 5: "design.leadImage.record": the record lica-quay-1-99 is not in this site: it is withheld, or not in the snapshot.',
    ],
  ];

  it.each(WRONG)('is reported in one sentence with its line: %s', async (_, design, message) => {
    const directory = createTestDirectory();
    for (const name of ['logo.svg', 'fields.csv']) copyFileSync(join(project, name), join(directory, name));
    writeFileSync(join(directory, 'wrong.csv'), 'name,label,section\n\ncreators,"By\n(all)",summary\n\ngenre,,top\n');
    writeFileSync(join(directory, 'latin.css'), Buffer.from('h1::after { content: "Caf\xe9"; }', 'latin1'));
    writeFileSync(join(directory, 'twice.csv'), 'name,label,label\ncreators,By,By\n');
    writeFileSync(join(directory, 'loads.css'), 'h1 { background: url(https://fonts.example/x.woff2); }');
    writeFileSync(
      join(directory, 'microfiche.config.json'),
      JSON.stringify({ snapshot: inject('mirror').small, design }, undefined, 2),
    );
    const { code, stderr } = await runMicrofiche(['build', '--out', join(directory, 'dist')], { cwd: directory });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^microfiche: microfiche\.config\.json, line \d+: /)]);
    if (typeof message === 'string') expect(stderr).toContain(message);
    else expect(stderr.trim()).toMatch(message);
    expect(code).toBe(2);
  });

  it('of settings in TypeScript is reported in the same way', async () => {
    const directory = createTestDirectory();
    const { small: snapshot } = inject('mirror');
    writeFileSync(
      join(directory, 'microfiche.config.ts'),
      `interface Settings { snapshot: string; design: object }\nexport default {\n  snapshot: ${JSON.stringify(snapshot)},\n  design: {\n    contact: 'call Ada',\n  },\n} satisfies Settings;\n`,
    );
    const { code, stderr } = await spawnMicrofiche(['build'], { cwd: directory });
    expect([code, stderr.trim()]).toEqual([
      2,
      'microfiche: microfiche.config.ts, line 5: "design.contact" must be an e-mail address or a URL.',
    ]);
    for (const [text, problem] of [
      ['export default {\n  title: "A",\n  foo bar\n};\n', ', line 3: Unexpected token `ident`.'],
      ['export default {\n  languages: [language],\n};\n', ', line 2: language is not defined.'],
      [
        'import { a } from "no-such-package";\nexport default { a };\n',
        /^cannot be loaded: Cannot find package 'no-such-package' /,
      ],
      [
        'const load = async () => ({ title: "A" });\nexport default load();\n',
        'has a promise as its default export. Settings are read at once: export the settings themselves.',
      ],
      ['export default { title: await read() };\n', /^uses "await" outside of a function, or imports a module that does\. /],
    ] as const) {
      writeFileSync(join(directory, 'microfiche.config.ts'), text);
      const result = await spawnMicrofiche(['build'], { cwd: directory }); // a process loads a file of settings once
      const prefix = 'microfiche: microfiche.config.ts';
      expect([result.code, result.stderr.slice(0, prefix.length)]).toEqual([2, prefix]);
      const rest = result.stderr.slice(prefix.length).trim();
      if (typeof problem === 'string') expect(rest).toBe(problem);
      else expect(rest).toMatch(problem);
      expect(rest.split('\n')).toHaveLength(1);
    }
    // Node adds lines of its own.
    writeFileSync(join(directory, 'microfiche.config.ts'), 'throw "boom";\nexport default {};\n');
    expect((await spawnMicrofiche(['build'], { cwd: directory })).stderr).toContain(
      "microfiche: microfiche.config.ts cannot be loaded: it throws 'boom'.\n",
    );
    // A program may leave a setting out.
    const computed = 'export default { snapshot: "nowhere", featured: undefined, design: undefined };\n';
    writeFileSync(join(directory, 'microfiche.config.ts'), computed);
    expect((await spawnMicrofiche(['build'], { cwd: directory })).stderr).toMatch(/^microfiche: No snapshot found in nowhere\./);
    rmSync(join(directory, 'microfiche.config.ts'));
    writeFileSync(join(directory, 'microfiche.config.js'), 'export default {};');
    expect((await spawnMicrofiche(['build'], { cwd: directory })).stderr).toBe(
      'microfiche: microfiche.config.js is not read. Settings are in microfiche.config.json or microfiche.config.ts: rename the file.\n',
    );
    writeFileSync(join(directory, 'microfiche.config.json'), Buffer.from('{ "title": "Caf\xe9" }', 'latin1'));
    expect((await spawnMicrofiche(['build'], { cwd: directory })).stderr).toBe(
      'microfiche: microfiche.config.json is not in UTF-8. Save the file in this encoding.\n',
    );
    writeFileSync(join(directory, 'microfiche.config.ts'), 'export default {};');
    writeFileSync(join(directory, 'microfiche.config.json'), '{}');
    expect((await spawnMicrofiche(['build'], { cwd: directory })).stderr).toBe(
      'microfiche: There are two files with settings: microfiche.config.json and microfiche.config.ts. Delete one of them.\n',
    );
  });
});
