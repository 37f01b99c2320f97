/** Proves a built site: each file is as the manifest has it and none is there besides, each link leads to a file that is there, and nothing asks the network for anything. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { JOURNAL, OWN_NAMES, STAGING } from '../catalogue/own-names.ts';
import { VIEWER } from '../client/compact-names.ts';
import { badLines, manifestLines } from '../client/manifest-lines.ts';
import { UserError } from '../model/errors.ts';
import { decode } from '../model/resources.ts';
import { containedIn } from '../platform/contained.ts';
import { type Entries, entriesBelow, isFile } from '../platform/entries.ts';
import { printable } from '../platform/lines.ts';
import { unportable } from '../platform/portable.ts';
import type { Finding } from '../snapshot/audit.ts';
import { sumOf } from '../snapshot/files.ts';
import { policyProblems } from './csp-audit.ts';
import { MANIFEST, manifestText } from './manifest.ts';
import { isPack, type Member, readPack } from './packs/writer.ts';
import { type Reference, referencesInCss, referencesInHtml, referencesInScript } from './references.ts';
import { FOLDER, START_NAME } from './stick-names.ts';

/** `cause` is what several findings have in common, such as the file that all of them miss. */
export interface SiteFinding extends Finding {
  cause?: string;
}

export interface SiteAudit {
  /** The folder that was checked: on a stick, the mirror's. */
  dir: string;
  /** Whether `dir` was found on a stick whose root was named. */
  onStick: boolean;
  /** Files in the folder, and their bytes. */
  files: number;
  bytes: number;
  pages: number;
  links: number;
  /** SHA-256 of the manifest itself; undefined where there is none. */
  manifest: string | undefined;
  /** Links that lead nowhere. */
  broken: SiteFinding[];
  /** What would make a browser ask the network. */
  network: SiteFinding[];
  /** Pages that are not under our Content-Security-Policy, or hold scripts that it refuses. */
  policy: SiteFinding[];
  /** Files that are not as the manifest has them; and what keeps the manifest from proving anything. */
  altered: SiteFinding[];
  /** Files and links that the manifest does not name. */
  orphans: SiteFinding[];
  /** Files that some file system will not take. */
  unportable: SiteFinding[];
}

/** A larger page, style sheet or script is not read; bytes. */
const LARGEST_TEXT = 128 * 1024 * 1024;

interface Work {
  dir: string;
  audit: SiteAudit;
  entries: Entries;
  /** Every path that a link may lead to, pages in packs as `view.html?…`. */
  present: Set<string>;
  anchors: Map<string, Set<string>>;
  fragments: Array<{ from: string; to: string; fragment: string; where: string }>;
}

/** Reads the whole site in a folder, or in the root of a stick. @throws UserError when there is no such folder. */
export async function auditSite(named: string, onProgress?: (done: number, total: number) => void): Promise<SiteAudit> {
  if (!existsSync(named))
    throw new UserError(`There is no folder ${named}: run “microfiche build” first, or name the site’s folder with --dir.`);
  if (!statSync(named).isDirectory()) throw new UserError(`${named} is a file: name the site’s folder with --dir.`);
  const onStick = manifestText(named) === undefined && isFile(containedIn(named), `${FOLDER}/${MANIFEST}`);
  const dir = onStick ? join(named, FOLDER) : named;
  const work = begin(dir, onStick);
  const { audit, entries } = work;
  const text = manifestText(dir);
  const sums = new Map(manifestLines(text ?? '').map(({ path, sha256 }) => [path, sha256]));
  checkManifest(work, text, sums);
  let done = 0;
  for (const [path, size] of entries.files) {
    await checkFile(work, path, size, sums.get(path));
    onProgress?.(++done, entries.files.size);
  }
  // Read a second time, one after the other: all of them would not fit into memory.
  for (const { name, data } of packed(work, 'pages', () => undefined))
    checkPage(work, IN_PACK + name, Buffer.from(data).toString());
  checkFragments(work);
  if (onStick) checkStart(work, named);
  return audit;
}

