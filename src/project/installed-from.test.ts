import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PACKAGE, VERSION } from '../model/version.ts';
import { dependencyOn, installedFrom, PACKAGE_FILE } from './installed-from.ts';

const root = mkdtempSync(join(tmpdir(), 'microfiche-test-'));
afterAll(() => rmSync(root, { recursive: true }));
let number = 0;

/** Makes a directory in which npm has installed the program from somewhere. Returns the program’s directory. */
function install(resolved: string | undefined, name = PACKAGE): string {
  const modules = join(root, `install ${number++}`, 'node_modules');
  const program = join(modules, name, 'lib');
  mkdirSync(program, { recursive: true });
  if (resolved !== undefined)
    writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages: { [`node_modules/${name}`]: { resolved } } }));
  return program;
}

describe('installedFrom', () => {
  it('finds a package in a file, relative to the directory of the installation', () => {
    const program = install('file:../downloads/microfiche-archive-0.1.0.tgz');
    const source = installedFrom(program);
    expect(source).toEqual({ kind: 'file', file: join(root, 'downloads/microfiche-archive-0.1.0.tgz') });
    expect(dependencyOn(source, '/srv/mirror')).toBe(`file:${PACKAGE_FILE}`);
  });

  it.each([
    'https://registry.example/microfiche-archive/-/microfiche-archive-0.1.0.tgz',
    undefined,
    'git+ssh://git@host.example/x.git#12',
  ])('gives the version for %s', (resolved) => {
    expect(dependencyOn(installedFrom(install(resolved)), '/srv/mirror')).toBe(VERSION);
  });

  it('keeps the address of a package on a web server, also under another name', () => {
    const address = 'https://downloads.example/microfiche-archive-0.1.0.tgz';
    for (const name of [PACKAGE, '@harbor/microfiche'])
      expect(dependencyOn(installedFrom(install(address, name)), '/srv/mirror')).toBe(address);
  });

  it('names a checkout by its path from the project', () => {
    expect(dependencyOn(installedFrom('/srv/checkout'), '/srv/mirror')).toBe('file:../checkout');
  });

  it('names the version if npm’s record is damaged', () => {
    const program = install('file:x.tgz');
    writeFileSync(join(program, '../../.package-lock.json'), '{"packages": []');
    expect(dependencyOn(installedFrom(program), '/srv/mirror')).toBe(VERSION);
  });
});
