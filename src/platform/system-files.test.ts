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
])('%s is of an operating system', (path) => {
  expect(isSystemPath(path)).toBe(true);
  expect(adviceOnSystemFile(path)).toContain('delete');
});

it.each(['index.html', 'objects/a.DS_Store.html', 'media/desktop.init', '.microfiche', 'thumbs/x.webp'])('%s is not', (path) => {
  expect(isSystemPath(path)).toBe(false);
  expect(adviceOnSystemFile(path)).toBe('');
});