function begin(dir: string, onStick: boolean): Work {
  const entries = entriesBelow(dir, OWN_NAMES);
  const lists = { broken: [], network: [], policy: [], altered: [], orphans: [], unportable: [] };
  const bytes = entries.files.values().reduce((sum, size) => sum + size, 0);
  const audit: SiteAudit = { dir, onStick, files: entries.files.size, bytes, pages: 0, links: 0, manifest: undefined, ...lists };
  const work: Work = { dir, audit, entries, present: new Set(entries.files.keys()), anchors: new Map(), fragments: [] };
  const noPack = (path: string, problem: string) =>
    audit.altered.push({ what: path, problem, cause: 'packs that cannot be read' });
  for (const { name } of packed(work, 'pages', noPack)) work.present.add(IN_PACK + name);
  for (const { name } of packed(work, 'thumbs', noPack)) work.present.add(name);
  audit.unportable = unportable(entries.files).map(({ path, problem }) => ({ what: path, problem }));
  return work;
}

/** What the manifest does not name, and what keeps it from proving anything. */
function checkManifest({ dir, audit, entries }: Work, text: string | undefined, sums: ReadonlyMap<string, string>): void {
  const say = (what: string, problem: string) => void audit.altered.push({ what, problem });
  if (existsSync(join(dir, JOURNAL)) || existsSync(join(dir, STAGING)))
    say(JOURNAL, 'a build into this folder was interrupted: run “microfiche build” again');
  for (const { path, problem } of entries.others) audit.orphans.push({ what: path, problem });
  if (text === undefined) {
    say(MANIFEST, 'there is no such file, so that nothing tells what was built: run “microfiche build”, or name another folder');
    return;
  }
  audit.manifest = hash('sha256', text);
  for (const line of badLines(text)) say(MANIFEST, `line ${line} is no SHA-256 with a path below the site`);
  if (sums.size === 0) say(MANIFEST, 'it names no file');
  for (const path of sums.keys()) if (!entries.files.has(path)) say(path, 'the file is lost');
  for (const path of entries.files.keys())
    if (!sums.has(path) && path !== MANIFEST) audit.orphans.push({ what: path, problem: 'the manifest does not name it' });
}

/** Reads one file, once: its checksum, and what it refers to. */
async function checkFile(work: Work, path: string, size: number, expected: string | undefined): Promise<void> {
  const { dir, audit } = work;
  const isText = TEXT.test(path);
  let sha256: string | undefined;
  try {
    const bytes = isText && size <= LARGEST_TEXT ? readFileSync(join(dir, path)) : undefined;
    if (expected !== undefined) sha256 = bytes ? hash('sha256', bytes) : await sumOf(join(dir, path));
    if (bytes) checkText(work, path, bytes.toString());
    else if (isText)
      audit.network.push({ what: path, problem: 'it is too large to be looked through', cause: 'files that are too large' });
  } catch (error) {
    audit.altered.push({
      what: path,
      problem: `the file cannot be read (${(error as Error).message})`,
      cause: 'files that cannot be read',
    });
    return;
  }
  if (sha256 !== expected)
    audit.altered.push({
      what: path,
      problem: `the file has the SHA-256 ${sha256}, not ${expected} as built`,
      cause: 'the file is not as built',
    });
}

/** Files that refer to others. */
const TEXT = /\.(?:x?html?|xht|css|m?js|svg)$/i;

function checkText(work: Work, path: string, text: string): void {
  if (/\.html?$/i.test(path)) checkPage(work, path, text);
  else for (const reference of referencesIn(path, text)) judge(work, path, reference);
}

function referencesIn(path: string, text: string): Reference[] {
  if (/\.css$/i.test(path)) return referencesInCss(text, 'style sheet');
  if (/\.m?js$/i.test(path)) return referencesInScript(text, 'script');
  return referencesInHtml(text, { xml: true }).references.filter(({ use }) => use !== 'link');
}

function checkPage(work: Work, path: string, html: string): void {
  const page = referencesInHtml(html);
  work.anchors.set(path, page.anchors);
  work.audit.pages++;
  for (const problem of policyProblems(path, html)) work.audit.policy.push({ what: path, problem });
  for (const reference of page.references) judge(work, path, reference);
}

