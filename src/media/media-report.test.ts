import { expect, it } from 'vitest';
import { firstCause } from './media-report.ts';

it('says of a file that differs in everything only the first', () => {
  const cause =
    'it has 303 bytes, but demo-1 declares 338350; its CRC-32 is y, but demo-1 declares x; its MD5 is y, but demo-1 declares x';
  expect(firstCause({ cause })).toBe('it has 303 bytes, but demo-1 declares 338350');
  expect(firstCause({ cause: 'HTTP 404' })).toBe('HTTP 404');
});
