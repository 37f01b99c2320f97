/** A project's own words of the interface: `translate`, and builds with them. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const GERMAN = {
  frame: { skip: 'Zum Inhalt', '? main': 'Haupt', search: 'Suchen' },
  sections: { collections: 'Sammlungen' },
  lists: { 'records(count)': { one: '{count} Datensatz', other: '{count} Datensätze' } },
  saved: { title: 'Gemerkt' },
};

/** Returns a project with files of words, and a function that builds its site and returns the files. */
function createProject(words: Record<string, unknown>) {
  const cwd = createTestDirectory();
  const env = { MICROFICHE_CACHE: join(cwd, 'cache') };
  createCache(env.MICROFICHE_CACHE);
  mkdirSync(join(cwd, 'languages'));
  const write = (language: string, file: unknown) =>
    writeFileSync(join(cwd, 'languages', `${language}.json`), typeof file === 'string' ? file : JSON.stringify(file));
  for (const [language, file] of Object.entries(words)) write(language, file);
  const args = (out: string, languages: string) => [
    ...['build', '--snapshot', inject('mirror').small, '--out', join(cwd, out), '--languages', languages],
  ];
  return {
    cwd,
    write,
    run: (...command: string[]) => runMicrofiche(command, { cwd, env }),
    fails: (languages: string) => runMicrofiche(args('failed', languages), { cwd, env }),
    build: async (out: string, languages: string, ...more: string[]) => {
      const report = await runMicroficheJson<BuildReport>([...args(out, languages), ...more], { cwd, env });
      return { report, files: new Map([...readFiles(join(cwd, out))].map(([path, bytes]) => [path, bytes.toString('latin1')])) };
    },
    read: (out: string, path: string) => readFileSync(join(cwd, out, path), 'utf8'),
  };
}

it('builds pages in a language of the project, in English where it has no words, and again after a change', async () => {
  const { build, read, write } = createProject({ de: GERMAN, es: { frame: { skip: 'Ir al texto' } } });
  const { files } = await build('dist', 'en,de,es');
  const page = read('dist', 'de/index.html');
  expect(page).toMatch(/<html lang="de">/);
  expect(page).toMatch(/>Zum Inhalt<.*aria-label="Main".*>Sammlungen<.*>Gemerkt</s);
  expect(page).not.toContain('Haupt');
  expect(read('dist', 'index.html')).toMatch(/href="de\/index\.html" lang="de"[^>]*>Deutsch</);
  expect(read('dist', 'es/index.html')).toMatch(/>Ir al texto<.*>Colecciones</s);
  expect(read('dist', 'de/collections/index.html')).toMatch(/<title>Sammlungen/);
  const search = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(read('dist', 'de/search.html'))?.[1] ?? '';
  expect(search).toMatch(/"language":"de"/);
  expect(search).toMatch(/Datensätze/);
  expect(read('dist', 'de/search.html')).toContain('>Suchen<');

  // Notes and texts that await translation are not shown.
  write('de', { ...GERMAN, '// note': 'later', '? own': {} });
  const { report: same } = await build('dist', 'en,de,es');
  expect(same.rebuilt.reason).toBe('changes');

  write('de', { ...GERMAN, frame: { ...GERMAN.frame, main: 'Hauptmenü' } });
  const { report, files: changed } = await build('dist', 'en,de,es');
  expect(report.rebuilt.reason).toBe('program or options');
  expect(changed.get('de/index.html')).not.toBe(files.get('de/index.html'));
  expect(read('dist', 'de/index.html')).toContain('aria-label="Hauptmenü"');
  expect(changed).toEqual((await build('clean', 'en,de,es', '--clean')).files);
});

it('has the first language of a site at its top, and own pages in each', async () => {
  const { cwd, build, read } = createProject({ de: GERMAN });
  mkdirSync(join(cwd, 'content/pages'), { recursive: true });
  writeFileSync(join(cwd, 'content/pages/besuch.de.md'), '---\ntitle: Besuch\n---\nWillkommen.\n');
  writeFileSync(join(cwd, 'microfiche.config.json'), JSON.stringify({ design: { title: { de: 'Archiv', en: 'Archive' } } }));
  await build('dist', 'de,en');
  expect(read('dist', 'index.html')).toMatch(/<html lang="de">.*<title>Archiv</s);
  expect(read('dist', 'pages/besuch.html')).toMatch(/<h1>Besuch<\/h1>/);
  expect(read('dist', 'en/pages/besuch.html')).toMatch(/<h1 lang="de">Besuch<\/h1>/);
});

