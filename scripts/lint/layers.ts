/** Rejects imports from a higher layer, or from another one at the same level, so that each layer can be read without those above it. */
import type { Finding } from './finding.ts';
import type { Import } from './imports.ts';

/** From the top down. docs/architecture.md describes the layers. */
const LEVELS = [
  ['scripts', 'pages'],
  ['pipeline', 'project'],
  ['export'],
  ['publish'],
  ['search'],
  ['site'],
  ['client'],
  ['derivatives'],
  ['api'],
  ['catalogue'],
  ['harvest', 'media', 'sample'],
  ['http', 'snapshot'],
  ['model'],
  ['platform'],
];
const ORDER = LEVELS.map((layers) => layers.join(', ')).join(' → ');
/** Data that any layer may read, because it imports nothing: the version, and the words of languages. */
const DATA = /^(?:package\.json|src\/site\/language\/\w+\.json)$/;
const TEST = /\.test\.ts$/;

/** Returns the imports of a file that do not go to its own layer or a lower one. Tests may import everything, and only tests import tests. */
export function findUpwardImports(path: string, imports: readonly Import[]): Finding[] {
  const from = layerOf(path);
  if (from === undefined) return unknownLayer(path);
  return imports.flatMap(({ line, target }): Finding[] => {
    const to = layerOf(target);
    if (DATA.test(target) || (to !== undefined && (to === from || levelOf(to) > levelOf(from)))) return [];
    const message = `imports ${target}. Imports must go downward. The order of the layers is: ${ORDER}. Move code that both need into the lower layer.`;
    return [{ path, line, message }];
  });
}

/** A directory of `src` that the table does not have would be free to import anything. */
function unknownLayer(path: string): Finding[] {
  const message = 'is in a directory that is not a layer: add it to LEVELS in scripts/lint/layers.ts';
  return /^src\/.*\//.test(path) && !TEST.test(path) ? [{ path, line: 1, message }] : [];
}

/** The layer of a file; undefined for all that is above the layers: tests, settings, and any other file outside them. */
function layerOf(path: string): string | undefined {
  if (TEST.test(path)) return undefined;
  const [top = '', directory = ''] = path.split('/');
  const layer = top === 'src' && directory !== 'scripts' ? directory : top === 'scripts' ? top : '';
  return levelOf(layer) >= 0 ? layer : undefined;
}

/** Counted from the top; -1 for any other directory. */
function levelOf(layer: string): number {
  return LEVELS.findIndex((layers) => layers.includes(layer));
}
