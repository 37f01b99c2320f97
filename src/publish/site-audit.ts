/** Audits a site: compares files with the manifest; finds broken links, network references, and pages without our policy. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { JOURNAL_FILE, KNOW_PATH, RESERVED_NAMES, STAGING_DIRECTORY } from '../catalogue/urls.ts';
import { VIEWER_PAGE } from '../formats/compact-names.ts';
import { originalOfCopy } from '../formats/compressed-names.ts';
import { readTarget } from '../formats/contribution-link.ts';
import { findInvalidLines, parseChecksums } from '../formats/manifest-lines.ts';
import { UserError } from '../model/errors.ts';
import { decodePercent } from '../model/text/percent.ts';
import { type DirectoryEntries, listDirectoryEntries } from '../platform/directory-entries.ts';
import { listPortabilityProblems } from '../platform/portability.ts';
import { isSystemPath } from '../platform/system-files.ts';
import { toPrintable } from '../platform/text-lines.ts';
import type { Finding } from '../snapshot/audit.ts';
import { sha256OfFile } from '../snapshot/directory-files.ts';
import { decompressesTo } from './compressed-copies.ts';
import { findPolicyProblems, normalizeUrl } from './csp-audit.ts';
import { MANIFEST_FILE, readManifestText, readText, SIGNATURE_FILE, siteDirectoryOf } from './manifest.ts';
import { isPack, type PackEntry, readPack } from './packs/pack-writer.ts';
import { isOfUpdate, LEFT_OUT_FILE, PATCH_DIRECTORY, rankOf, readLeftOut } from './partial-copy.ts';
import { findHtmlReferences, findScriptReferences } from './references.ts';
import { findCssReferences, type Reference } from './references-in-css.ts';
import { IDENTITY_FILE } from './site-identity.ts';
import { readUpdate, type SiteUpdate, UPDATE_FILE } from './site-update.ts';
import { SITE_DIRECTORY, START_FILE } from './usb-names.ts';

/** One thing that the audit of a site found wrong. */
export interface SiteFinding extends Finding {
  /** What several findings have in common, such as a missing file. */
  cause?: string;
}

function add(list: SiteFinding[], what: string, problem: string, cause: string): void {
  list.push({ what, problem, cause });
}

/** The result of an audit. */
export type SiteAudit = ReturnType<typeof createAudit>;

/** Larger pages, style sheets and scripts are not read. */
const MAX_TEXT_BYTES = 128 * 1024 * 1024;

type AuditState = ReturnType<typeof openAudit>;

/**
 * Audits the site in a directory, which may also be the root of a USB drive. Reads all of its files; with `sampleRate` (from 0 to
 * 1), only this share of those that cannot refer to others, chosen at random.
 * @throws {UserError} if the directory does not exist
 */
export async function auditSite(
  directory: string,
  onProgress?: (done: number, total: number) => void,
  sampleRate = 1,
): Promise<SiteAudit> {
  if (!existsSync(directory))
    throw new UserError(
      `The directory ${directory} does not exist. Run "microfiche build" first, or name the site's directory with --dir.`,
    );
  if (!statSync(directory).isDirectory()) throw new UserError(`${directory} is a file. Name the site's directory with --dir.`);
  const dir = siteDirectoryOf(directory);
  const isUsbDrive = dir !== directory;
  const update = readUpdate(dir);
  const text = update?.changed ?? readManifestText(dir);
  const checksums = parseChecksums(text ?? '');
  const work = openAudit(dir, isUsbDrive, checksums, update);
  const { audit, entries } = work;
  // A site that was emptied, or lost its manifest, is damaged.
  if (text === undefined && entries.files.size > 0 && ![IDENTITY_FILE, 'index.html'].some((path) => entries.files.has(path)))
    throw new UserError(`${toPrintable(directory)} is not a site made by Microfiche. Name the site's directory with --dir.`);
  auditManifest(work, text, checksums);
  let done = 0;
  for (const [path, size] of entries.files) {
    if (audit.isUpdate && isOfUpdate(path)) continue;
    if (TEXT_FILE.test(path) || Math.random() < sampleRate) {
      await auditFile(work, path, size, checksums.get(path));
      await auditCopy(work, path, checksums);
    } else audit.unread++;
    onProgress?.(++done, entries.files.size);
  }
  // Packs are read a second time, one after the other, because all of them would not fit into memory.
  for (const { name, data } of audit.isUpdate ? [] : listPackEntries(work, 'pages', () => undefined))
    auditPage(work, VIEWER_PREFIX + name, Buffer.from(data).toString());
  auditFragments(work);
  if (isUsbDrive) auditStartPage(work, directory);
  return audit;
}

