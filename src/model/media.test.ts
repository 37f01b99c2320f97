import { describe, expect, it } from 'vitest';
import { filesOf, lengthOf } from './media.ts';
import { readRecord } from './records.ts';

function recordOf(more: Record<string, unknown>) {
  const record = readRecord({ id: 'demo-org-1-1-1', ...more });
  if (!record) throw new Error('no record');
  return record;
}
const file = (format: string, mimetype: string, source = 'derivative') => ({
  [format]: { format, mimetype, source, url: `https://m.example/x.${format}` },
});
const kinds = (more: Record<string, unknown>) =>
  filesOf(recordOf(more)).map(({ kind, url }) => `${kind} ${url.split('/').at(-1)}`);

describe('the files of a record', () => {
  it('are the picture, and a thumbnail that is another address', () => {
    expect(kinds({ links: { img: 'https://m.example/a', thumb: 'https://m.example/t' } })).toEqual(['image a', 'thumb t']);
    expect(kinds({ links: { img: 'https://m.example/a', thumb: 'https://m.example/a' } })).toEqual(['image a']);
  });

  it('are one video, one sound and the original', () => {
    const files = {
      ...file('mpg', 'video/mpeg', 'original'),
      ...file('ogv', 'video/ogg'),
      ...file('mp4', 'video/mp4'),
      ...file('mp3', 'audio/mpeg'),
    };
    expect(kinds({ ia_meta: { files } })).toEqual(['video x.mp4', 'audio x.mp3', 'original x.mpg']);
  });

  it('name an original that plays once', () => {
    expect(kinds({ ia_meta: { files: file('mp3', 'audio/mpeg', 'original') } })).toEqual(['audio x.mp3']);
  });

  it('are none where the recording may only be played from its own host', () => {
    expect(kinds({ ia_meta: { stream_only: true, files: file('mp4', 'video/mp4') } })).toEqual([]);
  });

  it.each([
    ['transcript', 'transcript'],
    ['gloss', 'transcript'],
    ['master', 'original'],
  ])('of the role %s are downloaded as %s', (role, kind) => {
    expect(kinds({ role, links: { download: 'https://m.example/d' } })).toEqual([`${kind} d`]);
  });
});

describe('the length of a recording', () => {
  it.each([
    [{ format: 'vh', extent: '01:02:03' }, 3723],
    [{ ia_meta: { files: { mp4: { length: '61.5' } } } }, 61.5],
    [{ format: 'vh', extent: '00:02:00', ia_meta: { files: { mp4: { length: '61.5' } } } }, 120],
    [{ format: 'img', extent: '6 x 4 inches' }, undefined],
    [{ format: 'doc', extent: '02:30' }, undefined],
    [{ format: 'vh', extent: '2' }, undefined],
  ])('of %j is %s', (more, seconds) => expect(lengthOf(recordOf(more))).toBe(seconds));
});
