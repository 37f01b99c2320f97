/** Times the first hour of a newcomer: docs/getting-started.md with the sample archive, from the npm package in an empty directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { followGuide } from '../docs/first-hour.ts';
import { COMMITTER, fetchPage, runInShell, withServer } from '../docs/shell.ts';
import { printStep, tableRow } from './format.ts';
import { ROOT } from './program.ts';

/** Packs Microfiche, follows the guide, and prints a table of all commands and edits. npm downloads packages, as it does for a newcomer. */
export async function benchFirstHour(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-first-hour-'));
  try {
    printStep('npm pack');
    await execa('npm', ['pack', '--pack-destination', directory], { cwd: ROOT });
    // npx prompts before it installs the package; a newcomer presses Enter.
    const env = { npm_config_cache: join(directory, 'npm-cache'), npm_config_yes: 'true', ...COMMITTER };
    const serveSample = `${process.execPath} scripts/microfiche.ts serve --snapshot content/sample`;
    const done = await withServer(serveSample, ROOT, (url) =>
      followGuide({
        directory,
        url: url.replace(/\/$/, ''),
        run: (command, cwd) => runInShell(command, cwd, env),
        look: (command, cwd) => withServer(command, cwd, fetchPage, env),
      }),
    );
    console.log(`\n${tableRow('step', 'command or edited file', 'seconds')}\n${tableRow('---:', '---', '---:')}`);
    for (const { step, what, seconds } of done) console.log(tableRow(String(step), `\`${what}\``, seconds.toFixed(1)));
    const total = done.reduce((seconds, act) => seconds + act.seconds, 0);
    console.log(tableRow('', `${done.length} commands and edits`, total.toFixed(1)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
