/** The heading of a record's page. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { withoutName } from '../../../model/segment-title.ts';
import { shownTitle } from '../../fields/record-title.ts';
import type { Locale } from '../../language/locale.ts';
import { type Crumb, recordCrumb } from '../../parts/frame/page-parts.ts';
import type { Site } from '../../site.ts';
import { type TextLangContext, textLang } from '../../text/text-lang.ts';

/** A heading. Its parts in their order are the complete title. */
export interface Heading {
  /** The interview whose name the title of a segment begins with. */
  interview: Crumb | undefined;
  /** Words that stay on one line, such as “Segment 3”. */
  number: string;
  rest: string;
  /** The language of the title, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  /** Whether the title is so long that a heading of the usual size would fill the screen. */
  isLong: boolean;
  /** The ID, if nothing else of the record is known. */
  id?: string;
}

/** Characters. */
const LONG_TITLE = 80;

/** Returns the heading for a title. */
export function createHeading(
  title: string,
  entry: Pick<ListedEntry, 'model' | 'parent' | 'facets'>,
  site: Pick<Site, 'relations'> & TextLangContext,
): Heading {
  const parent = entry.model === 'segment' && entry.parent !== undefined ? site.relations.object(entry.parent) : undefined;
  const shortTitle = withoutName(title, parent?.title);
  const hasName = shortTitle !== title;
  const [number = ''] = (hasName && /^\p{L}+ \d+/u.exec(shortTitle)) || [];
  return {
    interview: parent && hasName ? recordCrumb(parent, site) : undefined,
    number,
    rest: shortTitle.slice(number.length),
    lang: textLang(title, site, entry),
    isLong: shortTitle.length > LONG_TITLE,
  };
}

/** Returns the heading of a record of which only the ID is known. */
export function createUntitledHeading(entry: ListedEntry, { t }: Locale): Heading {
  const rest = shownTitle(entry, t);
  return { interview: undefined, number: '', rest, lang: undefined, isLong: false, id: entry.id };
}
