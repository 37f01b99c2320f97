/**
 * Decides what a signature covers: the kind of what is signed, by the namespace of the signature; and all of its files, by the
 * checksums in the signed file. So a signature of one kind is none of another, and nothing can be added to what is signed
 * (docs/security.md).
 */
import { MANIFEST_FILE } from './manifest.ts';
import { isOfUpdate } from './partial-copy.ts';
import { IDENTITY_FILE } from './site-identity.ts';
import { SITE_DIRECTORY } from './usb-names.ts';

/** What can be signed. */
export type SignedKind = 'site' | 'drive' | 'bag' | 'wacz';

/** Appended to the name of a signed file. */
export const SIGNATURE_EXTENSION = '.sig';
/** Name of the file by which a package says which format, archive and content it has. */
export const PACKAGE_IDENTITY_FILE = 'microfiche-export.json';

interface Coverage {
  /** What OpenSSH signs for: it accepts no signature with another namespace. */
  namespace: string;
  /** Name in messages. */
  name: string;
  /** The file that is signed, which has the checksums of the others. */
  signedFile: string;
  /** Files without which a list does not cover this kind: the identity, which names the archive, and further lists. */
  required: readonly string[];
  /** Whether a file is covered by other means, or has nothing to cover. */
  isExempt: (path: string) => boolean;
}

/** Every kind, in the order of docs/security.md. */
export const SIGNED_KINDS: Readonly<Record<SignedKind, Coverage>> = {
  site: {
    namespace: 'microfiche-site',
    name: 'site',
    signedFile: MANIFEST_FILE,
    required: [IDENTITY_FILE],
    isExempt: () => false,
  },
  drive: {
    namespace: 'microfiche-drive',
    name: 'USB drive',
    signedFile: 'drive-manifest-sha256.txt',
    required: [`${SITE_DIRECTORY}/${MANIFEST_FILE}`],
    // The manifest of the site has the checksums of its files.
    isExempt: (path) => path.startsWith(`${SITE_DIRECTORY}/`),
  },
  bag: {
    namespace: 'microfiche-bag',
    name: 'bag',
    signedFile: 'tagmanifest-sha256.txt',
    required: ['bagit.txt', PACKAGE_IDENTITY_FILE, 'manifest-sha256.txt'],
    // The manifests have the checksums of the payload. This list of the same files has the other checksums.
    isExempt: (path) => path.startsWith('data/') || path === 'tagmanifest-sha512.txt' || isOfUpdate(path),
  },
  wacz: {
    namespace: 'microfiche-wacz',
    name: 'WACZ',
    signedFile: 'datapackage.json',
    required: [`about/${PACKAGE_IDENTITY_FILE}`],
    // The signatures are in this file.
    isExempt: (path) => path === 'datapackage-digest.json',
  },
};

/** Returns the name of the file with the signature. A WACZ has its signatures in another file. */
export const signatureFileOf = (kind: SignedKind): string => `${SIGNED_KINDS[kind].signedFile}${SIGNATURE_EXTENSION}`;

/** Returns the command that checks a signature without Microfiche. */
export function signatureCommand(kind: SignedKind): string {
  const { namespace, signedFile } = SIGNED_KINDS[kind];
  return `ssh-keygen -Y verify -f signers -I NAME -n ${namespace} -s ${signatureFileOf(kind)} < ${signedFile}`;
}

/** Returns which of the present files a signature does not cover. `listed` has the paths in the signed file. */
export function* findUncoveredFiles(
  kind: SignedKind,
  listed: { has(path: string): boolean },
  present: Iterable<string>,
): Generator<string> {
  const { signedFile, isExempt } = SIGNED_KINDS[kind];
  const signedPaths = new Set([signedFile, signatureFileOf(kind)]);
  for (const path of present) if (!listed.has(path) && !signedPaths.has(path) && !isExempt(path)) yield path;
}

/** Returns why a list does not cover a thing of its kind with the given files; undefined if it does. */
export function findCoverageProblem(
  kind: SignedKind,
  listed: { has(path: string): boolean },
  present: Iterable<string>,
): string | undefined {
  const { name, signedFile, required } = SIGNED_KINDS[kind];
  const missing = required.find((path) => !listed.has(path));
  if (missing !== undefined) return `${signedFile} does not list ${missing}, so it is not the list of a ${name}`;
  const [uncovered] = findUncoveredFiles(kind, listed, present);
  return uncovered === undefined ? undefined : `the signature does not cover ${uncovered}`;
}
