/** The operator's notices on records: content warnings, which cover their subject, and cultural-protocol labels before it. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { Records } from '../../catalogue/records.ts';
import type { LocalText } from '../../model/text/local-text.ts';
import type { SiteImage } from '../images.ts';
import type { NOTICE_KINDS } from './settings.ts';

/** One notice. It can be sent to threads. */
export interface Notice {
  kind: (typeof NOTICE_KINDS)[number];
  /** Identifies what it says. */
  key: string;
  title: LocalText;
  text: LocalText | undefined;
  /** Its path is relative to the top of the site. */
  image: SiteImage | undefined;
  /** A URL. */
  link: string | undefined;
  /** IDs of the records to which it applies, with everything below them. */
  ids: readonly string[];
  /** The images of these records that others have too, by the ID of each of the others. URLs upstream. */
  sharedImages?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The notices on a record: those of the collection first, its own last. */
export type RecordNotices = Record<'warnings' | 'labels', readonly Notice[]>;

/** The notices of a site. */
export type Notices = ReturnType<typeof openNotices>;

const NONE: RecordNotices = { warnings: [], labels: [] };

/** Returns the notices of a site. If a record's notices change, pages that read it change (src/build/pages/site-source.ts). */
export function openNotices(notices: readonly Notice[]) {
  const byId = groupById(notices);
  const shared = sharedImagesById(notices);
  return {
    isEmpty: notices.length === 0,
    /** Returns the URLs of a record’s images, without those of other records that have a notice. */
    mediaUrls({ id, mediaUrls }: Pick<ListedEntry, 'id' | 'mediaUrls'>) {
      const others = shared.get(id);
      return others ? mediaUrls.filter((url) => !others.has(url)) : mediaUrls;
    },
    /** Returns the notices on a record. */
    of({ id, ancestors }: Pick<ListedEntry, 'id' | 'ancestors'>): RecordNotices {
      const found = new Set([...ancestors, id].flatMap((each) => byId.get(each) ?? []));
      if (found.size === 0) return NONE;
      const all = [...found];
      return { warnings: all.filter(({ kind }) => kind === 'warning'), labels: all.filter(({ kind }) => kind === 'label') };
    },
  };
}

/** Returns notices with all that they apply to beside the named records: items of files, and records with the same images. */
export function applyToArchive(notices: readonly Notice[], objects: Pick<Records, 'listed' | 'withMedia'>): Notice[] {
  return withSharedImages(withItemsOfFiles(notices, objects), objects);
}

/** Returns notices with the items of the files named: a notice on a file is one on its item too, whose page shows it. */
function withItemsOfFiles(notices: readonly Notice[], objects: Pick<Records, 'listed'>): Notice[] {
  return notices.map((notice) => ({
    ...notice,
    ids: notice.ids.flatMap((id) => {
      const entry = objects.listed(id);
      return entry?.model === 'file' && entry.parent !== undefined ? [id, entry.parent] : [id];
    }),
  }));
}

/**
 * Returns notices with the images that other records share with those to which they apply: an interview has a still of one of its
 * segments, a collection the image of an item. Not those of records that have a notice too, which covers or precedes the image; a
 * label does not cover it.
 */
function withSharedImages(notices: readonly Notice[], objects: Pick<Records, 'withMedia'>): Notice[] {
  const found = notices.map((notice) => {
    const ids = new Set(notice.ids);
    const isOf = ({ id, ancestors }: ListedEntry) => ids.has(id) || ancestors.some((each) => ids.has(each));
    return { notice, isOf, own: new Set<string>(), shared: {} as Record<string, string[]> };
  });
  if (found.length === 0) return [];
  for (const entry of objects.withMedia())
    for (const { isOf, own } of found) if (isOf(entry)) for (const url of entry.mediaUrls) own.add(url);
  for (const entry of objects.withMedia()) {
    const kinds = new Set(found.filter(({ isOf }) => isOf(entry)).map(({ notice }) => notice.kind));
    for (const { notice, own, shared } of found) {
      const isNoticed = notice.kind === 'label' ? kinds.size > 0 : kinds.has('warning');
      const urls = isNoticed ? [] : entry.mediaUrls.filter((url) => own.has(url));
      if (urls.length > 0) shared[entry.id] = urls;
    }
  }
  return found.map(({ notice, shared }) => ({ ...notice, sharedImages: shared }));
}

/** Whether a content warning covers a record, so that it has an image only on its own page. */
export function isCovered(entry: Pick<ListedEntry, 'id' | 'ancestors'>, { notices }: { notices: Notices }): boolean {
  return notices.of(entry).warnings.length > 0;
}

/** Whether a record has a content warning or a cultural-protocol label, for which only its own page has room. */
export function hasNotice(entry: Pick<ListedEntry, 'id' | 'ancestors'>, { notices }: { notices: Notices }): boolean {
  const { warnings, labels } = notices.of(entry);
  return warnings.length + labels.length > 0;
}

/** Returns the cultural-protocol labels on a record that are not on another one, which is above it. */
export function furtherLabels(
  entry: Pick<ListedEntry, 'id' | 'ancestors'>,
  above: Pick<ListedEntry, 'id' | 'ancestors'>,
  { notices }: { notices: Notices },
): Notice[] {
  const { labels } = notices.of(above);
  return notices.of(entry).labels.filter((label) => !labels.includes(label));
}

/** Returns what applies to each named record, by ID: if it changes, so do pages that show the record or one below it. */
export function noticeLookup(notices: readonly Notice[]): Record<string, unknown> {
  const own = new Map<string, unknown>(
    Array.from(groupById(notices), ([id, each]) => [id, each.map(({ ids: _, sharedImages: __, ...notice }) => notice)]),
  );
  const shared = Array.from(sharedImagesById(notices), ([id, urls]) => [id, [{ sharedImages: [...urls] }, own.get(id)]] as const);
  return Object.fromEntries([...own, ...shared]);
}

function sharedImagesById(notices: readonly Notice[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byId = new Map<string, Set<string>>();
  for (const { sharedImages = {} } of notices)
    for (const [id, urls] of Object.entries(sharedImages)) byId.set(id, new Set([...(byId.get(id) ?? []), ...urls]));
  return byId;
}

function groupById(notices: readonly Notice[]): ReadonlyMap<string, readonly Notice[]> {
  const byId = new Map<string, Notice[]>();
  for (const notice of notices) for (const id of new Set(notice.ids)) byId.set(id, [...(byId.get(id) ?? []), notice]);
  return byId;
}
