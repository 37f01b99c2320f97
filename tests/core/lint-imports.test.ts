/** The rule of `npm run lint` on imports: none goes upward, in any form. Biome finds cycles. */
import { describe, expect, it } from 'vitest';
import { findingsIn } from '../support/lint-repository.ts';

const importing = (from: string) => `import { some } from '${from}';\n\nconst other = some;\n`;

describe('layers', () => {
  it.each([
    ['src/model/slug.ts', '../http/client.ts'],
    ['src/site/views/name-lists.ts', '../../build/build.ts'],
    ['src/catalogue/urls.ts', '../site/fields.ts'],
    ['src/publish/site-audit.ts', '../export/bagit.ts'],
    ['src/http/gate.ts', '../../scripts/options.ts'],
    ['src/harvest/scope.ts', '../media/plan.ts'],
    ['src/snapshot/read.ts', '../http/client.ts'],
    ['scripts/build.ts', '../src/pages/index.astro'],
    ['src/site/collections.ts', '../live.config.ts'],
    ['src/pages/index.astro', '../live.config.ts'],
    ['src/build/render.ts', '../../astro.config.mjs'],
    ['src/build/render.ts', '../../tests/support.ts'],
    ['scripts/bench/bench.ts', '../../tests/support.ts'],
    ['src/build/render.ts', '../site/fields.test.ts'],
    ['src/build/render.ts', '../none/a.ts'],
    ['src/build/render.ts', '../../../elsewhere/a.ts'],
    ['src/model/slug.ts', './../http/client'],
    ['src/model/slug.ts', '/src/http/client.ts?raw'],
    ['src/build/cache/program-cache.ts', '../steps/prepare.ts'],
    ['src/build/cache/program-cache.ts', '../build.ts'],
    ['src/build/shards/shard.ts', './merge.ts'],
    ['src/reader/search/suggest.entry.ts', '../player/player.ts'],
    ['src/formats/pack-format.ts', './search/names.ts'],
    ['src/site/site.ts', './text/links'],
    ['src/site/fields/fields.ts', '../parts/cards/Card.astro'],
  ])('rejects an upward import into %s from %s, and prints the order of the layers', (path, from) => {
    const frontmatter = path.endsWith('.astro') ? '---\n' : '';
    expect(findingsIn({ [path]: frontmatter + importing(from) + frontmatter })).toEqual([
      expect.stringMatching(
        /^\S+:[12] imports \S+\. Imports must go downward\. The order of the layers is: scripts, pages → build\/dev, build\/update, project → build → .* → platform\./,
      ),
    ]);
  });

  it.each([
    ['src/build/build.ts', '../search/index.ts'],
    ['src/build/build.ts', './steps/prepare.ts'],
    ['src/build/cache/build-caches.ts', '../shards/shard.ts'],
    ['src/site/parts/cards/card.ts', '../../pages/term/term.ts'],
    ['src/site/text/links.ts', '../site'],
    ['src/export/bagit.ts', '../publish/site-audit.ts'],
    ['src/search/documents.ts', '../site/fields.ts'],
    ['src/site/views/name-lists.ts', '../../model/slug.ts'],
    ['src/site/views/name-lists.ts', '../fields.ts'],
    ['src/site/fields.test.ts', '../build/build.ts'],
    ['src/model/version.ts', '../../package.json'],
    ['src/model/slug.ts', 'astro/config'],
    ['src/live.config.ts', './site/collections.ts'],
    ['astro.config.mjs', './scripts/dev.ts'],
    ['tests/core/build.test.ts', '../astro.config.mjs'],
  ])('accepts an import into %s from %s', (path, from) => {
    expect(findingsIn({ [path]: importing(from) })).toEqual([]);
  });

  it.each([
    ['a type', "import type { A } from '../site/x.ts';"],
    ['for its effect', "import '../site/x.ts';"],
    ['to export it again', "export { a } from '../site/x.ts';"],
    ['everything to export it again', "export * from '../site/x.ts';"],
    ['at run time', "const a = await import('../site/x.ts');"],
    ['as a type in place', "let a: import('../site/x.ts').A;"],
    ['as the type of a module', "let a: typeof import('../site/x.ts');"],
    ['with require', "const a = require('../site/x.ts');"],
    ['as a namespace of CommonJS', "import a = require('../site/x.ts');"],
    ['as a reference', '/// <reference path="../site/x.ts" /> // cited-ok: a test'],
  ])('an import is reported that takes %s', (_, text) => {
    expect(findingsIn({ 'src/model/a.ts': text })).toEqual([expect.stringMatching(/^src\/model\/a\.ts:1 imports src\/site\//)]);
  });

  it.each([
    ['the frontmatter', "---\n\nimport '../build/x.ts';\n---\n<p></p>\n"],
    ['a script', "---\n---\n<script>\nimport '../build/x.ts';\n</script>\n"],
    ['a script after one without a body', "<script src={a} />\n<script>\n\nimport '../build/x.ts';\n</script>\n"],
    ['the address of a script', '---\n---\n<script src="../build/x.ts"></script>\n'],
    ['an expression', "---\n---\n<p>{(await import('../build/x.ts')).a}</p>\n"],
  ])('an import is reported in %s of a component', (_, text) => {
    expect(findingsIn({ 'src/site/A.astro': text })).toEqual([
      expect.stringMatching(/^src\/site\/A\.astro:[34] imports src\/build\//),
    ]);
  });

  it.each([
    ['a comment', "// import '../site/x.ts'; cited-ok: a test\n"],
    ['a text', 'const a = "import(\'../site/x.ts\')";\n'],
  ])('%s is not an import', (_, text) => {
    expect(findingsIn({ 'src/model/a.ts': text })).toEqual([]);
  });

  it('a directory of src that no level has is reported', () => {
    expect(findingsIn({ 'src/other/a.ts': '' })).toEqual([expect.stringContaining('add it to LEVELS in scripts/lint/layers.ts')]);
  });
});
