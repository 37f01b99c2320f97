import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { encodeText } from '../../tests/support/encode-text.ts';
import { containsWithheldNames } from './withheld-names.ts';

const directory = mkdtempSync(join(tmpdir(), 'microfiche-names-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const file = join(directory, 'file');
const filter = {
  hides: () => false,
  mayConcern: () => true,
  redact: (_kind: unknown, _name: unknown, payload: unknown) => payload,
  hidesMedia: () => false,
  redactText: (text: string) => text.replace(/岡田花子|Inés Peña|Čapek/g, '[withheld]'),
};
const contains = (bytes: Uint8Array, mimetype: string | null = 'text/plain', withheld: object = { filter }) => {
  writeFileSync(file, bytes);
  return containsWithheldNames(withheld, file, mimetype);
};

it.each(['UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'SHIFT_JIS', 'EUC-JP', 'ISO-2022-JP', 'GB18030', 'BIG5'])(
  'finds a Japanese name in %s, in a text and in a file of unknown type',
  (charset) => {
    for (const type of ['text/plain', 'text/html', 'application/octet-stream', 'application/xml', null]) {
      expect(contains(encodeText('聞手：岡田花子\n', charset), type)).toBe(true);
      expect(contains(encodeText('聞手：山本太郎\n', charset), type)).toBe(false);
    }
  },
);

it.each(['CP1252', 'MACINTOSH', 'ISO-8859-15', 'UTF-16BE'])('finds a Western name in %s', (charset) => {
  expect(contains(encodeText('Spoken by Inés Peña in 1987.', charset))).toBe(true);
});

it('finds a name in CP1250, and in long UTF-8', () => {
  expect(contains(encodeText('Povídka. Karel Čapek', 'CP1250'))).toBe(true);
  expect(contains(Buffer.from(`${'港の村です。\n'.repeat(500)}岡田花子`))).toBe(true);
});

it('finds a name with markup or entities in it', () => {
  expect(contains(Buffer.from('<p>岡田<b>花子</b></p>'), 'text/html')).toBe(true);
  expect(contains(Buffer.from('<p>In&eacute;s Pe&#241;a</p>'), 'text/html')).toBe(true);
});

it('finds a name whose words have times of their own, or are in two captions', () => {
  const vtt = (words: string) => Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n`);
  expect(contains(vtt('by Inés<00:00:01.500><c> Peña</c>'), 'text/vtt')).toBe(true);
  expect(contains(vtt('by Inés\n\n00:02.000 --> 00:03.000\nPeña'), 'text/vtt')).toBe(true);
  expect(contains(vtt('by Inés<00:00:01.500><c> Sosa</c>'), 'text/vtt')).toBe(false);
  const words = ['Inés', 'Peña'].map((content) => ({ start_time: '1', end_time: '2', alternatives: [{ content }] }));
  expect(contains(Buffer.from(JSON.stringify({ results: { items: words } })))).toBe(true);
});

it('looks neither into images and recordings, nor at all if no name is withheld', () => {
  expect(contains(Buffer.from('岡田花子'), 'image/jpeg')).toBe(false);
  expect(contains(Buffer.from('岡田花子'), 'image/svg+xml')).toBe(true);
  expect(contains(Buffer.from('岡田花子'), 'text/plain', {})).toBe(false);
});

it('takes little time for any bytes', () => {
  const bytes = Buffer.alloc(300_000, Buffer.from([0x82, 0xa0, 0xe9, 0x3c, 0x26, 0x1b]));
  const start = process.cpuUsage();
  contains(bytes);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000);
});
