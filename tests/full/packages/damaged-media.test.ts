/** A media file of the snapshot that was damaged since it was received gets into no package. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, inject, it } from 'vitest';
import { createSharedDirectory, runMicrofiche } from '../../support/commands.ts';

const shared = createSharedDirectory();
const snapshot = () => join(shared.path, 'snapshot');
let damaged: string;

beforeAll(() => {
  cpSync(inject('mirror').snapshot, snapshot(), { recursive: true });
  const db = new DatabaseSync(join(snapshot(), 'snapshot.sqlite'), { readOnly: true });
  const row = db
    .prepare(
      `SELECT path FROM media WHERE state = 'stored' AND kind = 'image' AND url LIKE (SELECT value FROM meta WHERE key = 'catalog_url') || '/%'`,
    )
    .get();
  db.close();
  damaged = String(row?.['path']);
  const bytes = readFileSync(join(snapshot(), damaged));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  writeFileSync(join(snapshot(), damaged), bytes);
});

it.each([
  ['bagit', 'bag'],
  ['bagit', 'bag.zip'],
  ['wacz', 'archive.wacz'],
  ['api', 'api'],
])('is named by export %s to %s, which writes nothing', async (format, name) => {
  const to = join(shared.path, name);
  const site = format === 'api' ? ['--site', 'https://mirror.example.org'] : [];
  const { code, stderr } = await runMicrofiche(['export', format, '--snapshot', snapshot(), '--to', to, ...site]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      `microfiche: The media file ${damaged} is damaged: it is not as it was received. Run "microfiche verify --repair", then export again.`,
    ) as string,
  });
  expect(stderr).not.toMatch(/^ +at /m);
  expect(existsSync(to)).toBe(false);
  expect(readdirSync(shared.path).filter((entry) => entry.includes(`${name}.exporting-`))).toEqual([]);
});
