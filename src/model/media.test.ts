import { describe, expect, it } from 'vitest';
import { chooseFiles, filesOf, lengthOf, type MediaKind } from './media.ts';
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

  it('are its videos, the best to play first, one sound and the original', () => {
    const files = {
      ...file('mpg', 'video/mpeg', 'original'),
      ...file('ogv', 'video/ogg'),
      ...file('mp4', 'video/mp4'),
      ...file('mp3', 'audio/mpeg'),
    };
    expect(kinds({ ia_meta: { files } })).toEqual(['video x.mp4', 'video x.ogv', 'audio x.mp3', 'original x.mpg']);
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

describe('of those files', () => {
  const sized = (format: string, mimetype: string, size: number, source?: string) => {
    const named = file(format, mimetype, source);
    return { [format]: { ...named[format], size: String(size) } };
  };
  const files = {
    ...sized('mpg', 'video/mpeg', 900, 'original'),
    ...sized('ogv', 'video/ogg', 100),
    ...sized('mp4', 'video/mp4', 500),
    ...sized('mp3', 'audio/mpeg', 50),
  };
  it.each([
    ['video', 'mp4', ['x.mp4']],
    ['video', 'smallest', ['x.ogv']],
    ['video', 'original', ['x.mpg']],
    ['original', 'mp4', ['x.mpg']],
    ['audio', 'mp4', ['x.mp3']],
    ['video,original', 'original', ['x.mpg']],
    ['thumb', 'mp4', []],
  ] as const)('%s with --video %s are %j', (wanted, video, names) => {
    const chosen = chooseFiles(filesOf(recordOf({ ia_meta: { files } })), new Set(wanted.split(',') as MediaKind[]), video);
    expect(chosen.map(({ url }) => url.split('/').at(-1))).toEqual(names);
  });

  it('each knows what is said of it', () => {
    const own = { id: 'demo-org-1-1-master-0123456789', sha1: 'ab'.repeat(20), size: '7', mimetype: 'image/tiff' };
    const [img, download] = filesOf(
      recordOf({ ...own, model: 'file', links: { img: 'https://m.example/a', download: 'https://m.example/d' } }),
    );
    expect(img?.declared).toMatchObject({ size: undefined, sums: {}, sha1Prefix: undefined });
    expect(download?.declared).toMatchObject({
      size: 7,
      sums: { sha1: own.sha1 },
      sha1Prefix: '0123456789',
      mimetype: 'image/tiff',
    });
    const [same] = filesOf(
      recordOf({ ...own, model: 'file', links: { img: 'https://m.example/d', download: 'https://m.example/d' } }),
    );
    expect(same).toMatchObject({ kind: 'image', declared: { sha1Prefix: '0123456789' } });
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
