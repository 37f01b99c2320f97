import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { ListedEntry } from '../catalogue/entries.ts';
import { placeholder, placeholderFor } from './images.ts';

/** Returns the placeholder of a record with these fields. */
function kindOf(fields: Partial<ListedEntry>): string {
  const nothing = { genre: undefined, format: undefined, mediaUrls: [], media: [], model: 'entity' as const };
  return basename(placeholderFor({ ...nothing, ...fields }).path).slice('no-picture-'.length, -'.svg'.length);
}

it('has a placeholder for each kind of record', () => {
  const media = (kind: 'audio' | 'video') => [{ kind, url: `https://media.example/1.${kind}` }];
  expect([
    kindOf({ genre: 'photograph' }),
    kindOf({ genre: 'correspondence', format: 'doc' }),
    kindOf({ genre: 'map', format: 'img' }),
    kindOf({ genre: 'essay', format: 'doc' }),
    kindOf({ genre: 'constructor', format: 'img' }),
    kindOf({ format: 'vh', media: media('video') }),
    kindOf({ model: 'segment', media: media('audio') }),
    kindOf({ format: 'av', media: media('audio') }),
    kindOf({ format: 'av' }),
    kindOf({ model: 'file', media: media('video') }),
    kindOf({ model: 'file', mediaUrls: ['https://media.example/1.jpg'] }),
    kindOf({ model: 'file', mediaUrls: ['https://media.example/1/', 'https://media.example/1.mp3'] }),
    kindOf({ model: 'file', mediaUrls: ['https://media.example/1/', 'https://media.example/1.pdf'] }),
    kindOf({ model: 'file' }),
    kindOf({ model: 'collection' }),
    kindOf({}),
  ]).toEqual([
    'image',
    'letter',
    'map',
    'document',
    'image',
    'interview',
    'interview',
    'audio',
    'video',
    'video',
    'image',
    'audio',
    'document',
    'document',
    'collection',
    'document',
  ]);
});

it('knows the kind of a file by its extension, and then by what it is as a recording', () => {
  const media = [{ kind: 'audio' as const, url: 'https://media.example/1' }];
  const ofFile = (name: string, fields = {}) =>
    kindOf({ model: 'file', mediaUrls: [`https://media.example/${name}`], ...fields });
  const names = ['1.MP3?v=1.jpg', '1.flac', '1.avi', '1.docx#page=2', '1.jpg', 'mp3'];
  expect(names.map((name) => ofFile(name))).toEqual(['audio', 'audio', 'video', 'document', 'image', 'image']);
  expect(['stream', '1.wave?x'].map((name) => ofFile(name, { media }))).toEqual(['audio', 'audio']);
});

it('looks for the extension of a long URL in little time', () => {
  const start = process.cpuUsage();
  for (let i = 0; i < 100; i++) kindOf({ model: 'file', mediaUrls: [`https://media.example/${'a'.repeat(8_000)}/-`] });
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
});

it('has a drawing for each placeholder', () => {
  const kinds = ['image', 'document', 'letter', 'map', 'interview', 'audio', 'video', 'collection', 'person', 'guide'] as const;
  for (const kind of kinds) expect(existsSync(join('public', placeholder(kind).path)), kind).toBe(true);
});
