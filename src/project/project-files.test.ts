import { readFileSync } from 'node:fs';
import { DockerfileParser } from 'dockerfile-ast';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { AUTOMATIONS, type ProjectChoices } from './choices.ts';
import { packageName } from './package-manifest.ts';
import { createProjectFiles } from './project-files.ts';

const CHOICES: ProjectChoices = {
  directory: '/srv/mirror',
  title: 'Plain',
  authorsUrl: 'https://guide.example.org',
  catalogUrl: 'https://archive.example.org',
  contact: undefined,
  languages: ['en', 'es'],
  config: 'json',
  automations: AUTOMATIONS,
  dependency: '1.2.3',
  user: 'archivist',
};
const create = (changes: Partial<ProjectChoices> = {}) => createProjectFiles({ ...CHOICES, ...changes });

/** Texts with what JSON, YAML, systemd, Containerfiles, shells and Markdown escape. The program removes control characters. */
const SPECIAL = [
  '"',
  "'",
  '\\',
  '$',
  '`',
  '%',
  '#',
  ':',
  '-',
  '{',
  '}',
  '[',
  ']',
  '&',
  '*',
  '!',
  '|',
  '>',
  '<',
  '@',
  ',',
  '?',
  '=',
  ' ',
  ';',
  '~',
  '\\n',
  `$\{{ secrets.X }}`,
  '$(id)',
  '@@name@@',
  '@@title in YAML@@',
  '%h',
  '%n',
  ': ',
  ' #',
  '---',
  '"]',
  '\u0085',
  '\u2028',
  '\ufeff',
  '”',
  'é',
  '水',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

describe('createProjectFiles', () => {
  it('writes the same files each time, with all automations', () => {
    expect([...create().keys()]).toEqual([
      'package.json',
      'microfiche.config.json',
      'README.md',
      '.gitignore',
      'content/pages/about.md',
      'content/exhibits/example.md',
      '.github/workflows/update.yml',
      '.gitlab-ci.yml',
      'deploy/systemd/mirror-update.service',
      'deploy/systemd/mirror-update.timer',
      'Containerfile',
      '.containerignore',
      'deploy/kubernetes.yaml',
    ]);
    expect(create()).toEqual(create());
    for (const [path, text] of create()) expect(text, path).not.toContain('@@');
  });

  it('says in their names that its own pages are in English, if the main language is another one', () => {
    const files = create({ languages: ['ja', 'en'] });
    expect([...files.keys()].filter((path) => path.startsWith('content/'))).toEqual([
      'content/pages/about.en.md',
      'content/exhibits/example.en.md',
    ]);
    expect(files.get('content/pages/about.en.md')).toContain('`content/pages/about.en.md`');
  });

  it('keeps a hostile title or URL a value: every file has the same structure as with a harmless one', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, path) => {
        const url = new URL(`https://archive.example.org/${encodeURIComponent(path.toWellFormed())}`).href;
        const files = create({ title, authorsUrl: url });
        const plain = create();
        const read = (name: string) => files.get(name) ?? '';

        expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'mirror', description: `Offline copy of ${title}` });
        const settings = { authorsUrl: url, catalogUrl: CHOICES.catalogUrl, languages: ['en', 'es'], design: { title } };
        expect(JSON.parse(read('microfiche.config.json'))).toMatchObject(JSON.parse(JSON.stringify(settings)));

        for (const name of ['.github/workflows/update.yml', '.gitlab-ci.yml', 'deploy/systemd/mirror-update.timer'])
          expect(read(name).split('\n').length, name).toBe(plain.get(name)?.split('\n').length);
        expect(parse(read('.github/workflows/update.yml'))).toEqual(parse(plain.get('.github/workflows/update.yml') ?? ''));
        expect(parse(read('.gitlab-ci.yml'))).toEqual(parse(plain.get('.gitlab-ci.yml') ?? ''));
        const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
        expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
        expect(documents[1]?.getIn(['metadata', 'annotations', 'title'])).toBe(title.toWellFormed());
        documents[1]?.setIn(['metadata', 'annotations', 'title'], 'Plain');
        expect(documents.map((document) => document.toJS())).toEqual(
          parseAllDocuments(plain.get('deploy/kubernetes.yaml') ?? '').map((document) => document.toJS()),
        );

        expect(unitKeys(read('deploy/systemd/mirror-update.service'))).toEqual(
          unitKeys(plain.get('deploy/systemd/mirror-update.service') ?? ''),
        );
        expect(read('deploy/systemd/mirror-update.service').replaceAll('%%', '').match(/%./g)).toEqual(['%S', '%C']);

        const instructions = (text: string) =>
          DockerfileParser.parse(text)
            .getInstructions()
            .map((one) => one.getKeyword());
        expect(instructions(read('Containerfile'))).toEqual(instructions(plain.get('Containerfile') ?? ''));
        const [label = ''] = /^LABEL .*$/m.exec(read('Containerfile')) ?? [];
        expect(label).toMatch(/^LABEL [\w.]+="(?:[^"\\$]|\\["\\$])*"$/u);

        const [heading, ...rest] = read('README.md').split('\n');
        expect(rest).toEqual(plain.get('README.md')?.split('\n').slice(1));
        expect(heading).toMatch(/^# (?:[^\\`*_[\]<>&~|#!:]|\\[^\p{L}\p{N}])*$/u);
        expect(read('content/pages/about.md').split('\n').length).toBe(plain.get('content/pages/about.md')?.split('\n').length);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps a hostile title a value in microfiche.config.ts', async () => {
    for (const title of ['"}); process.exit(1); //', '`$' + '{x}`', '\\", x: "', '"\n  "x": 1', '</script>']) {
      const text = create({ title, config: 'ts' }).get('microfiche.config.ts') ?? '';
      const body = text.replace(/^import .*\n/, '').replace('export default defineConfig', 'return ');
      expect(new Function(body)()).toEqual({ ...SETTINGS, design: { title } });
    }
  });

  it('quotes a directory for systemd', () => {
    const unit = create({ directory: '/srv/50% "a" \\b c/m' }).get('deploy/systemd/m-update.service') ?? '';
    expect(unit).toContain('\nWorkingDirectory=/srv/50%% "a" \\b c/m/\n');
    expect(unit).toContain('\nReadWritePaths="/srv/50%% \\"a\\" \\\\b c/m"\n');
  });
});