function openAudit(dir: string, isUsbDrive: boolean, listed: ReadonlyMap<string, string>, update?: SiteUpdate) {
  const entries = listDirectoryEntries(dir, RESERVED_NAMES);
  const system = [...entries.files.keys()].filter((path) => isSystemPath(path) && !listed.has(path));
  for (const path of system) entries.files.delete(path);
  const audit = createAudit(dir, isUsbDrive, entries, system, update);
  const work = {
    dir,
    audit,
    entries,
    /** All paths that a link may have as its target; a page in a pack as `VIEWER_PREFIX` and its path. */
    knownTargets: new Set(entries.files.keys()),
    /** Targets of fragments, by page. */
    anchors: new Map<string, Set<string>>(),
    fragments: [] as Array<{ from: string; to: string; fragment: string; where: string }>,
  };
  const onUnreadable = (path: string, problem: string) => add(audit.altered, path, problem, 'packs that cannot be read');
  for (const { name } of listPackEntries(work, 'pages', onUnreadable)) work.knownTargets.add(VIEWER_PREFIX + name);
  for (const { name } of listPackEntries(work, 'thumbs', onUnreadable)) work.knownTargets.add(name);
  return work;
}

function createAudit(dir: string, isUsbDrive: boolean, { files }: DirectoryEntries, system: string[], update?: SiteUpdate) {
  return {
    dir,
    /** Whether it is the update of a site: only what differs, so that its links are not followed. */
    isUpdate: update !== undefined,
    /** Whether the root of a USB drive was named and `dir` is the site on it. */
    isUsbDrive,
    /** Number of files in the directory. */
    files: files.size,
    /** Number of these files that a sample leaves out. */
    unread: 0,
    /** Size of these files. */
    bytes: files.values().reduce((total, size) => total + size, 0),
    pages: 0,
    links: 0,
    /** Number of files that a partial copy lacks, as it says itself. They are no findings. */
    lacking: 0,
    /** SHA-256 of the manifest itself, or of that which an update makes; undefined if there is none. */
    manifest: update?.makes[0],
    /** Paths of files that operating systems left in the site. They are no part of it. */
    system,
    /** Links without a target. */
    broken: [] as SiteFinding[],
    /** References that make a browser use the network. */
    network: [] as SiteFinding[],
    /** Pages without our Content-Security-Policy, or with scripts that it blocks. */
    policy: [] as SiteFinding[],
    /** Missing and corrupted files, and problems with the manifest itself. */
    altered: [] as SiteFinding[],
    /** Files and symbolic links that the manifest does not list. */
    orphans: [] as SiteFinding[],
    /** Files that some file systems cannot store. */
    unportable: listPortabilityProblems(files).map(({ path, problem }): SiteFinding => ({ what: path, problem })),
  };
}

/** Finds orphan files, missing files, and problems with the manifest itself. */
function auditManifest(
  { dir, audit, entries, knownTargets }: AuditState,
  text: string | undefined,
  checksums: ReadonlyMap<string, string>,
): void {
  const addFinding = (what: string, problem: string) => void audit.altered.push({ what, problem });
  if (existsSync(join(dir, JOURNAL_FILE)) || existsSync(join(dir, STAGING_DIRECTORY)))
    addFinding(JOURNAL_FILE, 'a build into this directory was interrupted; run "microfiche build" again');
  for (const { path, problem } of entries.otherEntries) audit.orphans.push({ what: path, problem });
  if (text === undefined) {
    addFinding(
      MANIFEST_FILE,
      'the manifest is missing, so no file can be verified; run "microfiche build", or name another directory',
    );
    return;
  }
  audit.manifest ??= hash('sha256', text);
  for (const line of findInvalidLines(text)) addFinding(MANIFEST_FILE, `line ${line} is not a SHA-256 and a path in the site`);
  if (checksums.size === 0) addFinding(MANIFEST_FILE, 'the manifest lists no files');
  const left = readLeftOut(dir);
  for (const [path, sha256] of checksums) {
    if (entries.files.has(path) || (audit.isUpdate && entries.files.has(`${PATCH_DIRECTORY}${path}`))) continue;
    const isLeftOut = !audit.isUpdate && left.get(path) === sha256 && rankOf(path) > 0;
    if (!isLeftOut) addFinding(path, 'the file is missing');
    else {
      audit.lacking++;
      knownTargets.add(path);
    }
  }
  const lists = audit.isUpdate ? [UPDATE_FILE] : [MANIFEST_FILE, LEFT_OUT_FILE];
  const patches = audit.isUpdate ? [...checksums.keys()].filter((path) => !entries.files.has(path)) : [];
  const unlisted = new Set([SIGNATURE_FILE, ...lists, ...patches.map((path) => `${PATCH_DIRECTORY}${path}`)]);
  for (const path of entries.files.keys())
    if (!checksums.has(path) && !unlisted.has(path)) audit.orphans.push({ what: path, problem: 'the manifest does not list it' });
}

