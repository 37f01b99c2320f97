/** Audits a package that contains or may contain a snapshot or site, for `verify`: it is complete, unchanged, and signed. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { adviceOnSystemFile } from '../platform/system-files.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { walkDirectory } from '../platform/walk.ts';
import { checkSignature, type SignatureCheck, UNSIGNED } from '../publish/signature.ts';
import { describeArchive } from '../publish/site-identity.ts';
import type { Finding } from '../snapshot/audit.ts';
import { sha256OfFile } from '../snapshot/directory-files.ts';
import { findBagProblems, readBag, signedPartOf } from './bagit/read-bag.ts';
import type { ExportFormat } from './export-format.ts';
import { FORMATS } from './formats.ts';
import { IDENTITY_FILE, type PackageIdentity, parseIdentity, readIdentity } from './identity.ts';
import { FILE_LIST, readChecksums } from './own-files.ts';
import { checkSignatureOf, findWaczProblem, identityOf, readWacz } from './wacz/wacz-check.ts';

const LISTED_FORMATS: ReadonlySet<string> = new Set(
  Object.values<ExportFormat>(FORMATS).flatMap(({ name, isListed }) => (isListed ? [name] : [])),
);

/** The result of an audit. */
export interface PackageAudit {
  path: string;
  /** `bag`, `WACZ`, or the format of another export. */
  format: string;
  files: number;
  /** Bytes of these files. */
  bytes: number;
  /** Fingerprint of the content, as the package states it; undefined if another program wrote it. */
  fingerprint: string | undefined;
  /** The archive, as the package names it; undefined if it names none. */
  archive: string | undefined;
  findings: Finding[];
  /** Who signed it; undefined if it is not known, or if there are findings: then this is not what was signed. */
  signer: string | undefined;
}

/**
 * Audits the bag or WACZ at `path`. With `signersFile`, one of the signers must have signed it.
 * @throws {UserError} if it cannot be read as a package, or OpenSSH is needed and not installed.
 */
export async function auditPackage(
  path: string,
  signersFile: string | undefined,
  onRead?: (bytes: number) => void,
): Promise<PackageAudit> {
  const named = await readIdentity(path);
  const isListed = named && LISTED_FORMATS.has(named.format) && lstatSync(path).isDirectory();
  const isWacz = /\.wacz$/i.test(path) || named?.format.startsWith('wacz');
  const audit = isListed
    ? await auditListed(path, named, signersFile, onRead)
    : await (isWacz ? auditWacz : auditBag)(path, signersFile, onRead);
  const { signature, findings, identity, ...facts } = audit;
  if (signature && 'problem' in signature) findings.push({ what: 'signature', problem: signature.problem });
  const { fingerprint, archive } = identity ?? {};
  const content = { fingerprint, archive: archive && describeArchive(archive) };
  const signer = signature && 'signer' in signature && findings.length === 0 ? signature.signer : undefined;
  return { path, ...facts, ...content, findings, signer };
}

type Checked = Pick<PackageAudit, 'format' | 'files' | 'bytes' | 'findings'> & {
  identity: PackageIdentity | undefined;
  signature: SignatureCheck | undefined;
};

async function auditBag(path: string, signersFile: string | undefined, onRead?: (bytes: number) => void): Promise<Checked> {
  const bag = await readBag(path, { onRead });
  return {
    format: 'bag',
    files: bag.digests.size,
    bytes: bag.digests.values().reduce((total, { size }) => total + size, 0),
    identity: parseIdentity(bag.texts.get(IDENTITY_FILE) ?? ''),
    findings: [...findBagProblems(bag)],
    signature: await checkSignature(signedPartOf(bag), signersFile),
  };
}

/** Audits an export in a directory, by its list of checksums. Such a list is never signed. */
async function auditListed(
  directory: string,
  identity: PackageIdentity,
  signersFile: string | undefined,
  onRead?: (bytes: number) => void,
): Promise<Checked> {
  const checksums = await readChecksums(directory, FILE_LIST);
  const findings: Finding[] = [];
  let [files, bytes] = [0, 0];
  for (const [path, entry] of walkDirectory(directory)) {
    files++;
    if (path === FILE_LIST) continue;
    const expected = checksums.get(path);
    checksums.delete(path);
    if (!entry.isFile()) findings.push({ what: path, problem: `${path} is a link or a special file` });
    else if (expected === undefined)
      findings.push({ what: path, problem: `${path} is not listed in ${FILE_LIST}${adviceOnSystemFile(path)}` });
    else if ((await sha256OfFile(join(directory, path))) !== expected)
      findings.push({ what: path, problem: `${path} was changed: its checksum is not that of ${FILE_LIST}` });
    const { size } = lstatSync(join(directory, path));
    bytes += size;
    onRead?.(size);
  }
  for (const path of checksums.keys()) findings.push({ what: path, problem: `${path} is missing` });
  return {
    format: toPrintable(identity.format),
    files,
    bytes,
    identity,
    findings,
    signature: signersFile === undefined ? undefined : UNSIGNED,
  };
}

async function auditWacz(path: string, signersFile: string | undefined, onRead?: (bytes: number) => void): Promise<Checked> {
  const wacz = await readWacz(path, onRead);
  const problem = findWaczProblem(wacz);
  return {
    format: 'WACZ',
    files: wacz.checksums.size,
    bytes: wacz.bytes,
    identity: identityOf(wacz),
    findings: problem === undefined ? [] : [{ what: 'WACZ', problem }],
    signature: await checkSignatureOf(wacz, signersFile),
  };
}
