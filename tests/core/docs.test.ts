/** Checks the documents against the commands, the files that they cite, and each other. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../scripts/commands.ts';
import { CLI_REFERENCE, cliReference } from '../../scripts/docs/cli.ts';
import { DATES_REFERENCE, datesReference } from '../../scripts/docs/dates.ts';
import { LICENSES, licensesText } from '../../scripts/docs/licenses.ts';
import { MEDIA, mediaText } from '../../scripts/docs/media.ts';
import { ARCHITECTURE, architectureText } from '../../scripts/docs/rooms.ts';
import { listFiles } from '../../scripts/lint/files.ts';
import { STRUCTURED_SETTINGS } from '../../scripts/options/config.ts';
import { isSetting, listRows, longOf } from '../../scripts/options/option-row.ts';
import { SECTIONS } from '../../scripts/options/options.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { ROOT } from '../support/commands.ts';

const DOCUMENTS = listFiles(ROOT).filter((path) => /^(?:docs\/.*|\w+)\.md$/.test(path));
const readDocument = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (markdown: string) => markdown.replace(/^```[\s\S]*?^```$/gm, '');

describe('the command line reference', () => {
  it('is up to date (if not, run "npm run docs")', () => {
    expect(readFileSync(CLI_REFERENCE, 'utf8')).toBe(cliReference());
  });
});

it('CITATION.cff, codemeta.json and create-microfiche have the version and description of package.json, and the authors of the license', () => {
  const { version, description, license } = JSON.parse(readDocument('package.json')) as Record<string, string>;
  const [, author] = /^Copyright \(c\) \d+ (.+)$/m.exec(readDocument('LICENSE')) ?? [];
  expect(parse(readDocument('CITATION.cff'))).toMatchObject({
    version,
    license,
    abstract: description,
    authors: [{ name: author }],
  });
  const codemeta = { version, description, license: `https://spdx.org/licenses/${license}`, author: [{ name: author }] };
  expect(JSON.parse(readDocument('codemeta.json'))).toMatchObject(codemeta);
  expect(JSON.parse(readDocument('scripts/create/package.json'))).toMatchObject({ version, license });
});

it('docs/site/pages/dependencies.md has each package that is installed with the program, and its license', () => {
  const { dependencies } = JSON.parse(readDocument('package.json')) as { dependencies: Record<string, string> };
  const rows = readDocument('docs/site/pages/dependencies.md').matchAll(/^\| `(.+)` \| .+ \| (\S+) \|$/gm);
  const licenseOf = (name: string) =>
    (JSON.parse(readDocument(`node_modules/${name}/package.json`)) as { license: string }).license;
  expect(Array.from(rows, ([, name, license]) => [name, license])).toEqual(
    Object.keys(dependencies).map((name) => [name, licenseOf(name)]),
  );
});

it('the glossary defines no word twice', () => {
  const words = [...readDocument('docs/glossary.md').matchAll(/\*\*(.+?)\*\*/g)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});

it('docs/reports.md has the exit codes of all commands', () => {
  const [, table = ''] = /## Exit codes\n([\s\S]*?)\n## /.exec(readDocument('docs/reports.md')) ?? [];
  const codes = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT_CODES));
});

it('docs/dates.md is up to date (if not, run "npm run docs")', () => {
  expect(readFileSync(DATES_REFERENCE, 'utf8')).toBe(datesReference());
});

it('docs/media.md has the formats as they are (if not, run "npm run docs")', () => {
  expect(readFileSync(MEDIA, 'utf8')).toBe(mediaText());
});

it('docs/architecture.md draws the layers as they are (if not, run "npm run docs")', () => {
  const text = readFileSync(ARCHITECTURE, 'utf8');
  expect(text).toBe(architectureText());
  expect(text).toContain('build_astro[build/astro] --> build_cache');
});

describe('the licenses that every site has', () => {
  it('are up to date (if not, run "npm run docs")', () => {
    expect(readFileSync(LICENSES, 'utf8')).toBe(licensesText());
  });

  it('include each package that a script of a built site names, and nothing that only programs need', () => {
    const text = licensesText();
    for (const notice of ['OpenSeadragon', 'Francisco Hodge', 'Microfiche developers', 'Michael Bostock'])
      expect(text).toContain(notice);
    expect(text).not.toMatch(/^- (?:sharp|undici|astro|node|pagefind) /m);
  });
});