/** Reads one file once, for its checksum and for its references. */
async function auditFile(work: AuditState, path: string, size: number, expected: string | undefined): Promise<void> {
  const { dir, audit } = work;
  const isText = TEXT_FILE.test(path) && !audit.isUpdate;
  let sha256: string | undefined;
  try {
    const bytes = isText && size <= MAX_TEXT_BYTES ? readFileSync(join(dir, path)) : undefined;
    if (expected !== undefined) sha256 = bytes ? hash('sha256', bytes) : await sha256OfFile(join(dir, path));
    const text = bytes?.toString();
    if (text !== undefined && /\.html?$/i.test(path)) auditPage(work, path, text);
    else if (text !== undefined) for (const reference of readReferences(path, text)) auditReference(work, path, reference);
    else if (isText) add(audit.network, path, 'the file is too large to be searched for references', 'files that are too large');
  } catch (error) {
    add(audit.altered, path, `the file cannot be read (${(error as Error).message})`, 'files that cannot be read');
    return;
  }
  const problem = `the file has the SHA-256 ${sha256}, but the manifest lists ${expected}`;
  if (sha256 !== expected) add(audit.altered, path, problem, 'the file is corrupted');
}

/** Checks that a compressed copy decompresses to its file, because hosts send it instead. */
async function auditCopy(
  { dir, audit, entries }: AuditState,
  path: string,
  checksums: ReadonlyMap<string, string>,
): Promise<void> {
  const original = originalOfCopy(path);
  if (original === undefined) return;
  const size = entries.files.get(original);
  if (size === undefined && audit.isUpdate) return; // of a file that has not changed, or has a patch
  if (size === undefined) {
    const problem = `hosts send the file instead of ${original}, which is not in the site`;
    add(audit.altered, path, problem, 'compressed copies without their files');
    return;
  }
  try {
    const sha256 = checksums.get(original) ?? (await sha256OfFile(join(dir, original)));
    if (await decompressesTo(join(dir, path), { size, sha256 })) return;
  } catch {
    return; // a file that cannot be read is another finding
  }
  add(audit.altered, path, `the file does not decompress to ${original}`, 'compressed copies of other content');
}

/** Files that may refer to others. */
const TEXT_FILE = /\.(?:x?html?|xht|css|m?js|svg)$/i;

function readReferences(path: string, text: string): Reference[] {
  if (/\.css$/i.test(path)) return findCssReferences(text, 'style sheet');
  if (/\.m?js$/i.test(path)) return findScriptReferences(text, 'script');
  return findHtmlReferences(text, { xml: true }).references.filter(({ use }) => use !== 'link');
}

function auditPage(work: AuditState, path: string, html: string): void {
  const page = findHtmlReferences(html);
  work.anchors.set(path, page.anchors);
  work.audit.pages++;
  for (const problem of findPolicyProblems(path, html)) work.audit.policy.push({ what: path, problem });
  for (const reference of page.references) auditReference(work, path, reference);
}

/** Audits the page in the root of a USB drive, which Microfiche writes but the manifest does not list. */
function auditStartPage(work: AuditState, root: string): void {
  const html = readText(root, START_FILE);
  if (html === undefined) return;
  const knownTargets = new Set([...work.knownTargets].map((path) => `${SITE_DIRECTORY}/${path}`));
  const { references } = findHtmlReferences(html);
  for (const problem of findPolicyProblems(START_FILE, html)) work.audit.policy.push({ what: START_FILE, problem });
  for (const reference of references) auditReference({ ...work, knownTargets }, START_FILE, reference);
}

