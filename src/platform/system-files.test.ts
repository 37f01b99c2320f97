import { expect, it } from 'vitest';
import { adviceOnSystemFile, isSystemPath } from './system-files.ts';

it.each([
  '.DS_Store',
  'objects/._index.html',
  'objects/Thumbs.db',
  'Desktop.ini',
  '.Trash-1000/files/a.html',
  'System Volume Information/x',
  'LOST.DIR/1',
  '$RECYCLE.BIN/S-1-5-21/$I1.html',
  'Thumbs.db:encryptable',
  'lost+found',
  '__MACOSX/bag/._bagit.txt',
  'Icon\r',
  '~$letter.docx',
  'objects/.~lock.list.odt#',
  '.VolumeIcon.icns',
  '.fuse_hidden0000000100000001',
  '.nfs0000000000012ab',
  '@eaDir/x.jpg/SYNOPHOTO_THUMB_M.jpg',
  '#recycle/a.html',
  'FOUND.000/FILE0000.CHK',
])('%s is of an operating system', (path) => {
  expect(isSystemPath(path)).toBe(true);
  expect(adviceOnSystemFile(path)).toContain('delete');
});

it.each([
  'index.html',
  'objects/a.DS_Store.html',
  'media/desktop.init',
  '.microfiche',
  'thumbs/x.webp',
  'xDS_Store',
  'lostfound',
  'found.html',
])('%s is not', (path) => {
  expect(isSystemPath(path)).toBe(false);
  expect(adviceOnSystemFile(path)).toBe('');
});
