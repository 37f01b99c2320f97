/** The package.json of a new project. */
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';

import manifest from '../../package.json' with { type: 'json' };
import { isObject } from '../model/values.ts';
import { PACKAGE } from '../model/version.ts';
import type { ProjectChoices } from './choices.ts';

/** Packages whose install scripts a mirror needs: Node.js itself, and the compiler of Astro. npm 12 runs no others. */
const ALLOWED_SCRIPTS = { node: true, esbuild: true };
const SCRIPTS = {
  ...Object.fromEntries(['update', 'serve', 'build'].map((name) => [name, `microfiche ${name}`])),
  // Otherwise it shows the sample archive.
  dev: 'microfiche dev --snapshot content/snapshot',
};

/** A package.json, as far as a project has one. */
export type Manifest = Record<string, unknown>;

/** What npm may have written into the file before: those values are kept. */
const MERGED = ['scripts', 'dependencies', 'allowScripts'] as const;

/** Returns the text of the file. `existing` is the one that the directory has. */
export function packageManifest(choices: ProjectChoices, existing: Manifest = {}): string {
  const content: Manifest = {
    name: packageName(choices),
    private: true,
    description: `Offline copy of ${choices.title}`,
    type: 'module',
    engines: manifest.engines,
    scripts: SCRIPTS,
    dependencies: { [PACKAGE]: choices.dependency },
    allowScripts: ALLOWED_SCRIPTS,
  };
  const merged: Manifest = { ...content, ...existing, type: content['type'] };
  for (const name of MERGED) merged[name] = { ...asObject(content[name]), ...asObject(existing[name]) };
  return `${JSON.stringify(merged, undefined, 2)}\n`;
}

const asObject = (value: unknown) => (isObject(value) ? value : {});

const MAX_LENGTH = 40;
const FALLBACK = 'mirror';

/** Returns a name made from that of the directory, or else from the title: lower-case letters, digits and single hyphens. */
export function packageName({ directory, title }: { directory: string; title: string }): string {
  const name = [basename(directory), title].map(toName).find((one) => one !== '') ?? FALLBACK;
  // A package cannot depend on one of its own name, and npm rejects the names of Node's modules.
  return name === PACKAGE || name === 'node-modules' || isBuiltin(name) ? `${name}-${FALLBACK}` : name;
}

function toName(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? []).join('-').slice(0, MAX_LENGTH).replace(/-$/, '');
  return /^[a-z]/.test(name) ? name : name === '' ? '' : `${FALLBACK}-${name}`;
}
