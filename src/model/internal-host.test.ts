import { expect, it } from 'vitest';
import { isInternalHost } from './internal-host.ts';

it.each([
  'media',
  'media:8000',
  'media.local',
  'media.local:8080',
  'media.local.',
  'MEDIA.LOCAL',
  'a.b.localdomain',
  'nas.lan',
  'files.archive.internal',
  'printer.home.arpa',
  '10.0.4.2',
  '192.168.1.2:8000',
  '172.16.0.9',
  '169.254.1.1',
  '100.64.0.1',
  '[fd00::1]:80',
  '[fe80::1]',
  '[::ffff:10.0.0.1]',
])('%s is a host that only its own network reaches', (host) => expect(isInternalHost(host)).toBe(true));

it.each([
  'archive.example',
  'local.archive.example',
  'archive.example.',
  'media.localhost',
  'localhost:8000',
  '127.0.0.1:8000',
  '8.8.8.8',
  '[2606:4700::1111]',
  'lan.example',
])('%s may be reached', (host) => expect(isInternalHost(host)).toBe(false));

it('no text that is not a host is internal', () => {
  expect(['', '[x]', 'a b/c', 'x:y:z'].map(isInternalHost)).toEqual([false, false, false, false]);
});
