/** A guide page's texts: sanitized, each paragraph once, notes linked both ways; and its facts, with labels of its fields. */
import { articlePath } from '../../../catalogue/urls.ts';
import type { Position } from '../../../model/coordinates.ts';
import type { ArticleFact, ArticleSection } from '../../../model/guide/article-fields.ts';
import { capitalize } from '../../../model/text/capitalize.ts';
import { cutElements, type HtmlElement } from '../../../model/text/cut-elements.ts';
import { MAX_LABEL_LENGTH, MAX_TITLE_LENGTH } from '../../../model/text/limits.ts';
import { nonTextElements, parseMarkup } from '../../../model/text/markup.ts';
import { decodePercent } from '../../../model/text/percent.ts';
import { toPlainText, truncateWords } from '../../../model/text/text.ts';
import { codeLabel, type Locale } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfLiveUrl } from '../../text/links.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';

/** One text of a guide page, with the ID of its heading, if the list of contents has it. */
type ArticleText = ReturnType<typeof createArticleTexts>[number] & { headingId?: string | undefined };

/** Fewer headings need no list. */
const MIN_CONTENTS = 3;

/** Adds IDs to the headings of sections in texts. Returns the texts, and a list of these headings if there are several. */
export function addContents(texts: readonly ArticleText[]) {
  const contents: Array<{ id: string; label: string }> = [];
  const add = (label: string) => {
    const id = `section-${contents.length + 1}`;
    contents.push({ id, label });
    return id;
  };
  const named = texts.map((text): ArticleText => {
    const headingId = text.heading === undefined ? undefined : add(text.heading);
    // Sanitized HTML has no attributes with angle brackets.
    const html = text.html.replace(/<h2((?: [^<>]*)?)>(.*?)<\/h2>/gs, (all, attributes: string, content: string) => {
      const label = truncateWords(toPlainText(content), MAX_LABEL_LENGTH);
      return label === '' || / id=/.test(attributes) ? all : `<h2 id="${add(label)}"${attributes}>${content}</h2>`;
    });
    return { ...text, headingId, html };
  });
  return contents.length < MIN_CONTENTS ? { texts: [...texts], contents: [] } : { texts: named, contents };
}

/** Returns the texts of a guide page. */
export function createArticleTexts(
  sections: readonly ArticleSection[],
  entry: { title: string; slug: string },
  authors: readonly string[],
  site: Site,
) {
  const path = articlePath(entry.slug);
  const byline = lettersOf(`Authored by ${authors.join(' ')}`);
  const shown = withoutRepeats(sections).map(({ field, html }) => ({
    field,
    // The page has the byline above. One with more than names stays.
    html: cutElements(stripRepeatedHeading(html, entry.title), ({ text }) => lettersOf(text) === byline).rest,
  }));
  const ids = findLinkedIds(shown.map(({ html }) => html).join('\n'));
  const resolveLink = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  const resolve = (href: string) => {
    if (!href.startsWith('#')) return resolveLink(href);
    const id = decodePercent(href.slice(1));
    return ids.has(id) ? { href: `#${ID_PREFIX}${encodeURIComponent(id)}`, external: false } : undefined;
  };
  const used = new Set<string>();
  const toId = (id: string) => {
    if (!ids.has(id) || used.has(id)) return undefined;
    used.add(id);
    return `${ID_PREFIX}${id}`;
  };
  return shown.map(({ field, html }) => ({
    /** Undefined for the body, and for a text that begins with a heading of its own. */
    heading: field === 'body' || /^\s*(?:<div[^>]*>\s*)*<h[1-6]\b/i.test(html) ? undefined : labelOfField(field, site.locale),
    html: toSafeHtml(html, resolve, toId),
    /** The language, if it is not the page's: a BCP 47 tag. */
    lang: textLang(html, site),
  }));
}

/** Before the IDs of texts, so that none is that of another element of the page. */
const ID_PREFIX = 'text-';

/** Returns the IDs in HTML to which a link in it leads. */
function findLinkedIds(html: string): ReadonlySet<string> {
  const [targets, ids] = [new Set<string>(), new Set<string>()];
  const nonText = nonTextElements(html);
  parseMarkup(html, {
    onopentag: (tag, { href, name, id = tag === 'a' ? name : undefined }) => {
      if (href?.startsWith('#')) targets.add(decodePercent(href.slice(1)));
      if (id !== undefined && !/\s/.test(id) && !nonText.includes(tag)) ids.add(id);
    },
  });
  return ids.intersection(targets);
}

