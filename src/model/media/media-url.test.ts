import { expect, it } from 'vitest';
import { readMediaUrl } from './media-url.ts';

const BASE = 'https://archive.example.org/api/0.2/demo-org-1/';

it.each([
  ['https://m.example.org/a.jpg', 'https://m.example.org/a.jpg'],
  ['https://m.example.org/b/../a.jpg', 'https://m.example.org/b/../a.jpg'],
  ['/media/a.jpg', 'https://archive.example.org/media/a.jpg'],
  ['../files/a.jpg', 'https://archive.example.org/api/0.2/files/a.jpg'],
  ['a.jpg', `${BASE}a.jpg`],
  ['//m.example.org/a.jpg', 'https://m.example.org/a.jpg'],
  ['HTTPS://M.example.org/A.jpg', 'https://m.example.org/A.jpg'],
  [' https://m.example.org/two words.jpg\n', 'https://m.example.org/two%20words.jpg'],
  ['https://m.example.org/写真.jpg', 'https://m.example.org/%E5%86%99%E7%9C%9F.jpg'],
  ['https:\\\\m.example.org\\a.jpg', 'https://m.example.org/a.jpg'],
])('reads the media address %j as a browser does', (value, url) => expect(readMediaUrl(value, BASE)).toBe(url));

it.each(['https://m.example.org/media/', '/media/demo-org-1/', 'https://m.example.org'])(
  'takes the directory %s for no file',
  (value) => expect(readMediaUrl(value, BASE)).toBeUndefined(),
);

it.each(['n/a', 'N/A', ' N / A ', 'Not available.', 'Unknown', '-', '?'])('takes %j for no value', (value) =>
  expect(readMediaUrl(value, BASE)).toBeUndefined(),
);

it.each([
  'see box 3/4',
  'On request. Ask the archive/library',
  'yes/no',
  '12.05.1942',
  '12/05/1942',
  'box 3, ca. 1942',
  'U.S. Navy',
  'www. archive',
])('takes the words %j for no address', (value) => expect(readMediaUrl(value, BASE)).toBe(value));

it.each([
  ['files/two words.JPEG', `${BASE}files/two%20words.JPEG`],
  ['a.mp3#t=10', `${BASE}a.mp3#t=10`],
  ['scan?id=12', `${BASE}scan?id=12`],
  ['./scans/12', `${BASE}scans/12`],
  ['/scans/12', 'https://archive.example.org/scans/12'],
  ['\\\\m.example.org\\a', 'https://m.example.org/a'],
])('reads the relative address %j', (value, url) => expect(readMediaUrl(value, BASE)).toBe(url));

it.each(['no address', 'file:///etc/passwd', 'data:image/png;base64,AAAA'])('leaves %s as it is', (value) =>
  expect(readMediaUrl(value, BASE)).toBe(value),
);

it('takes an address that ends in a slash for a file if it has a query', () => {
  expect(readMediaUrl('https://m.example.org/image/?id=1', BASE)).toBe('https://m.example.org/image/?id=1');
});

it('leaves a relative address as it is if the URL of the record is not known', () => {
  expect(readMediaUrl('/a.jpg', undefined)).toBe('/a.jpg');
});
