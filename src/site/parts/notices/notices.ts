/** The view models of notices: content warnings and cultural-protocol labels. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { inLanguage, type LocalText, languageOf } from '../../../model/text/local-text.ts';
import type { Notice, RecordNotices } from '../../notices/notices.ts';
import type { Site } from '../../site.ts';

/** A notice as lists show it. */
export type NoticeMark = ReturnType<typeof createMark>;

/** A notice as the page of a record shows it. */
export type NoticeView = ReturnType<typeof createNoticeViews>['warnings'][number];

/** Returns the notices on a record. `above` are those that the page shows already, of what the record is a part of. */
export function createNoticeViews(
  entry: Pick<ListedEntry, 'id' | 'ancestors'>,
  site: Pick<Site, 'notices' | 'locale' | 'kiosk'>,
  above: RecordNotices = { warnings: [], labels: [] },
) {
  const { warnings, labels } = site.notices.of(entry);
  const view = (notice: Notice) => ({
    ...createMark(notice, site),
    key: notice.key,
    text: notice.text === undefined ? undefined : textIn(notice.text, site),
    /** A kiosk has no links that leave the site. */
    link: site.kiosk ? undefined : notice.link,
  });
  return {
    warnings: warnings.filter((warning) => !above.warnings.includes(warning)).map(view),
    labels: labels.filter((label) => !above.labels.includes(label)).map(view),
  };
}

/** Returns a record's notices for its card, with the labels of the record whose image it shows; nothing without any. */
export function createNoticeMarks(
  entry: Pick<ListedEntry, 'id' | 'ancestors'>,
  site: Pick<Site, 'notices' | 'locale'>,
  shows: Pick<ListedEntry, 'id' | 'ancestors'> = entry,
): { warnings?: NoticeMark[]; labels?: NoticeMark[] } {
  const { warnings } = site.notices.of(entry);
  const { labels } = site.notices.of(shows);
  const marks = (notices: readonly Notice[]) => notices.map((notice) => createMark(notice, site));
  return {
    ...(warnings.length > 0 ? { warnings: marks(warnings) } : {}),
    ...(labels.length > 0 ? { labels: marks(labels) } : {}),
  };
}

/** Returns a notice in short. `kind` is what it is: “Content warning”. */
function createMark({ kind, title, image }: Notice, site: Pick<Site, 'locale'>) {
  const { rootPath, t } = site.locale;
  return { kind: t.notices[kind], title: textIn(title, site), image: image && { ...image, path: `${rootPath}${image.path}` } };
}

/** Returns a text, with its language as a BCP 47 tag if it is not the page's. */
function textIn(text: LocalText, { locale: { language } }: Pick<Site, 'locale'>) {
  return { text: inLanguage(text, language), lang: languageOf(text, language) };
}
