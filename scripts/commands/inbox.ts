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

/** Runs the command `inbox`. */
export async function listContributions(paths: string[], flags: Flags<'inbox'>, command: Command) {
  const { to, force, snapshot } = flags;
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
  const lines = [
    summarize(inbox),
    ...subjects.map(({ subject, state, count }) => {
      const change = state === 'unknown' || state === 'unchanged' ? '' : ` (${state})`;
      return `  ${toPrintable(subject.id)}: ${count}${change}`;
    }),
    ...problems.map(({ file, problem }) => `Not read: ${toPrintable(`${file}: ${problem}`)}`),
    ...(to === undefined ? [] : [`Listed in ${Object.keys(INBOX_FILES).join(', ')} in ${to}.`]),
  ];
  return { report: inbox, lines, exitCode: problems.length === 0 ? EXIT_CODES.success : EXIT_CODES.incomplete };
}
