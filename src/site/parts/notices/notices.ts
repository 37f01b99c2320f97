/** The view models of notices: content warnings and cultural-protocol labels. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { inLanguage, type LocalText, languageOf } from '../../../model/text/local-text.ts';
import type { SiteImage } from '../../images.ts';
import type { Notice, RecordNotices } from '../../notices/notices.ts';
import type { Site } from '../../site.ts';

/** A text of a notice. */
export interface NoticeText {
  text: string;
  /** Its language, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
}

/** A notice as lists show it. */
export interface NoticeMark {
  /** What it is: “Content warning”. */
  kind: string;
  title: NoticeText;
  image: SiteImage | undefined;
}

/** A notice as the page of a record shows it. */
export interface NoticeView extends NoticeMark {
  key: string;
  text: NoticeText | undefined;
  /** A URL; undefined in a kiosk, which has no links that leave the site. */
  link: string | undefined;
}

/** The notices on a page. */
export type NoticeViews = ReturnType<typeof createNoticeViews>;

type Context = Pick<Site, 'notices' | 'locale' | 'kiosk'>;

/** Returns the notices on a record. `above` are those that the page shows already, of what the record is a part of. */
export function createNoticeViews(
  entry: Pick<ListedEntry, 'id' | 'ancestors'>,
  site: Context,
  above: RecordNotices = { warnings: [], labels: [] },
) {
  const { warnings, labels } = site.notices.of(entry);
  const view = (notice: Notice): NoticeView => {
    const text = notice.text === undefined ? undefined : textIn(notice.text, site);
    return { ...createMark(notice, site), key: notice.key, text, link: site.kiosk ? undefined : notice.link };
  };
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

function createMark({ kind, title, image }: Notice, site: Pick<Site, 'locale'>): NoticeMark {
  const { rootPath, t } = site.locale;
  return { kind: t.notices[kind], title: textIn(title, site), image: image && { ...image, path: `${rootPath}${image.path}` } };
}

function textIn(text: LocalText, { locale: { language } }: Pick<Site, 'locale'>): NoticeText {
  return { text: inLanguage(text, language), lang: languageOf(text, language) };
}
