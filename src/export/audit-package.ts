/** Audits a package that contains or may contain a snapshot or site, for `verify`: it is complete, unchanged, and signed. */
import { checkSignature, type SignatureCheck } from '../publish/signature.ts';
import { describeArchive } from '../publish/site-identity.ts';
import type { Finding } from '../snapshot/audit.ts';
import { findBagProblems, readBag, signedPartOf } from './bag/read-bag.ts';
import { IDENTITY_FILE, type PackageIdentity, parseIdentity, readIdentity } from './identity.ts';
import { checkWacz } from './wacz/wacz-check.ts';

/** The result of an audit. */
export interface PackageAudit {
  path: string;
  format: 'bag' | 'WACZ';
  files: number;
  /** Bytes of these files. */
  bytes: number;
  /** Fingerprint of the content, as the package states it; undefined if another program wrote it. */
  fingerprint: string | undefined;
  /** The archive, as the package names it; undefined if it names none. */
  archive: string | undefined;
  findings: Finding[];
  /** Who signed it; undefined if it is not known. */
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
  const isWacz = /\.wacz$/i.test(path) || ((await readIdentity(path))?.format.startsWith('wacz') ?? false);
  const audit = isWacz ? await auditWacz(path, signersFile, onRead) : await auditBag(path, signersFile, onRead);
  const { signature, findings, identity, ...facts } = audit;
  if (signature && 'problem' in signature) findings.push({ what: 'signature', problem: signature.problem });
  const { fingerprint, archive } = identity ?? {};
  const named = { fingerprint, archive: archive && describeArchive(archive) };
  return { path, ...facts, ...named, findings, signer: signature && 'signer' in signature ? signature.signer : undefined };
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

async function auditWacz(path: string, signersFile: string | undefined, onRead?: (bytes: number) => void): Promise<Checked> {
  const { files, bytes, identity, problem, signature } = await checkWacz(path, signersFile, onRead);
  return {
    format: 'WACZ',
    files,
    bytes,
    identity,
    findings: problem === undefined ? [] : [{ what: 'WACZ', problem }],
    signature,
  };
}
