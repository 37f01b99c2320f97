import { describe, expect, it } from 'vitest';
import { parseRecord } from '../records.ts';
import { filesOfRecord, recordingDuration, selectFiles, selectUnplayable } from './media.ts';
import type { MediaKind } from './media-kinds.ts';

function createRecord(more: Record<string, unknown>) {
  const record = parseRecord({ id: 'demo-org-1-1-1', ...more });
  if (!record) throw new Error('no record');
  return record;
}
const file = (format: string, mimetype: string, source = 'derivative') => ({
  [format]: { format, mimetype, source, url: `https://m.example/x.${format}` },
});
const kinds = (more: Record<string, unknown>) =>
  filesOfRecord(createRecord(more)).map(({ kind, url }) => `${kind} ${url.split('/').at(-1)}`);

describe('filesOf', () => {
  it('returns the image, and the thumbnail if it has another URL', () => {
    expect(kinds({ links: { img: 'https://m.example/a', thumb: 'https://m.example/t' } })).toEqual(['image a', 'thumb t']);
    expect(kinds({ links: { img: 'https://m.example/a', thumb: 'https://m.example/a' } })).toEqual(['image a']);
  });

  it('returns no directory, and reads relative addresses', () => {
    const links = {
      json: 'https://m.example/api/1/',
      img: 'https://m.example/media/',
      thumb: '/t.jpg',
      download: '/media/demo-org-1/',
    };
    expect(filesOfRecord(createRecord({ links })).map(({ url }) => url)).toEqual(['https://m.example/t.jpg']);
  });

  it('returns all videos, the best supported first, one audio file and the original', () => {
    const files = {
      ...file('mpg', 'video/mpeg', 'original'),
      ...file('ogv', 'video/ogg'),
      ...file('mp4', 'video/mp4'),
      ...file('mp3', 'audio/mpeg'),
    };
    expect(kinds({ ia_meta: { files } })).toEqual(['video x.mp4', 'video x.ogv', 'audio x.mp3', 'original x.mpg']);
  });

  it('returns a playable original once', () => {
    expect(kinds({ ia_meta: { files: file('mp3', 'audio/mpeg', 'original') } })).toEqual(['audio x.mp3']);
  });

  it('returns nothing for a stream-only recording', () => {
    expect(kinds({ ia_meta: { stream_only: true, files: file('mp4', 'video/mp4') } })).toEqual([]);
  });

  it.each([
    ['transcript', 'transcript'],
    ['gloss', 'transcript'],
    ['master', 'original'],
  ])('returns a file of role %s as kind %s', (role, kind) => {
    expect(kinds({ role, links: { download: 'https://m.example/d' } })).toEqual([`${kind} d`]);
  });
});

describe('selectFiles', () => {
  const sized = (format: string, mimetype: string, size: number, source?: string) => {
    const files = file(format, mimetype, source);
    return { [format]: { ...files[format], size: String(size) } };
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
  ] as const)('selects, for kinds %s and --video %s, %j', (wanted, video, names) => {
    const chosen = selectFiles(
      filesOfRecord(createRecord({ ia_meta: { files } })),
      new Set(wanted.split(',') as MediaKind[]),
      video,
    );
    expect(chosen.map(({ url }) => url.split('/').at(-1))).toEqual(names);
  });

  it('filesOf returns what the record declares for the right file', () => {
    const own = { id: 'demo-org-1-1-master-0123456789', sha1: 'ab'.repeat(20), size: '7', mimetype: 'image/tiff' };
    const [img, download] = filesOfRecord(
      createRecord({ ...own, model: 'file', links: { img: 'https://m.example/a', download: 'https://m.example/d' } }),
    );
    expect(img?.declared).toMatchObject({ size: undefined, checksums: {}, sha1Prefix: undefined });
    expect(download?.declared).toMatchObject({
      size: 7,
      checksums: { sha1: own.sha1 },
      sha1Prefix: '0123456789',
      mimetype: 'image/tiff',
    });
    const [same] = filesOfRecord(
      createRecord({ ...own, model: 'file', links: { img: 'https://m.example/d', download: 'https://m.example/d' } }),
    );
    expect(same).toMatchObject({ kind: 'image', declared: { sha1Prefix: '0123456789' } });
  });
});

describe('selectUnplayable', () => {
  it.each([
    ['dv', undefined, true],
    ['mxf', 'application/mxf', true],
    ['rm', undefined, true],
    ['avi', undefined, true],
    ['zip', undefined, false],
    ['pdf', 'application/pdf', false],
  ])('finds an original in %s', (format, mimetype, isFound) => {
    const files = { [format]: { url: `https://m.example/x.${format}`, source: 'original', ...(mimetype && { mimetype }) } };
    expect(selectUnplayable(filesOfRecord(createRecord({ ia_meta: { files } }))) !== undefined).toBe(isFound);
  });
});

describe('lengthOf', () => {
  it.each([
    [{ format: 'vh', extent: '01:02:03' }, 3723],
    [{ ia_meta: { files: { mp4: { length: '61.5' } } } }, 61.5],
    [{ format: 'vh', extent: '00:02:00', ia_meta: { files: { mp4: { length: '61.5' } } } }, 120],
    [{ format: 'img', extent: '6 x 4 inches' }, undefined],
    [{ format: 'doc', extent: '02:30' }, undefined],
    [{ format: 'vh', extent: '2' }, undefined],
    [{ format: 'vh', extent: '62 minutes' }, 3720],
    [{ format: 'av', extent: '1 videocassette (<i>2 hrs. 5 min.</i>)' }, 7500],
    [{ format: 'img', extent: '62 minutes' }, undefined],
    [{ ia_meta: { files: { mp3: { length: 'PT1H2M' } } } }, 3720],
  ])('returns, for %j, %s', (more, seconds) => expect(recordingDuration(createRecord(more))).toBe(seconds));
});
