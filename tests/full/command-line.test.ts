/** The command line where people use it: completions in the shells themselves, the man page in `man`, progress on a terminal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { createProgram } from '../../scripts/commands.ts';
import { manPage } from '../../scripts/package/man-page.ts';
import { programFile } from '../../scripts/setup/programs.ts';
import { createTestDirectory, ROOT, runMicrofiche, runMicroficheJson, SAMPLE } from '../support/commands.ts';

/** Writes the script of a shell. Returns its path. */
async function writeScript(shell: string): Promise<string> {
  const { code, stdout } = await runMicrofiche(['completion', shell]);
  expect(code).toBe(0);
  const file = join(createTestDirectory(), shell);
  writeFileSync(file, stdout);
  return file;
}

const BASH = `source "$0"
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _microfiche; echo "\${COMPREPLY[*]}"; }
complete_words microfiche exp
complete_words microfiche export ''
complete_words microfiche harvest --sn
complete_words microfiche --v
complete_words microfiche export tables x
complete_words microfiche media --video ''
complete_words microfiche media --kinds im
complete -p microfiche`;

it('completes commands, formats and options in bash', async () => {
  const { stdout } = await execa('bash', ['--norc', '-c', BASH, await writeScript('bash')]);
  expect(stdout.split('\n')).toEqual([
    'export',
    'bagit wacz zim tables iiif api ead site',
    '--snapshot',
    '--version',
    '', // the rest are names of files
    'mp4 smallest original',
    'image',
    'complete -o bashdefault -o default -F _microfiche microfiche',
  ]);
});

// A terminal of zsh itself. Each key is sent when the one before has been answered.
const ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -U compinit; compinit -u -D; zstyle ':completion:*' menu no; PS1=; source $1; print REA''DY"
zpty -r -m shell seen '*READY*'
for typed expected in 'exp' 'export ' 'export wac' 'wacz' 'harvest --snaps' '--snapshot' 'media --video sm' 'smallest'; do
  zpty -w -n shell $'\\x15'"microfiche $typed"$'\\t'
  zpty -r -m shell seen "*$expected*"
done
zpty -d shell
print completed`;

it('completes commands, formats and options in zsh', async () => {
  const { stdout } = await execa(programFile('zsh'), ['-f', '-c', ZSH, 'zsh', await writeScript('zsh')], {
    env: { TERM: 'dumb' },
  });
  expect(stdout).toBe('completed');
});

it('completes commands, formats and options in fish, with what they are', async () => {
  const typed = ['exp', 'export wa', 'harvest --snaps', 'media --video sm'].map((words) => `complete -C 'microfiche ${words}'`);
  const home = createTestDirectory();
  const script = await writeScript('fish');
  const { stdout } = await execa(programFile('fish'), ['--no-config', '-c', `source ${script}; ${typed.join('; ')}`], {
    env: { HOME: home },
  });
  expect(stdout.split('\n')).toEqual([
    'export\tWrite a package that other programs open',
    'wacz',
    '--snapshot\tSnapshot directory',
    'smallest\tFile of each video: mp4, smallest, original',
  ]);
});

it('prints the script as JSON, and names the shells that it knows', async () => {
  const { shell, script } = await runMicroficheJson<{ shell: string; script: string }>(['completion', 'powershell']);
  expect([shell, script]).toEqual([
    'powershell',
    expect.stringContaining('Register-ArgumentCompleter -Native -CommandName microfiche'),
  ]);
  const { code, stderr } = await runMicrofiche(['completion', 'ksh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish, powershell.')]);
});

it('has a man page without mistakes, with each command and option', async () => {
  const file = join(createTestDirectory(), 'microfiche.1');
  writeFileSync(file, manPage(createProgram()));
  const { stdout, stderr } = await execa(programFile('man'), ['--warnings', '-l', file], {
    env: { LC_ALL: 'C.UTF-8', MANWIDTH: '200', MAN_KEEP_FORMATTING: '' },
  });
  expect(stderr).toBe('');
  const words = new Set(stdout.split(/[\s,]+/));
  const expected = createProgram().commands.flatMap((command) => [
    command.name(),
    ...command.options.map(({ long }) => long ?? ''),
  ]);
  expect(expected.filter((word) => !words.has(word))).toEqual([]);
});

it.each<[string, Record<string, string>, boolean]>([
  ['a bar on a terminal', {}, true],
  ['lines on a terminal without colors', { NO_COLOR: '1' }, false],
  ['lines on a terminal that cannot move its cursor', { TERM: 'dumb' }, false],
])('draws progress as %s', async (_, env, isDrawn) => {
  const command = `'${process.execPath}' '${join(ROOT, 'scripts/bin.mjs')}' verify --snapshot '${SAMPLE}'`;
  const { stdout } = await execa(programFile('script'), ['-q', '-e', '-c', command, '/dev/null'], {
    env: { TERM: 'xterm', NO_COLOR: '', ...env },
    stdin: 'ignore',
  });
  expect(stdout).toContain('Snapshot');
  expect(stdout.includes('\u001b')).toBe(isDrawn);
});