/** The page in a stick's root: it is ours, but in no manifest. */
function checkStart(work: Work, root: string): void {
  const inside = containedIn(root);
  if (!isFile(inside, START_NAME)) return;
  const present = new Set([...work.present].map((path) => `${FOLDER}/${path}`));
  const html = readFileSync(inside.at(START_NAME), 'utf8');
  const { references } = referencesInHtml(html);
  for (const problem of policyProblems(START_NAME, html)) work.audit.policy.push({ what: START_NAME, problem });
  for (const reference of references) judge({ ...work, present }, START_NAME, reference);
}

/** Longer addresses are cut in messages. */
const SHOWN = 200;

function judge({ present, audit, fragments }: Work, path: string, { href, use, where }: Reference): void {
  if (href.startsWith('pack:')) {
    const name = href.slice('pack:'.length);
    audit.links++;
    if (!present.has(name))
      audit.broken.push({ what: path, problem: `${where} names ${name}, which is in no pack`, cause: `${name} is in no pack` });
    return;
  }
  const address = asBrowsersRead(href);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (use === 'ask' || scheme !== undefined || /^[\\/]{2}/.test(address)) {
    const isData = scheme === 'data' || scheme === 'blob';
    const harmless = use === 'link' ? scheme !== 'javascript' : use === 'load' && isData;
    if (!harmless)
      audit.network.push({
        what: path,
        problem: `${where} names ${printable(address, SHOWN)}`,
        cause: use === 'ask' ? where : placeOf(address, scheme),
      });
    return;
  }
  audit.links++;
  if (/^[\\/]/.test(address)) {
    const problem = `${where} points to ${printable(address, SHOWN)}, which holds only at the root of a host`;
    audit.broken.push({ what: path, problem, cause: 'addresses that hold only at the root of a host' });
    return;
  }
  const [before = '', fragment] = address.split('#');
  const [bare = '', query] = before.split('?');
  // A page out of a pack is shown from the site's first folder.
  const folder = path.startsWith(IN_PACK) ? '.' : posix.dirname(path);
  const file = bare === '' ? path : decode(posix.normalize(posix.join(folder, bare)));
  const target = file === VIEWER && query !== undefined ? `${IN_PACK}${query}` : file;
  if (target.startsWith('../') || !present.has(target))
    audit.broken.push({
      what: path,
      problem: `${where} points to ${printable(address, SHOWN)}, which is not in the site`,
      cause: `${printable(target, SHOWN)} is not in the site`,
    });
  else if (fragment && fragment !== 'top' && /\.html?$/.test(target))
    fragments.push({ from: path, to: target, fragment: decode(fragment), where });
}

/** An address without what browsers leave out of it (URL Standard, “basic URL parser”). */
function asBrowsersRead(href: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what browsers leave out
  return href.replace(/^[\x00-\x20]+/, '').replace(/[\t\n\r]+/g, '');
}

/** What is asked: the host, or the kind of address. */
function placeOf(address: string, scheme: string | undefined): string {
  const host = URL.parse(address, 'http://localhost')?.host;
  return scheme === undefined || /^(?:https?|wss?|ftp)$/.test(scheme)
    ? `the network is asked at ${printable(host || address, SHOWN)}`
    : `a ${scheme}: address that browsers may run`;
}

function checkFragments({ fragments, anchors, audit }: Work): void {
  for (const { from, to, fragment, where } of fragments) {
    const name = printable(fragment, SHOWN);
    if (!anchors.get(to)?.has(fragment))
      audit.broken.push({
        what: from,
        problem: `${where} points to #${name}, which ${to} does not have`,
        cause: `${to} has no #${name}`,
      });
  }
}

const IN_PACK = `${VIEWER}?`;

/** What stands in a compact site's packs; nothing of another. `noPack` is told of each pack that cannot be read. */
function* packed(
  { dir, entries, present }: Pick<Work, 'dir' | 'entries' | 'present'>,
  folder: 'pages' | 'thumbs',
  noPack: (path: string, problem: string) => void,
): Generator<Member> {
  if (!present.has(VIEWER)) return;
  for (const path of entries.files.keys()) {
    if (posix.dirname(path) !== folder || !isPack(posix.basename(path))) continue;
    try {
      yield* readPack(readFileSync(join(dir, path), 'utf8'));
    } catch (error) {
      noPack(path, `the pack cannot be read (${printable((error as Error).message, SHOWN)})`);
    }
  }
}
