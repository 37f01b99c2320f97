/** The JSON Schema of the settings, and the types of microfiche.config.ts, both of which are made for the npm package. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { STRUCTURED_SETTINGS } from '../../scripts/options/config.ts';
import { isSetting, listRows } from '../../scripts/options/option-row.ts';
import type { SettingSchema } from '../../scripts/options/option-values.ts';
import { SECTIONS } from '../../scripts/options/options.ts';
import { createConfigSchema } from '../../scripts/package/config-schema.ts';
import { configTypes } from '../../scripts/package/config-types.ts';
import { AUTOMATIONS, CONFIG_FORMATS, type ProjectChoices } from '../../src/project/choices.ts';
import { createProjectFiles } from '../../src/project/project-files.ts';
import { createTestDirectory, ROOT } from '../support/commands.ts';

const CHOICES: ProjectChoices = {
  directory: '/srv/harbor',
  title: 'Harbor archive',
  authorsUrl: 'https://guide.example.org',
  catalogUrl: 'https://archive.example.org',
  contact: 'archivist@archive.example',
  languages: ['es', 'en'],
  config: 'json',
  automations: AUTOMATIONS,
  dependency: '0.1.0',
  user: 'archivist',
};

let schema: SettingSchema;
let names: string[];
beforeAll(async () => {
  schema = await createConfigSchema();
  const options = listRows(SECTIONS).filter(isSetting);
  names = [...new Set([...options.map(({ name }) => name), ...Object.keys(STRUCTURED_SETTINGS)])];
});

const propertiesOf = ({ properties }: SettingSchema) => properties as Record<string, SettingSchema>;
const check = (settings: unknown) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false, allErrors: true });
  const validate = ajv.compile(schema);
  validate(settings);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
};

describe('the JSON Schema', () => {
  it('is valid by the meta-schema of JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ validateFormats: false });
    expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  it('has every setting, with a description', () => {
    const properties = propertiesOf(schema);
    expect(Object.keys(properties).sort()).toEqual([...names, '$schema'].sort());
    expect(names.filter((name) => !properties[name]?.['description'])).toEqual([]);
  });

  it('has choices, limits and defaults', () => {
    expect(propertiesOf(schema)).toMatchObject({
      video: { enum: ['mp4', 'smallest', 'original'], default: 'mp4' },
      concurrency: { type: 'integer', minimum: 1, maximum: 256, default: 4 },
      search: { type: 'boolean', default: true, description: expect.stringMatching(/^If false: leave out/) },
      snapshot: { type: 'string' },
      out: { default: 'dist' },
      goneLimit: { default: '10%' },
    });
    for (const name of ['title', 'yes']) expect(propertiesOf(schema)).not.toHaveProperty(name);
  });

  it('accepts the settings of a new project, and those of the documents', () => {
    expect(check(JSON.parse(createProjectFiles(CHOICES).get('microfiche.config.json') ?? ''))).toEqual([]);
    const text = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    const examples = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => JSON.parse(json) as unknown);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.flatMap(check)).toEqual([]);
    const withhold = [
      { id: 'demo-org-1', reason: 'x', date: '2026-10-01' },
      { person: ['A. Name'], reason: 'x', date: '2026-10-01' },
    ];
    const design = {
      title: { en: 'Harbor' },
      colors: { accent: { light: '#7a3b1d' } },
      facetLabels: { topic: { one: 'Subject', many: 'Subjects' } },
    };
    const notices = [{ kind: 'label', collections: ['demo-org-1'], title: { en: 'TK Seasonal' }, image: 'tk-s.svg' }];
    expect(
      check({
        withhold,
        design,
        notices,
        rate: '2/s',
        timeout: 30,
        kinds: 'thumb,image',
        allowHost: ['a.example'],
        goneLimit: 0.1,
      }),
    ).toEqual([]);
  });

  it.each([
    [{ authorUrl: 'https://a.example' }, ' additionalProperties'],
    [{ authorsUrl: 'a.example' }, '/authorsUrl pattern'],
    [{ video: 'gif' }, '/video enum'],
    [{ search: 'no' }, '/search type'],
    [{ concurrency: 0 }, '/concurrency minimum'],
    [{ budget: 20 }, '/budget type'],
    [{ budget: '20' }, '/budget pattern'],
    [{ languages: ['english'] }, '/languages/0 anyOf'],
    [{ root: [] }, '/root minItems'],
    [{ design: { color: {} } }, '/design additionalProperties'],
    [{ design: { colors: { accent: 'red' } } }, '/design/colors/accent anyOf'],
    [{ withhold: [{ id: 'a-1' }] }, '/withhold/0 required'],
    [{ notices: [{ kind: 'label', ids: ['a-1'] }] }, '/notices/0 required'],
    [{ notices: [{ kind: 'advice', ids: ['a-1'], title: 'x' }] }, '/notices/0/kind enum'],
    [{ withhold: [{ id: [], reason: 'x', date: '2026-10-01' }] }, '/withhold/0/id anyOf'],
  ])('refuses %j', (settings, error) => {
    expect(check(settings)).toContain(error);
  });
});

describe('the types of microfiche.config.ts', () => {
  /** Creates a project in which the npm package is installed, and returns the errors of its settings. */
  async function typeErrors(settings: string): Promise<string[]> {
    const project = createTestDirectory();
    const installed = join(project, 'node_modules/microfiche-archive');
    mkdirSync(join(installed, 'lib'), { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
    writeFileSync(join(installed, 'lib/config.d.ts'), configTypes(schema));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'microfiche.config.ts'), settings);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '--noEmit', '--strict', '--module', 'nodenext', 'microfiche.config.ts'];
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: project }, (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
    });
    return output.split('\n').filter((line) => line !== '');
  }

  it('accept the settings of a new project, and refuse wrong ones', async () => {
    expect(CONFIG_FORMATS).toContain('ts');
    const text = createProjectFiles({ ...CHOICES, config: 'ts' }).get('microfiche.config.ts') ?? '';
    const [right, unknown, wrong] = await Promise.all([
      typeErrors(text),
      typeErrors(text.replace('authorsUrl:', 'authorUrl:')),
      typeErrors(text.replace('design: {', 'video: "gif",\n  design: {')),
    ]);
    expect(right).toEqual([]);
    expect(unknown.join('\n')).toMatch(/'authorUrl' does not exist in type 'Settings'/);
    expect(wrong.join('\n')).toMatch(/"gif"' is not assignable to type .*"smallest"/);
  });
});
