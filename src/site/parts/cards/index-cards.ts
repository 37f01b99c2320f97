/** The cards of the lists of guide pages and of facilities: each with a sentence and, if the archive has one, an image. */
import type { ArticleEntry, ListedEntry } from '../../../catalogue/entries.ts';
import type { Letter } from '../../../catalogue/lists/letters.ts';
import { nameKey } from '../../../catalogue/lists/term-summaries.ts';
import { truncateWords } from '../../../model/text/text.ts';
import { placeholder, type SiteImage } from '../../images.ts';
import type { TermLine } from '../../pages/term/term.ts';
import type { Site } from '../../site.ts';
import { textLang } from '../../text/text-lang.ts';
import { articleLine, type NameLine, sortLines } from '../names/name-lists.ts';
import { createNoticeMarks, type NoticeMark } from '../notices/notices.ts';
import { describeRecords } from './kind-counts.ts';
import { findSourceThumbnail, imageRecordsOf, MAX_IMAGE_RECORDS, thumbnailsAmong } from './record-thumbnail.ts';

/** One card. */
export interface IndexCard extends NameLine {
  sentence: string;
  /** The language of the label and the sentence, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  image: SiteImage;
  isPlaceholder: boolean;
  /** Cultural-protocol labels on the record that the image shows. */
  labels?: NoticeMark[];
  /** The letter under which it is filed. */
  letter: Letter;
}

/** Characters of a sentence. */
const MAX_SENTENCE = 120;

/** Returns the cards of guide pages, letter by letter. */
export function createArticleCards(articles: readonly ArticleEntry[], site: Site): IndexCard[] {
  const { letters, letterOf } = site.locale;
  const imageOf = createImageFinder('guide', site);
  const cards = articles.map((article) => {
    const { title, excerpt } = article;
    const line = articleLine(article, site.locale);
    return {
      ...line,
      sentence: truncateWords(excerpt, MAX_SENTENCE),
      lang: textLang(`${title}. ${excerpt}`, site),
      ...imageOf(imageRecordsOf(article, site), findSourceThumbnail(article, site)),
      letter: letterOf(line.sort),
    };
  });
  return sortLines(cards, site.locale).sort((a, b) => letters.indexOf(a.letter) - letters.indexOf(b.letter));
}

/** Returns the cards of facilities: with the beginning of the guide page of the name, or with what their records are. */
export function createFacilityCards(lines: readonly TermLine[], site: Site): IndexCard[] {
  const { relations, locale } = site;
  const imageOf = createImageFinder('image', site);
  return lines.map((line) => {
    const [article] = relations.named(nameKey(line.label)).articles;
    const summary = relations.summary('facility', line.slug);
    const own = summary ? describeRecords(summary, locale) : '';
    const excerpt = truncateWords(article?.excerpt ?? '', MAX_SENTENCE);
    const records = relations.recordsWith('facility', line.slug).withMedia().slice(0, MAX_IMAGE_RECORDS);
    return {
      ...line,
      sentence: excerpt || own,
      lang: article && textLang(`${article.title}. ${article.excerpt}`, site),
      ...imageOf(records),
      letter: locale.letterOf(line.sort),
    };
  });
}

/**
 * Returns a function that finds the image of records: that of the first photograph, or else of the first record that has one,
 * and, as long as there are others, none that an earlier card has. Without any, it is `other`, or the placeholder of a kind.
 */
function createImageFinder(kind: Parameters<typeof placeholder>[0], site: Site) {
  const used = new Set<string>();
  return (records: readonly ListedEntry[], other?: SiteImage): Pick<IndexCard, 'image' | 'isPlaceholder' | 'labels'> => {
    const thumbnails = [...thumbnailsAmong(records, site)];
    const found = thumbnails.find(({ image }) => !used.has(image.path)) ?? thumbnails[0];
    if (!found && other) return { image: other, isPlaceholder: false };
    if (!found) return { image: placeholder(kind, site.locale.rootPath), isPlaceholder: true };
    used.add(found.image.path);
    const { labels } = createNoticeMarks(found.shows, site);
    return { image: found.image, isPlaceholder: false, ...(labels ? { labels } : {}) };
  };
}
