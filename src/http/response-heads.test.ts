import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { repairResponseHeads } from './response-heads.ts';

/** Returns what a socket gives that receives these bytes. */
function readRepaired(...received: string[]): string {
  const chunks = received.map((text) => Buffer.from(text, 'latin1'));
  const socket = { read: () => chunks.shift() ?? null, write: () => true };
  repairResponseHeads(socket as object as Socket);
  socket.write();
  return received.map(() => (socket.read() as Buffer | null)?.toString('latin1') ?? '').join('');
}

it('repairs the status lines of old servers', () => {
  expect(readRepaired('HTTP/2  0200\r\n\r\n')).toBe('HTTP/1.1 200 \r\n\r\n');
  expect(readRepaired('ICY 200 OK\r\n\r\n')).toBe('HTTP/1.1 200 OK\r\n\r\n');
  expect(readRepaired('HTTP/1.0 404 Not here\r\n\r\n')).toBe('HTTP/1.0 404 Not here\r\n\r\n');
});

it('takes linear time', () => {
  const before = process.cpuUsage();
  for (const line of [`HTTP/${'1'.repeat(200_000)}`, `HTTP/1.1 ${'0'.repeat(200_000)}`, `${'\ufeff'.repeat(200_000)}HTTP/1.1`])
    readRepaired(`${line}\r\n\r\n`);
  readRepaired('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', ...'f'.repeat(20_000));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(5);
});
