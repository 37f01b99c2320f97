import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CopiedFile } from './copied-files.ts';
import { createDerivativeCache } from './derivative-cache.ts';
import { exportTexts } from './text-exports.ts';

/** Exports a file, and returns what its exports say by their paths. Each call of what this returns may withhold other names. */
function createExporter(content: string, { path, mimetype }: { path: string; mimetype: string }) {
  const directory = mkdtempDisposableSync(join(tmpdir(), 'text-exports-'));
  mkdirSync(join(directory.path, 'media'));
  writeFileSync(join(directory.path, path), content);
  const cache = createDerivativeCache(join(directory.path, 'cache'));
  const file: CopiedFile = {
    path,
    snapshotPath: path,
    mimetype,
    size: 1,
    sha256: 'a',
    verifiedAlgorithms: [],
    isDownloadable: true,
  };
  const run = async (redactText?: (text: string) => string) => {
    const target = { ...file };
    const filter = redactText && { redactText };
    const store = { dir: directory.path, ...(filter && { filter }) } as unknown as Parameters<typeof exportTexts>[2];
    const files = await exportTexts(target, { sha256: 'a', owner: 'demo-a-1-1' }, store, cache);
    expect(target.exports?.map((each) => each.path) ?? []).toEqual([...files.keys()]);
    return { target, texts: new Map([...files].map(([name, on]) => [name, readFileSync(on, 'utf8')])) };
  };
  return { run, [Symbol.dispose]: () => directory.remove() };
}

it('writes no name that is withheld, also if it is escaped in the file, and was written before', async () => {
  const json = String.raw`{"text": "", "segments": [{"start": 0, "end": 1.5, "text": "Ren\u00e9e left."}]}`;
  using exporter = createExporter(json, { path: 'media/a.transcript.json', mimetype: 'text/plain' });
  const vtt = (words: string) =>
    new Map([['media/a.transcript.json.captions.vtt', `WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n${words}\n`]]);
  expect((await exporter.run()).texts).toEqual(vtt('Renée left.'));
  const redact = (text: string) => text.replaceAll('Renée', '[withheld]');
  expect((await exporter.run(redact)).texts).toEqual(vtt('[withheld] left.'));
  expect((await exporter.run()).texts).toEqual(vtt('Renée left.'));
});

it('withholds names in the index, and in its places', async () => {
  const point =
    '<point><time>5</time><title>With Ada</title><gpspoints><gps>44.6, -63.5</gps><gps_text>Ada’s quay</gps_text></gpspoints></point>';
  const ohms = `<ROOT xmlns="https://www.weareavp.com/nunncenter/ohms"><record><index>${point}</index></record></ROOT>`;
  using exporter = createExporter(ohms, { path: 'media/a.transcript.xml.txt', mimetype: 'application/x-ohms+xml' });
  const { target, texts } = await exporter.run((text) => text.replaceAll('Ada', '…'));
  expect([...texts.keys()]).toEqual(['media/a.transcript.xml.index.vtt']);
  expect(target.places).toEqual([{ id: 'demo-a-1-1', lat: 44.6, lng: -63.5, start: 5, name: '…’s quay' }]);
  expect(JSON.stringify([target, ...texts.values()])).not.toContain('Ada');
});

it.each([
  ['text/vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nYes\n'],
  ['text/plain', 'Q: When?\n\nA: In fog.'],
  ['text/html', '<p>[00:00:01] ADA: Yes.</p>'],
])('writes nothing of a file in %s that has nothing to write', async (mimetype, content) => {
  using exporter = createExporter(content, { path: 'media/a.transcript.txt', mimetype });
  const { target, texts } = await exporter.run();
  expect([target.exports, target.places, texts.size]).toEqual([undefined, undefined, 0]);
});
