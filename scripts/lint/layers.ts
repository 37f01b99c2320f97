/** Rejects imports from a higher layer, or from another one at the same level: each layer can be read without those above it. */
import type { Finding } from './finding.ts';
import type { Import } from './imports.ts';

/**
 * From the top down: directories of `src`, and files that are lower than their directory. What is in none of the directories
 * below it belongs to the directory itself. docs/architecture.md describes the layers.
 */
export const LEVELS = [
  ['scripts', 'pages'],
  ['build/dev', 'build/update', 'project'],
  ['build'],
  ['build/shards'],
  ['build/steps'],
  ['build/search'],
  ['build/pages'],
  ['build/astro'],
  ['build/cache'],
  ['build/shards/shard.ts'],
  ['settings', 'export'],
  ['publish/files', 'publish/copies'],
  ['publish'],
  ['publish/packs'],
  ['search'],
  ['site'],
  ['site/text'],
  ['site/site.ts'],
  ['site/notices'],
  ['site/citation', 'site/design', 'site/own'],
  ['site/fields'],
  ['site/language', 'site/styles', 'site/images.ts', 'site/csp.ts'],
  ['reader'],
  ['reader/saved', 'reader/kiosk', 'reader/know', 'reader/map', 'reader/offline'],
  ['reader/search', 'reader/player'],
  ['reader/parts'],
  ['reader/browser'],
  ['derivatives'],
  ['api'],
  ['catalogue'],
  ['harvest', 'media'],
  ['http', 'snapshot'],
  ['formats/search'],
  ['formats'],
  ['model'],
  ['model/dates', 'model/names'],
  ['model/text', 'model/encoding'],
  ['platform'],
];
/** Data that any layer may read, because it imports nothing: the version, and the words of languages. */
const DATA = /^(?:package\.json|src\/site\/language\/\w+\.json)$/;
const TEST = /\.test\.ts$/;
/** The longest first, so that a directory comes before the one that it is in. */
const LAYERS = LEVELS.flat().sort((a, b) => b.length - a.length);
const ORDER = LEVELS.map((layers) => layers.join(', ')).join(' → ');

/** Returns the imports that go to neither their own layer nor a lower one. Tests import anything; only tests import tests. */
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

/** Returns the layer of a file; undefined for all that is above the layers: tests, settings, and any other file outside them. */
export function layerOf(path: string): string | undefined {
  if (TEST.test(path)) return undefined;
  if (path.startsWith('scripts/')) return 'scripts';
  const below = /^src\/(?!scripts\/)(.*)/.exec(path)?.[1] ?? '';
  return LAYERS.find((layer) => below.startsWith(`${layer}/`) || below === layer || `${below}.ts` === layer);
}

/** Counted from the top. */
const levelOf = (layer: string): number => LEVELS.findIndex((layers) => layers.includes(layer));
