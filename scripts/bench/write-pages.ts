/** Only writes finished pages: the floor of their benchmark. Arguments: a file of all pages, its index, the directory. */
import { closeSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [pages, index, out] = process.argv.slice(2) as [string, string, string];
mkdirSync(out, { recursive: true });
const file = openSync(pages, 'r');
for (const [name, length] of JSON.parse(readFileSync(index, 'utf8')) as Array<[string, number]>) {
  const page = Buffer.allocUnsafe(length);
  readSync(file, page);
  writeFileSync(join(out, name), page);
}
closeSync(file);
