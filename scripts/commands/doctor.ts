/** `microfiche doctor`: says what this machine lacks, and what for. */
import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { freeDiskSpace } from '../../src/platform/disk-space.ts';
import { findProgram } from '../../src/platform/find-program.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import type { Flags } from '../options/options.ts';

interface Need {
  name: string;
  /** The Debian package that has it. */
  package: string;
  /** What cannot be done without it. */
  purpose: string;
  /** The directory of its data, if it is no program. */
  directory?: string;
}

/** Everything that is used if it is installed. All else comes with npm. */
const NEEDS: readonly Need[] = [
  { name: 'ffmpeg', package: 'ffmpeg', purpose: 'posters of videos, waveforms of recordings' },
  { name: 'heif-thumbnailer', package: 'heif-thumbnailer', purpose: 'images from phones (HEIC)' },
  { name: 'pdftoppm', package: 'poppler-utils', purpose: 'images of PDF pages' },
  { name: 'pdftotext', package: 'poppler-utils', purpose: 'the text of PDF transcripts' },
  {
    name: 'poppler-data',
    package: 'poppler-data',
    purpose: 'PDF files in Chinese, Japanese and Korean',
    directory: '/usr/share/poppler/cMap',
  },
  { name: 'ssh-keygen', package: 'openssh-client', purpose: 'signatures: --sign, --signers' },
  { name: 'zimwriterfs', package: 'zim-tools', purpose: 'export zim --fulltext' },
  { name: 'git', package: 'git', purpose: 'automatic updates that publish the site from a repository' },
];

/** Runs the command `doctor`. What is missing is no failure: all commands work without it, and say what they left out. */
export function examineMachine({ json }: Flags<'doctor'>): void {
  const isInstalled = ({ name, directory }: Need) =>
    directory === undefined ? findProgram(name) !== undefined : existsSync(directory);
  const { found = [], missing = [] } = Object.groupBy(NEEDS, (need) => (isInstalled(need) ? 'found' : 'missing'));
  const disks = [process.cwd(), tmpdir()].map((directory) => ({ directory, free: freeDiskSpace(directory) }));
  const machine = { node: process.version, platform: process.platform, cores: availableParallelism(), memory: totalmem() };
  if (json) console.log(JSON.stringify({ ...machine, found: found.map(({ name }) => name), missing, disks }));
  else
    for (const line of [
      `Node.js ${machine.node.slice(1)} on ${machine.platform}, ${machine.cores} cores, ${formatBytes(machine.memory)} of memory.`,
      ...(found.length > 0 ? [`Installed: ${found.map(({ name }) => name).join(', ')}.`] : []),
      ...missing.map(
        ({ name, package: source, purpose }) => `Missing: ${name}, for ${purpose}. On Debian: apt install ${source}`,
      ),
      ...(missing.length === 0 ? ['Nothing is missing.'] : []),
      ...disks.map(({ directory, free }) => `Free disk space in ${directory}: ${formatBytes(free)}.`),
    ])
      console.log(line);
}