it.each<[sentence: string, language: string, file?: unknown]>([
  ['"xx" is not one of en, es, ja', 'xx'],
  ['this project has no languages/pt.json. Write that file with "microfiche translate pt".', 'pt'],
  ['languages/de.json is not valid JSON (line 1): a closing brace } is missing.', 'de', '{"frame": {'],
  ['languages/de.json must contain one JSON object with words of the interface.', 'de', '[]'],
  ['languages/de.json, line 1: "name" is there twice. Delete one of them.', 'de', '{"name": "a", "name": "b"}'],
  ['languages/de.json has values within more than 100 others.', 'de', '{"a":'.repeat(50_000)],
  ['languages/de.json has 3.0 MB, and at most 2.0 MB are allowed.', 'de', `"${'x'.repeat(3_000_000)}"`],
  ['languages/de.json: "frame.skp" is no text of the interface. Did you mean "skip"?', 'de', { frame: { skp: 'x' } }],
  ['languages/de.json has 2 problems:\n  "frame.skip" has {n}', 'de', { frame: { skip: 'Zum {n}', main: '' } }],
])('refuses words in one sentence: %s', async (sentence, language, file) => {
  const { cwd, fails, run } = createProject(file === undefined ? {} : { [language]: file });
  const { code, stderr } = await fails(`en,${language}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  if (file === undefined) return;
  const before = readFileSync(join(cwd, 'languages/de.json'));
  expect((await run('translate', 'de')).stderr).toBe(stderr);
  expect(readFileSync(join(cwd, 'languages/de.json'))).toEqual(before);
});

it('reads no link', async () => {
  const { cwd, fails } = createProject({ fr: {} });
  symlinkSync('fr.json', join(cwd, 'languages/de.json'));
  const { code, stderr } = await fails('de');
  expect([code, stderr]).toEqual([2, 'microfiche: languages/de.json is a link or no file. Put the file itself there.\n']);
});

it('completes a file, keeps what is translated, and says where it stands', async () => {
  const { cwd, run } = createProject({ de: GERMAN });
  const file = join(cwd, 'languages/de.json');
  const { stdout } = await run('translate', 'de');
  expect(stdout).toMatch(/^de: 5 of \d{3} texts translated, in languages\/de\.json\.\n1 text with “\? ” before the key differ/);
  const completed = readFileSync(file);
  const { frame, lists } = JSON.parse(completed.toString()) as Record<string, Record<string, unknown>>;
  expect(frame).toMatchObject({ skip: 'Zum Inhalt', '? main': 'Haupt', '? skipToResults': 'Skip to results' });
  expect(lists).toMatchObject(GERMAN.lists);
  const { stdout: json } = await run('translate', 'de', '--json');
  expect(JSON.parse(json)).toMatchObject({ language: 'de', file: 'languages/de.json', translated: 5, changed: 1 });
  expect(readFileSync(file)).toEqual(completed);
  expect(readdirSync(join(cwd, 'languages'))).toEqual(['de.json']);
});

it('writes a new file with the plural forms of the language, and refuses what is no language', async () => {
  const cwd = createTestDirectory();
  expect((await runMicrofiche(['translate', 'pl'], { cwd })).stdout).toMatch(/^pl: 0 of \d{3} texts translated/);
  const { lists } = JSON.parse(readFileSync(join(cwd, 'languages/pl.json'), 'utf8')) as Record<string, Record<string, object>>;
  expect(Object.keys(lists?.['? records(count)'] ?? {})).toEqual(['one', 'few', 'many', 'other']);
  for (const tag of ['xx', '../pl', 'PL', ''])
    expect(await runMicrofiche(['translate', tag], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `"${tag}" is not one of en, es, ja, fr, ar, nor the BCP 47 tag of another language`,
      ) as string,
    });
  expect(readdirSync(cwd)).toEqual(['languages']);
});