/** Letters and digits. Shorter texts may be repeated: a name in a list, or “Ibid.” in a note. */
const MIN_REPEATED = 30;
/** Characters. Longer elements are compared by the elements in them. */
const MAX_COMPARED = 20_000;
const BLOCKS = new Set('p div section ul ol li dl table blockquote pre'.split(' '));

/** Whether a text is in another one, regardless of spaces and punctuation. */
export function isRepeated(text: string, other: string): boolean {
  const own = lettersOf(text);
  return own.length >= MIN_REPEATED && lettersOf(other).includes(own);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\[\d+\]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns the letters of a block of text; none of other elements, and of those that are too long. */
function comparedLetters({ name, text }: HtmlElement): string {
  return BLOCKS.has(name) && text.length <= MAX_COMPARED ? lettersOf(text) : '';
}

/** Returns texts without what the ones before have too. The notes stay: some say the same. */
function withoutRepeats(sections: readonly ArticleSection[]): ArticleSection[] {
  const before = new Set<string>();
  return sections.flatMap(({ field, html }) => {
    const isCut = field !== 'body' && field !== 'footnotes';
    const isBefore = (letters: string) => letters.length >= MIN_REPEATED && before.has(letters);
    const own = isCut ? cutElements(html, (element) => isBefore(comparedLetters(element))).rest : html;
    cutElements(html, (element) => {
      before.add(comparedLetters(element));
      return false;
    });
    const text = own.replace(/<h([1-6])\b[^>]*>.*?<\/h\1>/gis, '');
    return toPlainText(text) === '' ? [] : [{ field, html: own }];
  });
}

/** Removes a heading at the start of a text that repeats the title. */
function stripRepeatedHeading(html: string, title: string): string {
  return html.replace(/^((?:\s*<div[^<>]*>)*\s*)<h[12][^>]*>(.*?)<\/h[12]>/is, (all, before: string, content: string) =>
    truncateWords(toPlainText(content), MAX_TITLE_LENGTH) === title ? before : all,
  );
}

/** First words of names in which upstream writes several as one. */
const RUN_TOGETHER =
  /(?:media|interest|reading|related|free|web|has|teaching)(?=aids?|articles?|events?|formats?|levels?|objects?|sites?|teaching|topics?|types?|versions?|web)/g;

/** Returns the label of a field: its words if they are not known, without the prefix that groups fields upstream. */
export function labelOfField(name: string, { t }: Pick<Locale, 't'>): string {
  const known = codeLabel(t.guide.fields, name);
  if (known !== name) return known;
  const words = name
    .replace(/^rg_(?:rg)?/, '')
    .replace(RUN_TOGETHER, '$& ')
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replaceAll('_', ' ')
    .trim();
  return capitalize(words);
}

/** Characters. A longer fact is a text of its own, and folded. */
const MAX_OPEN_FACT = 120;
/** Facts that only a database needs, such as `SoSUID`. */
const CODE = /(?:UID|Id)$/;
/** What the location says too. */
const IN_LOCATION: ReadonlySet<string> = new Set(['CityName', 'StateName']);

/** Returns a value as a reader writes it: an address, which has a target, is the name of its host, a date is in words. */
function createFactValue(value: string, resolve: ResolveLink, { formatRecordDate }: Locale) {
  const target = /^https?:\/\/\S+$/.test(value) ? resolve(value) : undefined;
  const text = /^\d{4}-\d\d-\d\d$/.test(value) ? formatRecordDate(value) : value;
  const start = value.length > MAX_OPEN_FACT ? truncateWords(value, MAX_OPEN_FACT / 2) : undefined;
  return { label: target?.external ? new URL(value).host : text, href: target?.href, isExternal: target?.external, start };
}

/** Returns the facts of a guide page that are for readers, and its position. Its title, it has above. */
export function createFactRows(
  { title, facts, position }: { title: string; facts: readonly ArticleFact[]; position: Position | undefined },
  resolve: ResolveLink,
  locale: Locale,
) {
  const hasLocation = facts.some(({ name }) => name === 'LocationName');
  const rows = facts
    .filter(({ name }) => !CODE.test(name) && !(hasLocation && IN_LOCATION.has(name)))
    // The position says the same.
    .filter(({ name, values }) => (position === undefined || !/^GISL(?:at|ng)$/.test(name)) && values.join() !== title)
    .map(({ name, values }) => ({
      label: labelOfField(name, locale),
      values: values.map((text) => createFactValue(text, resolve, locale)),
    }));
  const stated = position && [position.lat, position.lng].map((degrees) => degrees.toFixed(4).replace('-', '−')).join(', ');
  return [...rows, ...(stated ? [{ label: locale.t.guide.position, values: [createFactValue(stated, resolve, locale)] }] : [])];
}
