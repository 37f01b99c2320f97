/** Proves a built site: each file is as the manifest has it, each link leads to a file that is there, and nothing asks the network for anything. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { UserError } from '../model/errors.ts';
import { unportable } from '../model/portable.ts';
import { decode } from '../model/resources.ts';
import { type Member, readPacks } from '../packs/writer.ts';
import type { Finding } from '../snapshot/audit.ts';
import { filesBelow } from '../snapshot/files.ts';
import { VIEWER } from './compact-names.ts';
import { policyProblems } from './csp-audit.ts';
import { readManifest } from './manifest.ts';
import { type Reference, referencesInCss, referencesInHtml, referencesInScript } from './references.ts';

export interface SiteAudit {
  pages: number;
  links: number;
  /** Links that lead nowhere. */
  broken: Finding[];
  /** What would make a browser ask the network. */
  network: Finding[];
  /** Pages that are not under our Content-Security-Policy, or hold scripts that it refuses. */
  policy: Finding[];
  /** Files that are not as the manifest has them. */
  altered: Finding[];
  /** Files that some file system will not take. */
  unportable: Finding[];
}

/** @throws UserError when there is no such folder. */
export function auditSite(dir: string, onProgress?: (done: number, total: number) => void): SiteAudit {
  if (!existsSync(dir))
    throw new UserError(`There is no folder ${dir}: run “microfiche build” first, or name the site’s folder with --dir.`);
  const files = filesBelow(dir).map(([path]) => path);
  const packed = () => readPackedPages(dir);
  const present = new Set([...files, ...Array.from(packed(), ({ name }) => IN_PACK + name), ...packedThumbs(dir)]);
  const audit: SiteAudit = {
    pages: 0,
    links: 0,
    broken: [],
    network: [],
    policy: [],
    altered: checkManifest(dir, present),
    unportable: checkPaths(dir, files),
  };
  const anchors = new Map<string, Set<string>>();
  const fragments: Array<{ from: string; to: string; fragment: string; where: string }> = [];
  files.forEach((path, i) => {
    const references = read(dir, path, anchors, audit.policy);
    if (path.endsWith('.html')) audit.pages++;
    for (const reference of references) judge(path, reference, present, audit, fragments);
    onProgress?.(i + 1, files.length);
  });
  // Read a second time, one after the other: all of them would not fit into memory.
  for (const { name: path, data } of packed()) {
    const name = IN_PACK + path;
    const html = Buffer.from(data).toString();
    const page = referencesInHtml(html);
    audit.policy.push(...policyFindings(name, html));
    anchors.set(name, page.anchors);
    audit.pages++;
    for (const reference of page.references) judge(name, reference, present, audit, fragments);
  }
  for (const { from, to, fragment, where } of fragments) {
    if (!anchors.get(to)?.has(fragment))
      audit.broken.push({ what: from, problem: `${where} points to #${fragment}, which ${to} does not have` });
  }
  return audit;
}

function read(dir: string, path: string, anchors: Map<string, Set<string>>, policy: Finding[]): Reference[] {
  if (/\.html?$/.test(path)) {
    const html = readFileSync(join(dir, path), 'utf8');
    const page = referencesInHtml(html);
    policy.push(...policyFindings(path, html));
    anchors.set(path, page.anchors);
    return page.references;
  }
  if (path.endsWith('.css')) return referencesInCss(readFileSync(join(dir, path), 'utf8'), 'style sheet');
  if (/\.m?js$/.test(path)) return referencesInScript(readFileSync(join(dir, path), 'utf8'), 'script');
  if (path.endsWith('.svg'))
    return referencesInHtml(readFileSync(join(dir, path), 'utf8')).references.filter(({ use }) => use === 'load');
  return [];
}

function policyFindings(path: string, html: string): Finding[] {
  return policyProblems(path, html).map((problem) => ({ what: path, problem }));
}

function judge(
  path: string,
  { href, use, where }: Reference,
  present: ReadonlySet<string>,
  audit: SiteAudit,
  fragments: Array<{ from: string; to: string; fragment: string; where: string }>,
): void {
  if (href.startsWith('pack:')) {
    audit.links++;
    if (!present.has(href.slice('pack:'.length)))
      audit.broken.push({ what: path, problem: `${where} names ${href.slice('pack:'.length)}, which is in no pack` });
    return;
  }
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme !== undefined || /^\s*[\\/]{2}/.test(href)) {
    const harmless = scheme === 'data' || scheme === 'blob' || (use === 'link' && scheme !== 'javascript');
    if (!harmless) audit.network.push({ what: path, problem: `${where} names ${href}` });
    return;
  }
  audit.links++;
  if (/^\s*[\\/]/.test(href)) {
    audit.broken.push({ what: path, problem: `${where} points to ${href}, which holds only at the root of a host` });
    return;
  }
  const [address = '', fragment] = href.split('#');
  const [bare = '', query] = address.split('?');
  // A page out of a pack is shown from the site's first folder.
  const folder = path.startsWith(IN_PACK) ? '.' : posix.dirname(path);
  const file = bare === '' ? path : decode(posix.normalize(posix.join(folder, bare)));
  const target = file === VIEWER && query !== undefined ? `${IN_PACK}${query}` : file;
  if (target.startsWith('../') || !present.has(target))
    audit.broken.push({ what: path, problem: `${where} points to ${href}, which is not in the site` });
  else if (fragment && fragment !== 'top' && /\.html?$/.test(target))
    fragments.push({ from: path, to: target, fragment: decode(fragment), where });
}

const IN_PACK = `${VIEWER}?`;

/** The pages of a compact site, by their paths; none of another. */
function readPackedPages(dir: string): Generator<Member> | never[] {
  return existsSync(join(dir, VIEWER)) ? readPacks(join(dir, 'pages')) : [];
}

function packedThumbs(dir: string): string[] {
  return existsSync(join(dir, VIEWER)) ? [...readPacks(join(dir, 'thumbs'))].map(({ name }) => name) : [];
}

function checkPaths(dir: string, files: string[]): Finding[] {
  const sizes = files.map((path) => [path, statSync(join(dir, path)).size] as const);
  return unportable(sizes).map(({ path, problem }) => ({ what: path, problem }));
}

function checkManifest(dir: string, present: ReadonlySet<string>): Finding[] {
  return readManifest(dir).flatMap(({ path, sha256 }): Finding[] => {
    if (!present.has(path)) return [{ what: path, problem: 'the file is lost' }];
    const now = createHash('sha256')
      .update(readFileSync(join(dir, path)))
      .digest('hex');
    return now === sha256 ? [] : [{ what: path, problem: `the file has the SHA-256 ${now}, not ${sha256} as built` }];
  });
}
