/** Writes the site's style sheet, scripts and icons. Astro does not write them, because pages use relative paths. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { build, type InlineConfig, type Plugin } from 'vite';
import { ICON_PATH } from '../../formats/icon-path.ts';
import * as facets from '../../model/facets.ts';
import * as languages from '../../model/text/languages.ts';
import { moduleFile, PROGRAM } from '../../platform/module-file.ts';
import { SCRIPT_TARGETS } from '../../publish/old-engines.ts';
import { createStyles } from './style-module.ts';

/** Entry modules of classic scripts, without ending; `assets/` has each under its last name. file:// loads no modules. */
const SCRIPTS = [
  'browser/inflate',
  'search/suggest',
  'page/theme',
  'offline/save-for-offline',
  'page/home-page',
  'page/interview-page',
  'page/list-page',
  'page/notes',
  'map/place-map',
  'page/object-page',
  'page/fiche-page',
  'page/term-page',
  'saved/saved-page',
  'saved/found-list',
  'know/know-page',
  'search/search-page',
  'search/east-asian',
  'search/name-search',
  'search/spelling',
];
const USUAL_ICON = join(PROGRAM, 'public', ICON_PATH);
/** Edge lengths of the icons of the installable site, in pixels. */
export const ICON_SIZES = [192, 512];
/** The SVG icon is small, so it is rasterized at a higher resolution. */
const ICON_SCALE = 8;
/** Additional scripts of a kiosk. */
const KIOSK_SCRIPTS = ['kiosk/kiosk', 'kiosk/keyboard', 'kiosk/phone-code'];
/** Additional scripts of a compact build. */
const COMPACT_SCRIPTS = ['page/packed-page', 'page/packed-thumbnails'];
/** Scripts of npm packages, copied unchanged. */
export const LIBRARIES = { 'openseadragon.min.js': 'openseadragon/build/openseadragon/openseadragon.min.js' };

/** Writes `assets/`, and the service worker, into the directory `out`. A kiosk has no service worker. */
export async function writeAssets(
  out: string,
  { kiosk, compact, css, icon }: { kiosk: boolean; compact: boolean; css?: string | undefined; icon?: Buffer | undefined },
): Promise<void> {
  mkdirSync(join(out, 'assets'), { recursive: true });
  for (const [name, style] of Object.entries(createStyles({ kiosk, css }))) writeFileSync(join(out, 'assets', name), style);
  const require = createRequire(import.meta.url);
  for (const [name, file] of Object.entries(LIBRARIES)) cpSync(require.resolve(file), join(out, 'assets', name));
  for (const entry of [...SCRIPTS, ...(kiosk ? KIOSK_SCRIPTS : []), ...(compact ? COMPACT_SCRIPTS : [])])
    await bundleScript(moduleFile(`reader/${entry}.entry`), `${basename(entry)}.js`, join(out, 'assets'));
  if (!kiosk) await bundleScript(moduleFile('reader/offline/service-worker.entry'), 'sw.js', out);
  if (icon) writeFileSync(join(out, ICON_PATH), icon);
  for (const size of ICON_SIZES) {
    await sharp(icon ?? USUAL_ICON, { density: 72 * ICON_SCALE })
      .resize(size, size)
      .png()
      .toFile(join(out, `assets/icon-${size}.png`));
  }
}

/** Modules that are data for scripts: the words of languages and the table of facets. */
const DATA: ReadonlyMap<string, object> = new Map<string, object>([
  [moduleFile('model/text/languages'), languages],
  [moduleFile('model/facets'), facets],
]);
/** In place of these modules, their values: a bundler leaves out those that a script does not use. */
const ONLY_VALUES: Plugin = {
  name: 'only-values',
  load(id) {
    const values = DATA.get(id);
    return (
      values &&
      Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n')
    );
  },
};

/** Bundles a module and its imports as one classic script. */
export async function bundleScript(entry: string, name: string, outDir: string, extraConfig: InlineConfig = {}): Promise<void> {
  await build({
    logLevel: 'error',
    ...extraConfig,
    // Libraries read it, and a browser has no `process`.
    define: { 'process.env.NODE_ENV': JSON.stringify('production'), ...extraConfig.define },
    configFile: false,
    plugins: [ONLY_VALUES, ...(extraConfig.plugins ?? [])],
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      target: SCRIPT_TARGETS,
      lib: { entry, formats: ['iife'], name: 'microfiche', fileName: () => name },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}
