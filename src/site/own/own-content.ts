/** The archive's own pages and exhibits, as a site knows them. Their text is in Astro's content collections. */
import { READS } from '../../catalogue/dependencies/read-keys.ts';
import { EXHIBITS_PATH, ownPath } from '../../catalogue/urls.ts';
import type { SiteImage } from '../images.ts';
import type { Dictionary, Language } from '../language/locale.ts';

/** The kinds of own pages: the names of their directories, content collections and addresses. */
export const OWN_KINDS = ['pages', 'exhibits'] as const;
/** One of `OWN_KINDS`. */
export type OwnKind = (typeof OWN_KINDS)[number];

/** An own page or exhibit in one language. */
export interface OwnVersion {
  /** ID in the content collection: the path of its file below the directory of its kind, without extension. */
  entry: string;
  language: Language;
  title: string;
  description: string | undefined;
  /** Label in the menu. */
  menu: string | undefined;
  /** All of its text, as plain text. */
  text: string;
}

/** An own page or exhibit. */
export interface OwnPage {
  kind: OwnKind;
  slug: string;
  /** At least one; the first one is shown in languages without a version. */
  versions: readonly OwnVersion[];
  order: number;
  /** Such as `2026-05-01`. */
  date: string | undefined;
  /** ID of the record whose image is on its card. */
  image: string | undefined;
  /** Whether it shows data of the entire archive. */
  isWhole: boolean;
  /** Hash of its files. */
  hash: string;
}

/** All own pages and exhibits. Can be sent to threads. */
export interface OwnContent {
  /** In the order of menus and lists. */
  pages: readonly OwnPage[];
  /** The images beside texts, by path below the directory of the content. Their own paths are relative to the top of the site. */
  images: Readonly<Record<string, SiteImage>>;
}

/** An entry of the menu. */
export interface MenuEntry {
  label: string;
  /** The label's language, if it is not the page's. */
  lang: Language | undefined;
  /** Relative to the top of the locale's pages. */
  path: string;
}

/** The own words of a site, as its pages read them. */
export type Own = ReturnType<typeof openOwn>;

/** Returns the own words of a site. `onRead` is called with the key of each read (src/catalogue/dependencies/read-keys.ts). */
export function openOwn(content: OwnContent, onRead: (key: string) => void = () => undefined) {
  const pages = new Map(content.pages.map((page) => [nameOf(page), page]));
  const exhibits = content.pages.filter(({ kind }) => kind === 'exhibits');
  return {
    find(kind: OwnKind, slug: string) {
      const name = nameOf({ kind, slug });
      onRead(READS.lookup(LOOKUP, name));
      return pages.get(name);
    },
    /** Returns all exhibits, for lists of them. */
    exhibits() {
      onRead(READS.lookup(LOOKUP, EXHIBIT_LIST));
      return exhibits;
    },
    /** All pages, for the plan. What a page shows of another one must be read with the functions. */
    content,
  };
}

/** No own pages. */
export const NO_CONTENT: OwnContent = { pages: [], images: {} };

/** The kind of lookups in the catalogue file, which knows what changed since the last build. */
export const LOOKUP = 'own';
const EXHIBIT_LIST = 'exhibits';

/** Whether a read is of own pages, which are not of the archive. */
export const isOwnKey = (key: string): boolean => key.startsWith(READS.lookup(LOOKUP, ''));

/** Returns what pages read of own words, for the lookup in the catalogue file. */
export function ownLookup({ pages }: OwnContent): Record<string, unknown> {
  const exhibits = pages.filter(({ kind }) => kind === 'exhibits');
  const cards = exhibits.map(({ versions, ...page }) => [
    { ...page, hash: undefined },
    versions.map(({ language, title, description }) => [language, title, description]),
  ]);
  return {
    ...Object.fromEntries(pages.map((page) => [nameOf(page), page.hash])),
    ...(exhibits.length > 0 ? { [EXHIBIT_LIST]: cards } : {}),
  };
}

const nameOf = ({ kind, slug }: Pick<OwnPage, 'kind' | 'slug'>) => `${kind}/${slug}`;

/** Returns the version of a page for a language. */
export function versionIn({ versions }: Pick<OwnPage, 'versions'>, language: string): OwnVersion {
  const version = versions.find((one) => one.language === language) ?? versions[0];
  if (!version) throw new Error('An own page has at least one version');
  return version;
}

/** Entries of the masthead's menu; others are in the footer. */
const MAX_MENU = 6;

/** Returns own pages' menu entries in a language: the masthead's, and others. The build key has them: all pages show them. */
export function createOwnMenu({ pages }: OwnContent, { t, language }: { t: Dictionary; language: string }) {
  const entries = pages.flatMap((page): MenuEntry[] => {
    const version = versionIn(page, language);
    if (version.menu === undefined) return [];
    return [{ label: version.menu, lang: langOf(version, language), path: ownPath(page.kind, page.slug) }];
  });
  const hasExhibits = pages.some(({ kind }) => kind === 'exhibits');
  const exhibits: MenuEntry[] = hasExhibits ? [{ label: t.own.exhibits, lang: undefined, path: EXHIBITS_PATH }] : [];
  return { masthead: [...exhibits, ...entries.slice(0, MAX_MENU)], footer: entries.slice(MAX_MENU) };
}

/** Returns the `lang` attribute of a version's text; undefined if it is in the page's language. */
export function langOf({ language }: Pick<OwnVersion, 'language'>, pageLanguage: string): Language | undefined {
  return language === pageLanguage ? undefined : language;
}

/** Returns what all pages show of own words. */
export function menuOf({ pages }: OwnContent): unknown {
  const listed = pages.filter(({ versions }) => versions.some(({ menu }) => menu !== undefined));
  return [
    OWN_KINDS.filter((kind) => pages.some((page) => page.kind === kind)),
    listed.map(({ kind, slug, versions }) => [kind, slug, versions.map(({ language, menu }) => [language, menu])]),
  ];
}
