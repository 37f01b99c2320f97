/** Positions and names that are removed from copies of media, as ffprobe reads them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import { createTestDirectory, SAMPLE } from '../../support/commands.ts';
import { createPhotograph, stripMetadata } from '../../support/photograph.ts';

it('a JPEG has no position for ffprobe, which still reads its rights', async () => {
  const file = join(createTestDirectory(), 'a.jpg');
  await createPhotograph().jpeg().toFile(file);
  const read = (path: string) =>
    String(execFileSync(programFile('ffprobe'), ['-v', 'error', '-f', 'mjpeg', '-show_frames', path]));
  expect(read(file)).toMatch(/TAG:GPSLatitude=[\s\S]*TAG:Copyright=Museum|TAG:Copyright=Museum[\s\S]*TAG:GPSLatitude=/);
  const after = read(stripMetadata(file, 'image/jpeg', 'location'));
  expect(after).toContain('TAG:Copyright=Museum');
  expect(after).not.toContain('GPS');
});

describe('a video', () => {
  const createVideo = (...more: string[]): string => {
    const file = join(createTestDirectory(), 'a.mp4');
    const source = join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mp4');
    execFileSync(programFile('ffmpeg'), ['-v', 'error', '-i', source, '-c', 'copy', '-metadata', 'title=Ferry', ...more, file]);
    return file;
  };
  const read = (file: string) => String(execFileSync(programFile('ffprobe'), ['-v', 'error', '-show_format', file]));

  it.each([
    ['user data', ['-metadata', 'location=+60.1700+024.9400/', '-f', 'mov']],
    ['3GPP', ['-metadata', 'location=+60.1700+024.9400/', '-f', '3gp', '-an', '-c:v', 'mpeg4']],
    [
      'keys of QuickTime',
      ['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.location.ISO6709=+60.1700+024.9400/', '-f', 'mov'],
    ],
  ])('loses its position in %s, but not its title and frames', (_, options) => {
    const file = createVideo(...options);
    expect(read(file)).toContain('+60.17');
    const frames = (path: string) =>
      execFileSync(programFile('ffmpeg'), ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-']);
    const copy = stripMetadata(file, 'video/mp4', 'location');
    expect(read(copy)).not.toContain('60.17');
    expect(readFileSync(copy).includes('Ferry')).toBe(true);
    expect(frames(copy)).toEqual(frames(file));
    const bare = stripMetadata(file, 'video/mp4', 'all');
    expect(read(bare)).not.toContain('60.17');
    expect(readFileSync(bare).includes('Ferry')).toBe(false);
    expect(frames(bare)).toEqual(frames(file));
  });
});
