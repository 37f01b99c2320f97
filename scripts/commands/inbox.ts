/** `microfiche inbox`: lists what readers sent, by record. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createVisibleStore } from '../../src/catalogue/read/visible-store.ts';
import { UserError } from '../../src/model/errors.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { replaceFile } from '../../src/platform/replace-file.ts';
import { toSafeDirectory } from '../../src/platform/safe-directory.ts';
import { toPrintable } from '../../src/platform/text-lines.ts';
import { INBOX_FILES, summarize } from '../../src/publish/inbox/inbox-files.ts';
import { readInbox } from '../../src/publish/inbox/read-inbox.ts';
import { hasSnapshot, openSnapshot } from '../../src/snapshot/store.ts';
import { readConfiguredWithholding } from '../options/config.ts';
import type { Flags } from '../options/options.ts';

/** Runs the command `inbox`. Returns its exit code. */
export async function listContributions(paths: string[], flags: Flags<'inbox'>, command: Command): Promise<number> {
  const { to, force, json, snapshot } = flags;
  const existing = to === undefined ? [] : Object.keys(INBOX_FILES).filter((name) => existsSync(join(to, name)));
  if (existing.length > 0 && !force)
    throw new UserError(`${to} has ${existing.join(', ')}. Name another directory with --to, or replace them with --force.`);
  const compares = hasSnapshot(snapshot) || command.getOptionValueSource('snapshot') === 'cli';
  using store = compares ? openSnapshot(snapshot) : undefined;
  const withholding = await readConfiguredWithholding();
  const inbox = readInbox(paths, store && createVisibleStore(store, { withholding, publicOnly: true }));
  if (to !== undefined) {
    mkdirSync(to, { recursive: true });
    const directory = toSafeDirectory(to);
    for (const [name, format] of Object.entries(INBOX_FILES)) replaceFile(directory, name, format(inbox));
  }
  const { problems, subjects } = inbox;
  if (json) console.log(JSON.stringify(inbox));
  else {
    console.log(summarize(inbox));
    for (const { subject, state, count } of subjects)
      console.log(`  ${toPrintable(subject.id)}: ${count}${state === 'unknown' || state === 'unchanged' ? '' : ` (${state})`}`);
    for (const { file, problem } of problems) console.log(`Not read: ${toPrintable(`${file}: ${problem}`)}`);
    if (to !== undefined) console.log(`Listed in ${Object.keys(INBOX_FILES).join(', ')} in ${to}.`);
  }
  return problems.length === 0 ? EXIT_CODES.success : EXIT_CODES.incomplete;
}
