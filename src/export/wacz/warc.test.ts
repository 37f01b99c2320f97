import { expect, it } from 'vitest';
import { getSurt } from 'warcio';
import { surtOf, toTargetUri } from './warc.ts';

it.each([
  ['http://h.example/a b/é.jpg', 'http://h.example/a%20b/%C3%A9.jpg'],
  ['http://h.example/a?x=1#now', 'http://h.example/a?x=1'],
  ['http://h.example/a%2Fb%2fc%252Fd', 'http://h.example/a%2Fb%2fc%252Fd'],
  ['http://h.example/a+b?x=1+2&q=a%20b', 'http://h.example/a+b?x=1+2&q=a%20b'],
  ['http://h.example/?b=2&a=1&a', 'http://h.example/?b=2&a=1&a'],
  ['http://h.example/x?a=b%26c=d&A=%2F', 'http://h.example/x?a=b%26c=d&A=%2F'],
  ["http://h.example/?q=é~*'()!", 'http://h.example/?q=%C3%A9~*%27()!'],
  ['http://bücher.example:80/x', 'http://xn--bcher-kva.example/x'],
  ['http://WWW2.H.EXAMPLE/a/../Path?', 'http://www2.h.example/Path?'],
  ['https://[::1]:8080/%E3%81', 'https://[::1]:8080/%E3%81'],
])('has the URI of a request of %s, and the key of the index that Webrecorder has', (url, uri) => {
  expect(toTargetUri(url)).toBe(uri);
  expect(surtOf(uri)).toBe(getSurt(uri));
});
