/** The program's packages may belong to another user, or be on a read-only disk, as in a container. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canMount, createTestDirectory, ROOT } from '../support/commands.ts';

it.runIf(canMount())('makes the bundle of the pages without writing to node_modules', async () => {
  const program = createTestDirectory();
  for (const name of ['src', 'public', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(program, name), { recursive: true });
  const packages = join(program, 'node_modules');
  mkdirSync(packages);
  execFileSync('mount', ['--bind', join(ROOT, 'node_modules'), packages]);
  onTestFinished(() => void execFileSync('umount', [packages]));
  execFileSync('mount', ['-o', 'remount,bind,ro', packages]);
  const bundle = join(createTestDirectory(), 'bundle');
  const script = `import { createBundle } from '${program}/src/build/astro/create-bundle.ts'; await createBundle('${bundle}');`;
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], { cwd: program }, (error, _, text) =>
      resolve(error ? text || error.message : ''),
    );
  });
  expect(stderr).toBe('');
  expect(existsSync(bundle)).toBe(true);
});
