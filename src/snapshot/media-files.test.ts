import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MEDIA_KINDS, mediaBasePath } from '../model/media/media-kinds.ts';
import { mediaPathProblem } from './media-files.ts';

it.each([
  '../victim/x',
  'media/../victim',
  'media/../../victim',
  'media/a/../b',
  '/etc/passwd',
  'media',
  'media/a',
  'media/a/b/c',
  'media//b',
  'media/./b',
  'thumbs/a/b.webp',
  'media/a/b\0.jpg',
  'media/a\\..\\..\\b/c',
  'media/a/con.jpg',
  'media/a/b:c',
  'snapshot.sqlite',
  `media/a/${'x'.repeat(300)}`,
  '',
])('rejects %j as the path of a media file', (path) => expect(mediaPathProblem(path)).toEqual(expect.any(String)));

it('accepts a path only in the directory for its state', () => {
  expect(mediaPathProblem('media/a/b.jpg', 'stored')).toBeUndefined();
  expect(mediaPathProblem('quarantine/a/b.jpg', 'quarantined')).toBeUndefined();
  expect(mediaPathProblem('quarantine/a/b.jpg')).toBeUndefined();
  expect(mediaPathProblem('quarantine/a/b.jpg', 'stored')).toBe('its path does not begin with media/');
  expect(mediaPathProblem('media/a/b.jpg', 'quarantined')).toBe('its path does not begin with quarantine/');
});

it('accepts every path that downloads use', () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9]{1,90}$/);
  const id = fc.tuple(word, word, fc.nat(), fc.nat()).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(id, fc.constantFrom(...MEDIA_KINDS), fc.option(fc.webUrl()), (owner, kind, url) => {
      expect(mediaPathProblem(`${mediaBasePath(owner, kind, url ?? undefined)}.abcdefghij.part`, 'stored')).toBeUndefined();
    }),
  );
});
