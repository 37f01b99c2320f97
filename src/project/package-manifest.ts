/** The package.json of a new project. */
import manifest from '../../package.json' with { type: 'json' };
import type { ProjectChoices } from './choices.ts';
import { packageName } from './package-name.ts';

/** Packages whose install scripts a mirror needs: Node.js itself, and the compiler of Astro. npm 12 runs no others. */
const ALLOWED_SCRIPTS = { node: true, esbuild: true };
const SCRIPTS = Object.fromEntries(['update', 'serve', 'dev', 'build'].map((name) => [name, `microfiche ${name}`]));

/** Returns the text of the file. */
export function packageManifest(choices: ProjectChoices): string {
  const content = {
    name: packageName(choices),
    private: true,
    description: `Offline copy of ${choices.title}`,
    type: 'module',
    engines: manifest.engines,
    scripts: SCRIPTS,
    dependencies: { microfiche: choices.version },
    allowScripts: ALLOWED_SCRIPTS,
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
