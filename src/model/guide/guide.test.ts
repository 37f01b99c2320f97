import { expect, it } from 'vitest';
import { readSource } from './guide.ts';

it.each([
  ['//files.example/a b.jpg', 'https://files.example/a%20b.jpg'],
  ['HTTP://Files.example/ä.jpg', 'http://files.example/%C3%A4.jpg'],
  ['/media/a.jpg', 'https://guide.example/media/a.jpg'],
  ['https://guide.example/media/', undefined],
])('of a source, the address %j is read as a browser reads it', (address, url) => {
  const links = { json: 'https://guide.example/api/3.0/sources/s-1/', img: address };
  expect(readSource({ id: 's-1', streaming_url: address, links })).toMatchObject({ imageUrl: url, recordingUrl: url });
});

it('a path on a streaming server is no address', () => {
  const links = { json: 'https://guide.example/api/3.0/sources/s-1/' };
  expect(readSource({ id: 's-1', streaming_url: 'stream/guide/a.mp4', links })?.recordingUrl).toBe('stream/guide/a.mp4');
});