/** Longer URLs are truncated in messages. */
const MAX_PRINTED = 200;

function auditReference({ knownTargets, audit, fragments }: AuditState, path: string, { href, use, where }: Reference): void {
  if (href.startsWith('pack:')) {
    const name = href.slice('pack:'.length);
    audit.links++;
    const problem = `${where} refers to ${name}, which is not in any pack`;
    if (!knownTargets.has(name)) add(audit.broken, path, problem, `${name} is not in any pack`);
    return;
  }
  const url = normalizeUrl(href);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (use === 'network' || scheme !== undefined || /^[\\/]{2}/.test(url)) {
    const isData = scheme === 'data' || scheme === 'blob';
    const isHarmless = use === 'link' ? scheme !== 'javascript' : use === 'load' && isData;
    const cause = use === 'network' ? where : describeTarget(url, scheme);
    if (!isHarmless) add(audit.network, path, `${where} refers to ${toPrintable(url, MAX_PRINTED)}`, cause);
    return;
  }
  audit.links++;
  if (/^[\\/]/.test(url)) {
    const problem = `${where} points to ${toPrintable(url, MAX_PRINTED)}, which works only at the root of a host`;
    add(audit.broken, path, problem, 'paths that work only at the root of a host');
    return;
  }
  const [withoutFragment = '', fragment] = url.split('#');
  const [relativePath = '', query] = withoutFragment.split('?');
  // A page from a pack is shown by a page at the top of the site.
  const base = path.startsWith(VIEWER_PREFIX) ? '.' : posix.dirname(path);
  const file = relativePath === '' ? path : decodePercent(posix.normalize(posix.join(base, relativePath)));
  const target = file === VIEWER_PAGE && query !== undefined ? `${VIEWER_PREFIX}${query}` : file;
  if (target.startsWith('../') || !knownTargets.has(target)) {
    const problem = `${where} points to ${toPrintable(url, MAX_PRINTED)}, which is not in the site`;
    add(audit.broken, path, problem, `${toPrintable(target, MAX_PRINTED)} is not in the site`);
  } else if (fragment && fragment !== 'top' && /\.html?$/.test(target) && !isForm(target, fragment))
    fragments.push({ from: path, to: target, fragment: decodePercent(fragment), where });
}

/** Whether a fragment is what the form for contributions is about, and no place in its page. */
function isForm(target: string, fragment: string): boolean {
  return posix.basename(target) === KNOW_PATH && readTarget(`#${fragment}`) !== undefined;
}

/** Returns what references to one host, or URLs of one scheme, have in common. */
function describeTarget(url: string, scheme: string | undefined): string {
  const host = URL.parse(url, 'http://localhost')?.host;
  return scheme === undefined || /^(?:https?|wss?|ftp)$/.test(scheme)
    ? `network references to ${toPrintable(host || url, MAX_PRINTED)}`
    : `${scheme}: URLs that browsers may run`;
}

/** A moment or clip of the page's recording, whose player has the ID `play`. */
const MOMENT = /^t=\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)?$/;

function auditFragments({ fragments, anchors, audit }: AuditState): void {
  for (const { from, to, fragment, where } of fragments) {
    const name = toPrintable(fragment, MAX_PRINTED);
    if (!anchors.get(to)?.has(MOMENT.test(fragment) ? 'play' : fragment))
      add(audit.broken, from, `${where} points to #${name}, which ${to} does not have`, `${to} has no #${name}`);
  }
}

/** Precedes the path of a page that is in a pack. */
const VIEWER_PREFIX = `${VIEWER_PAGE}?`;

/** Lists the entries of a compact build's packs; nothing of other sites. Calls `onUnreadable` for each unreadable pack. */
function* listPackEntries(
  { dir, entries, knownTargets }: Pick<AuditState, 'dir' | 'entries' | 'knownTargets'>,
  directory: 'pages' | 'thumbs',
  onUnreadable: (path: string, problem: string) => void,
): Generator<PackEntry> {
  if (!knownTargets.has(VIEWER_PAGE)) return;
  for (const path of entries.files.keys()) {
    if (posix.dirname(path) !== directory || !isPack(posix.basename(path))) continue;
    try {
      yield* readPack(readFileSync(join(dir, path), 'utf8'));
    } catch (error) {
      onUnreadable(path, `the pack cannot be read (${toPrintable((error as Error).message, MAX_PRINTED)})`);
    }
  }
}
