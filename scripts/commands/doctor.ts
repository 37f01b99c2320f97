/** `microfiche doctor`: says what this machine lacks, and what for. */
import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { freeDiskSpace } from '../../src/platform/disk-space.ts';
import { findProgram } from '../../src/platform/find-program.ts';
import { formatBytes } from '../../src/platform/quantities.ts';

/** A program, or data of one, that npm does not install. */
export interface Need {
  name: string;
  /** The Debian package that has it, if that has another name. */
  package?: string;
  /** What it is needed for. */
  purpose: string;
  /** The directory of its data, if it is no program. */
  directory?: string;
  /** Arguments with which it exits immediately with 0 if it can run. Undefined for Unix programs, which share none. */
  check?: readonly string[];
}

/** Everything that is used if it is installed. All else comes with npm. */
export const NEEDS = [
  { name: 'ffmpeg', purpose: 'posters of videos, waveforms of recordings', check: ['-version'] },
  { name: 'heif-thumbnailer', purpose: 'images from phones (HEIC)' }, // has no option that exits with 0
  { name: 'pdftoppm', package: 'poppler-utils', purpose: 'images of PDF pages', check: ['-v'] },
  { name: 'pdftotext', package: 'poppler-utils', purpose: 'the text of PDF transcripts', check: ['-v'] },
  { name: 'poppler-data', purpose: 'PDF files in Chinese, Japanese and Korean', directory: '/usr/share/poppler/cMap' },
  { name: 'ssh-keygen', package: 'openssh-client', purpose: 'signatures: --sign, --signers' },
  { name: 'zimwriterfs', package: 'zim-tools', purpose: 'export zim --fulltext', check: ['--version'] },
  { name: 'git', purpose: 'automatic updates that publish the site from a repository', check: ['--version'] },
] as const satisfies readonly Need[];

/** Runs the command `doctor`. What is missing is no failure: all commands work without it, and say what they left out. */
export function examineMachine() {
  const isInstalled = ({ name, directory }: Need) =>
    directory === undefined ? findProgram(name) !== undefined : existsSync(directory);
  const needs = NEEDS.map(({ check: _, ...need }: Need) => ({ package: need.name, ...need }));
  const { found = [], missing = [] } = Object.groupBy(needs, (need) => (isInstalled(need) ? 'found' : 'missing'));
  const disks = [process.cwd(), tmpdir()].map((directory) => ({ directory, free: freeDiskSpace(directory) }));
  const machine = { node: process.version, platform: process.platform, cores: availableParallelism(), memory: totalmem() };
  return {
    report: { ...machine, found: found.map(({ name }) => name), missing, disks },
    lines: [
      `Node.js ${machine.node.slice(1)} on ${machine.platform}, ${machine.cores} cores, ${formatBytes(machine.memory)} of memory.`,
      ...(found.length > 0 ? [`Installed: ${found.map(({ name }) => name).join(', ')}.`] : []),
      ...missing.map(
        ({ name, package: source, purpose }) => `Missing: ${name}, for ${purpose}. On Debian: apt install ${source}`,
      ),
      ...(missing.length === 0 ? ['Nothing is missing.'] : []),
      ...disks.map(({ directory, free }) => `Free disk space in ${directory}: ${formatBytes(free)}.`),
    ],
  };
}