const SETTINGS = {
  authorsUrl: CHOICES.authorsUrl,
  catalogUrl: CHOICES.catalogUrl,
  languages: CHOICES.languages,
  discover: true,
};

/** Returns the names of all settings of a systemd unit, with the lines that systemd joins. */
function unitKeys(unit: string): string[] {
  return unit
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.startsWith('[') ? line : (line.split('=')[0] ?? '')));
}

describe('packageName', () => {
  it.each([
    ['/srv/Harbor Archive', 'x', 'harbor-archive'],
    ['/srv/Città_2', 'x', 'citta-2'],
    ['/srv/水', 'The Quay: 1931', 'the-quay-1931'],
    ['/', '水', 'mirror'],
    ['/srv/1931', 'x', 'mirror-1931'],
    ['/srv/microfiche-archive', 'x', 'microfiche-archive-mirror'],
    ['/srv/http', 'x', 'http-mirror'],
    [`/srv/${'a'.repeat(100)}`, 'x', 'a'.repeat(40)],
  ])('%s, %s: %s', (directory, title, name) => {
    expect(packageName({ directory, title })).toBe(name);
  });
});

it('writes the systemd units that docs/updating.md names', () => {
  const doc = readFileSync(new URL('../../docs/updating.md', import.meta.url), 'utf8');
  const files = create({ title: 'Harbor Light Archive', user: 'microfiche' });
  const units = [...files].filter(([path]) => /^deploy\/systemd\/.*\.(?:service|timer)$/.test(path));
  expect(units.length).toBe(2);
  for (const [path] of units) expect(doc).toContain(`\`${path}\``);
});
