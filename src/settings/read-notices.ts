/** Reads the setting `notices` and its images, and checks them: before anything is built, and against the archive. */
import { hash } from 'node:crypto';
import type { Records } from '../catalogue/records.ts';
import { checkerOf, type SettingProblem } from '../model/setting-problem.ts';
import { applyToArchive, type Notice } from '../site/notices/notices.ts';
import { noticesSchema } from '../site/notices/settings.ts';
import { createFileReader, readShownImage, type SettingFiles } from './setting-files.ts';

/** Called with what is wrong in a setting. Throws if anything is. */
type Report = (problems: readonly SettingProblem[]) => void;

/** Notices, in the order of the setting and with the IDs that it names, and their files, which are those of the site by path. */
export type ReadNotices = Awaited<ReturnType<typeof readNotices>>;

/** A notice, and the IDs that it names as those of collections. */
export type NamedNotice = Notice & { collections: readonly string[] };

/** Bytes of an image. */
const MAX_IMAGE = 500_000;

/** Reads notices. Paths are relative to `directory`. Calls `report`, which throws, with problems such as unusable files. */
export async function readNotices(value: unknown, directory: string, report: Report) {
  report(checkerOf('notices', noticesSchema)(value));
  const problems: SettingProblem[] = [];
  const reader = createFileReader('notices', directory, problems);
  const files = new Map<string, Buffer>();
  const notices: NamedNotice[] = [];
  for (const [i, { kind, title, text, image, link, ids = [], collections = [] }] of noticesSchema.parse(value).entries())
    notices.push({
      kind,
      title,
      text,
      link,
      collections,
      key: hash('sha256', JSON.stringify([title, text])).slice(0, 12),
      image: image === undefined ? undefined : await readImage(`${i}.image`, image, reader, files),
      ids: [...ids, ...collections],
    });
  report(problems);
  return { notices, files, hash: hash('sha256', JSON.stringify(notices)), report };
}

/** Reads an image, which is shown as it is: its path in the site is made from its bytes. */
async function readImage(name: string, path: string, reader: SettingFiles, files: Map<string, Buffer>) {
  const image = await readShownImage(name, path, MAX_IMAGE, reader);
  if (!image) return undefined;
  const inSite = `assets/notices/${hash('sha256', image.bytes).slice(0, 12)}.${image.extension}`;
  files.set(inSite, image.bytes);
  return { path: inSite, width: image.width, height: image.height };
}

/**
 * Returns the notices as a site shows them. `isStored` returns whether the snapshot has a record that the site may not show, or
 * had it before a purge.
 * @throws {UsageError} that names each record that does not exist, or cannot have a notice
 */
export function locateNotices(
  read: ReadNotices | undefined,
  objects: Pick<Records, 'listed' | 'withMedia'>,
  isStored: (id: string) => boolean,
): Notice[] {
  if (!read) return [];
  const { notices, report } = read;
  report(notices.flatMap((notice, i) => problemsOf(notice, i, objects, isStored)));
  const located = notices.map(({ collections: _, ...notice }) => notice);
  return applyToArchive(located, objects);
}

function problemsOf(
  { ids, collections }: NamedNotice,
  position: number,
  objects: Pick<Records, 'listed'>,
  isStored: (id: string) => boolean,
): SettingProblem[] {
  const firstCollection = ids.length - collections.length;
  return ids.flatMap((id, i): SettingProblem[] => {
    const [name, at] = i < firstCollection ? ['ids', i] : ['collections', i - firstCollection];
    const problem = problemWith(id, name === 'collections', objects, isStored);
    const path = ['notices', String(position), String(name), String(at)];
    return problem === undefined ? [] : [{ path, problem: `"${path.slice(0, 3).join('.')}": ${problem}` }];
  });
}

function problemWith(id: string, mustBeCollection: boolean, objects: Pick<Records, 'listed'>, isStored: (id: string) => boolean) {
  const model = objects.listed(id)?.model;
  if (model === undefined) return isStored(id) ? undefined : `the record ${id} is not in the snapshot.`;
  if (model === 'repository' || model === 'organization') return `${id} is above the collections. Name its collections.`;
  return mustBeCollection && model !== 'collection' ? `${id} is not a collection. Name it in "ids".` : undefined;
}
