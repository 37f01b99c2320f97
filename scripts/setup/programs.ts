/** The programs that the tests and the benchmarks start, in addition to Node.js and what npm installs. */
import { existsSync } from 'node:fs';
import { findProgram, isProgram } from '../../src/platform/find-program.ts';
import { NEEDS, type Need } from '../commands/doctor.ts';

/** A program that is not part of this project. */
export interface Program extends Need {
  /** Environment variable that may name the file to start instead. */
  variable?: string;
}

const BROWSING = 'tests that open pages in a browser';
const FAT32 = 'tests with a FAT32 file system';
const EXFAT = 'tests with an exFAT file system';
const NTFS = 'tests with an NTFS file system';
const ZIM = 'tests of ZIM files';
const PACKAGES = 'tests of packages';
const HOSTING = 'tests of web servers';
const AUTOMATION = 'tests of automatic updates';
const COMMAND_LINE = 'tests of completions and the man page';
const SMALL_DISK = 'tests on a full disk and on a read-only disk';

/** Programs that the tests need, those of `npm run test:full` too. */
const FOR_TESTS = [
  { name: 'chromium', purpose: BROWSING, check: ['--version'], variable: 'CHROMIUM' },
  { name: 'chromium-headless-shell', purpose: BROWSING, check: ['--version'], variable: 'CHROMIUM' },
  { name: 'firefox-esr', purpose: BROWSING, check: ['--version'], variable: 'FIREFOX' },
  ...NEEDS,
  { name: 'ffprobe', package: 'ffmpeg', purpose: 'the metadata of copies', check: ['-version'] },
  { name: 'xmllint', package: 'libxml2-utils', purpose: 'the schemas of finding aids and OAI-PMH', check: ['--version'] },
  { name: 'oai_pmh', package: 'libhttp-oai-perl', purpose: 'a harvest over OAI-PMH' },
  { name: 'zip', purpose: PACKAGES, check: ['-v'] },
  { name: 'unzip', purpose: PACKAGES, check: ['-v'] },
  { name: 'tar', purpose: PACKAGES, check: ['--version'] },
  { name: 'python3', purpose: PACKAGES, check: ['--version'] },
  { name: 'mkfs.vfat', package: 'dosfstools', purpose: FAT32, check: ['--help'] },
  { name: 'fsck.vfat', package: 'dosfstools', purpose: FAT32, check: ['--help'] },
  { name: 'mcopy', package: 'mtools', purpose: FAT32, check: ['--version'] },
  { name: 'fusefat', purpose: FAT32 }, // 'fusefat --help' exits with 1
  { name: 'mkfs.exfat', package: 'exfatprogs', purpose: EXFAT }, // '--version' exits with 1
  { name: 'fsck.exfat', package: 'exfatprogs', purpose: EXFAT }, // '--version' exits with 16
  { name: 'mount.exfat-fuse', package: 'exfat-fuse', purpose: EXFAT, check: ['-V'] },
  { name: 'mkntfs', package: 'ntfs-3g', purpose: NTFS, check: ['--version'] },
  { name: 'ntfsfix', package: 'ntfs-3g', purpose: NTFS, check: ['--version'] },
  { name: 'lowntfs-3g', package: 'ntfs-3g', purpose: NTFS, check: ['--version'] },
  { name: 'losetup', package: 'mount', purpose: EXFAT, check: ['--version'] },
  { name: 'mount', purpose: SMALL_DISK },
  { name: 'umount', package: 'mount', purpose: SMALL_DISK },
  { name: 'zimcheck', package: 'zim-tools', purpose: ZIM, check: ['--version'] },
  { name: 'zimdump', package: 'zim-tools', purpose: ZIM, check: ['--version'] },
  { name: 'kiwix-serve', package: 'kiwix-tools', purpose: ZIM, check: ['--version'] },
  { name: 'kiwix-desktop', package: 'kiwix', purpose: ZIM }, // needs a display even for --version
  { name: 'Xvfb', package: 'xvfb', purpose: ZIM, check: ['-help'] },
  { name: 'nginx', purpose: HOSTING, check: ['-v'] },
  { name: 'caddy', purpose: HOSTING, check: ['version'] },
  { name: 'rclone', purpose: 'tests of copies to object storage', check: ['version'] },
  { name: 'curl', purpose: HOSTING, check: ['--version'] },
  { name: 'systemd-analyze', package: 'systemd', purpose: AUTOMATION, check: ['--version'] },
  { name: 'rsync', purpose: AUTOMATION, check: ['--version'] },
  { name: 'zsh', purpose: COMMAND_LINE, check: ['--version'] },
  { name: 'fish', purpose: COMMAND_LINE, check: ['--version'] },
  { name: 'man', package: 'man-db', purpose: COMMAND_LINE, check: ['--version'] },
  { name: 'script', package: 'bsdutils', purpose: 'tests on a terminal', check: ['--version'] },
  { name: 'mkfifo', package: 'coreutils', purpose: 'tests with a named pipe instead of a file' },
] as const satisfies readonly Program[];

/** Programs that `npm run bench` needs in addition. */
const FOR_BENCHMARKS = [
  { name: 'hugo', purpose: 'the benchmark of peers', check: ['version'] },
  { name: 'jekyll', purpose: 'the benchmark of peers', check: ['--version'] },
  { name: 'vipsthumbnail', package: 'libvips-tools', purpose: 'the benchmark of thumbnails', check: ['--help'] },
] as const satisfies readonly Program[];

/** The name of one of these programs. */
export type ProgramName = (typeof FOR_TESTS)[number]['name'] | (typeof FOR_BENCHMARKS)[number]['name'];

/** Returns the programs that the tests need; with `benchmarks`, also those that only the benchmarks need. */
export function neededPrograms({ benchmarks }: { benchmarks: boolean }): readonly Program[] {
  return benchmarks ? [...FOR_TESTS, ...FOR_BENCHMARKS] : FOR_TESTS;
}

/** Directories of system programs. They are not in the PATH of an ordinary user on Debian. */
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/sbin'];

/** Returns the file that starts a program: the one that its variable names, else the first one in PATH; undefined if none. */
export function fileOf({ name, variable, directory }: Program): string | undefined {
  if (directory !== undefined) return existsSync(directory) ? directory : undefined;
  const named = variable === undefined ? undefined : process.env[variable];
  if (named) return isProgram(named) ? named : undefined;
  return findProgram(name, SYSTEM_DIRECTORIES);
}

/**
 * Returns the file that starts a program in a test or benchmark.
 * @throws {Error} if the program is not installed. The message says what to do.
 */
export function programFile(name: ProgramName): string {
  const program = neededPrograms({ benchmarks: true }).find((needed) => needed.name === name);
  const file = program && fileOf(program);
  if (file === undefined)
    throw new Error(`${name} is not installed. Run "npm run setup", for benchmarks "npm run setup -- --bench".`);
  return file;
}