describe('the options and settings', () => {
  /** Rows of docs/cli.md: the option, and the commands that have it. */
  const rows = cliReference()
    .split(/^### /m)
    .flatMap((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const ofSection = lines.find((line) => line.startsWith('Of ')) ?? heading;
      return lines.flatMap((line) => {
        const [, option, rest = ''] = /^- `(?:-\w, )?(--[a-z-]+)(?: [^`]*)?`: (.*)$/.exec(line) ?? [];
        return option === undefined
          ? []
          : [{ option, commands: /\(of ([^;)]*)/.exec(rest)?.[1] ?? ofSection, isSetting: !rest.includes('not a setting') }];
      });
    });

  it('of every command are in docs/cli.md, which says what is not a setting', () => {
    const missing = createProgram().commands.flatMap((command) =>
      listRows(SECTIONS, command.name()).filter(
        (option) =>
          !rows.some(
            (row) =>
              row.option === longOf(option) &&
              (row.commands === 'All commands' || row.commands.includes(`\`${command.name()}\``)) &&
              (row.isSetting === isSetting(option) || command.name() === 'init'),
          ),
      ),
    );
    expect(missing).toEqual([]);
    expect(rows).toHaveLength(listRows(SECTIONS).length);
  });

  it('without an option are in docs/configuration.md', () => {
    const documented = new Set([...readDocument('docs/configuration.md').matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name));
    expect(Object.keys(STRUCTURED_SETTINGS).filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe.each(DOCUMENTS)('%s', (path) => {
  it('links only to files and headings that exist', () => {
    const links = [...withoutCode(readDocument(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? path : join(dirname(path), target);
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('cites only files that exist', () => {
    const cited = [...withoutCode(readDocument(path)).matchAll(/`([^`\s]+)`/g)].map(([, code]) => code as string);
    const files = cited.filter((code) => /^(?:src|scripts|tests|docs|public|content\/sample|\.ci)\/[^<*…]+$/.test(code));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

/** Returns the anchors that GitHub creates for the headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(readDocument(path)).matchAll(/^#{1,6} +(.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
    let [unique, count] = [anchor, 0];
    while (anchors.has(unique)) unique = `${anchor}-${++count}`;
    anchors.add(unique);
  }
  return anchors;
}

describe.each(readdirSync(join(ROOT, 'docs/examples')))('the example %s', (name) => {
  it('uses only commands and options that exist', () => {
    const commands = new Map(createProgram().commands.map((command) => [command.name(), command]));
    // In YAML, a command may be a list.
    const text = readDocument(`docs/examples/${name}`)
      .replace(/\\\n/g, ' ')
      .replace(/[[\],]/g, ' ');
    const used = [...text.matchAll(/microfiche +(build|merge|harvest|media|verify)\b([^\n]*(?:\n *args:[^\n]*)?)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, command = '', words = ''] of used) {
      const known = commands.get(command)?.options.map(({ long }) => long);
      for (const [option] of words.matchAll(/(?<!\S)--[a-z-]+/g)) expect(known, `${command} ${option}`).toContain(option);
    }
  });
});

it('says npx with --no-install, which otherwise fetches what is not installed: the package microfiche on npm is another program', () => {
  const programs = new Set(['microfiche', ...readdirSync(join(ROOT, 'node_modules/.bin'))]);
  const fetching = listFiles(ROOT)
    .filter((path) => !/^(?:content\/|package-lock\.json$)/.test(path))
    .flatMap((path) => {
      const words = readDocument(path).replace(/[\s'"`,[\]]+/g, ' ');
      return [...words.matchAll(/\bnpx((?: -\S+)*) (\S+)/g)]
        .filter(([, options = '', program = '']) => programs.has(program) && !options.includes(' --no-install'))
        .map(([command]) => `${path}: ${command}`);
    });
  expect(fetching).toEqual([]);
});

it('the calculator and the table for archivists have the figures of docs/benchmarks.md', () => {
  const [, planning = ''] = /## Planning\n([\s\S]*?)\n## /.exec(readDocument('docs/benchmarks.md')) ?? [];
  const figure = (pattern: RegExp) => Number(pattern.exec(planning)?.[1]?.replaceAll(',', ''));
  const RECORDS = 100_000;
  const [least, most, snapshot] = [/record: ([\d.]+) to/, /record: [\d.]+ to ([\d.]+);/, /(\d+) KB a record/].map(figure);
  const site = (figure(/with search, ([\d.]+) GB/) * 1e6) / RECORDS;
  const files = figure(/in ([\d,]+) files/) / RECORDS;
  const compact = figure(/: (\d+) MB as a compact build/) / 100;
  const calculator = readDocument('docs/site/pages/calculator.md');
  expect(calculator.replaceAll('\n', ' ')).toContain(
    `${least} to ${most} requests a record, ${snapshot} KB of snapshot and ${site} KB of site a record, ${files.toFixed(2)} files of the site a record, ${compact.toFixed(1)} KB a record of a compact site`,
  );
  for (const factor of [`(records * ${least})`, `(records * ${most})`, `records * ${snapshot} +`, `records * ${site} +`])
    expect(calculator).toContain(factor);
  expect(calculator).toContain(`records * ${files.toFixed(2)} +`);
  expect(calculator).toContain(`records * ${compact.toFixed(1)} +`);
  const rows = readDocument('docs/site/pages/ten-minutes.md').matchAll(
    /^\| ([\d,]+) \| [^|]+ \| ([\d.]+) (MB) \| ([\d.]+) ([MG]B) \|$/gm,
  );
  const sizes = Array.from(rows, ([, records = '', ofSnapshot, , ofSite, unit]) => [
    (Number(ofSnapshot) * 1000) / Number(records.replace(',', '')),
    (Number(ofSite) * (unit === 'GB' ? 1e6 : 1000)) / Number(records.replace(',', '')),
  ]);
  expect(sizes).toEqual([1, 2, 3].map(() => [snapshot, site]));
});

it('package.json has scripts that each shell runs, also cmd.exe', () => {
  const ofShells = ['package.json', 'scripts/create/package.json'].flatMap((path) => {
    const { scripts = {} } = JSON.parse(readDocument(path)) as { scripts?: Record<string, string> };
    // Variables, quotes, patterns, joined commands other than &&, and programs of Unix.
    const isOfOneShell = (command: string) =>
      /(?:^|&& )\w+=|[$%'`*;|]|(?<!&)&(?!&)|\.sh\b/.test(command) ||
      command.split(' && ').some((part) => !/^(?:node|npm|biome|vitest) /.test(part));
    return Object.entries(scripts).filter(([, command]) => isOfOneShell(command));
  });
  expect(ofShells).toEqual([]);
});

describe('the README', () => {
  it('has a maximum of 1,500 words', () => {
    expect(readDocument('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1500);
  });
});

describe('CONTRIBUTING', () => {
  it('says which documents have a maximum of words together, and they have no more', () => {
    const said = /`docs\/\*\.md` and `docs\/decisions\/\*\.md` together have at most ([\d,]+) words/.exec(
      readDocument('CONTRIBUTING.md'),
    );
    const counted = DOCUMENTS.filter((path) => /^docs\/(?:decisions\/)?[^/]+\.md$/.test(path));
    expect(new Set(counted.map(dirname))).toEqual(new Set(['docs', 'docs/decisions']));
    const words = counted.flatMap((path) => readDocument(path).split(/\s+/).filter(Boolean)).length;
    expect(words).toBeLessThanOrEqual(Number(said?.[1]?.replace(',', '')));
  });

  it('says that unit tests need only Node.js: none names another program (tests/vitest.config.ts lets them find none)', () => {
    expect(readDocument('CONTRIBUTING.md')).toContain('Unit tests need only Node.js.');
    const started = listFiles(ROOT)
      .filter((path) => /^src\/.*\.test\.ts$/.test(path))
      .flatMap((path) => {
        const starts = readDocument(path).matchAll(
          /(?<![\w.])(?:execa|exec|execFile|spawn|execSync|execFileSync|spawnSync)\(\s*([^,)]+)|(\b(?:canMount|mountSmallDisk)\b)/g,
        );
        return Array.from(starts, ([, program, helper]) => [path, program ?? helper] as const);
      });
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(([, program]) => program !== 'process.execPath')).toEqual([]);
  });
});
