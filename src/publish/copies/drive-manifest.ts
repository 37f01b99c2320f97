/** The manifest of a USB drive: checksums of our files in its root and of the site's manifest, so that a signature covers all. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseChecksums } from '../../formats/manifest-lines.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { type SafeDirectory, toSafeDirectory } from '../../platform/safe-directory.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { MANIFEST_FILE, readText } from '../manifest.ts';
import { checkDirectorySignature, signDirectory } from '../signature.ts';
import { findUncoveredFiles, SIGNED_KINDS, signatureFileOf } from '../signed-kinds.ts';
import type { SiteFinding } from '../site-audit.ts';
import { SITE_DIRECTORY } from '../usb-names.ts';
import { writeAtomically } from './copied-files.ts';
import { createRootFiles } from './root-files.ts';

const DRIVE_MANIFEST = SIGNED_KINDS.drive.signedFile;
/** Windows obeys these files, so that they count as added files. */
const OBEYED_ENTRY = /^(?:autorun\.inf|desktop\.ini)$/i;

/** Writes the manifest of a drive, and signs it if there is a key. `names` has our files in its root. */
export async function writeDriveManifest(
  drive: SafeDirectory,
  names: readonly string[],
  keyFile: string | undefined,
): Promise<void> {
  const lines: string[] = [];
  for (const path of [...names, `${SITE_DIRECTORY}/${MANIFEST_FILE}`].sort())
    lines.push(`${await sha256OfFile(drive.resolve(path))}  ${path}\n`);
  writeAtomically(drive, DRIVE_MANIFEST, lines.join(''));
  if (keyFile === undefined) drive.delete(signatureFileOf('drive'));
  else await signDirectory('drive', drive.root, keyFile);
}

/** Audits a drive's root and signature; with a list of signers, also that it covers all entries. The site is audited apart. */
export async function auditDrive(root: string, signers: string | undefined) {
  const drive = toSafeDirectory(root);
  const checksums = parseChecksums(readText(root, DRIVE_MANIFEST) ?? '');
  const altered: SiteFinding[] = [];
  for (const [path, sha256] of checksums) {
    if (!isRegularFile(drive, path)) altered.push({ what: path, problem: 'the file is missing' });
    else if ((await sha256OfFile(drive.resolve(path))) !== sha256)
      altered.push({ what: path, problem: `it was changed: its checksum is not that in ${DRIVE_MANIFEST}` });
  }
  const isSigned = isRegularFile(drive, signatureFileOf('drive'));
  const signature = isSigned ? await checkDirectorySignature('drive', root, signers) : undefined;
  const covered = isSigned ? checksums : findFollowingFiles(drive);
  const uncovered = signers === undefined ? [] : [...findUncoveredFiles('drive', covered, listRoot(root))];
  return {
    /** Files that are missing or were changed. */
    altered,
    /** Entries that the signature does not cover. */
    orphans: uncovered.map((path): SiteFinding => ({ what: path, problem: 'the signature does not cover it' })),
    /** Who signed the drive, or why that does not count; undefined if only its site is signed, or it is valid without signers. */
    signature,
  };
}

/** Returns which files in the root of a drive follow from its site alone, because they are as `usb` writes them. */
function findFollowingFiles(drive: SafeDirectory): Set<string> {
  const isUnchanged = ({ name, content }: { name: string; content: string }) =>
    isRegularFile(drive, name) && hash('sha256', readFileSync(drive.resolve(name))) === hash('sha256', content);
  const files = createRootFiles(toSafeDirectory(drive.resolve(SITE_DIRECTORY)), drive).filter(isUnchanged);
  return new Set(files.map(({ name }) => name));
}

/** Lists the root of a drive, except the site and what operating systems add. */
function listRoot(root: string): string[] {
  const isOfSystem = (name: string) => isSystemName(name) && !OBEYED_ENTRY.test(name);
  return readdirSync(root).filter((name) => name !== SITE_DIRECTORY && !isOfSystem(name));
}
