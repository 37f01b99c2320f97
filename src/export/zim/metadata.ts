/** The metadata of a ZIM file: https://wiki.openzim.org/wiki/Metadata. */
import sharp from 'sharp';
import { UserError } from '../../model/errors.ts';
import { slugOf } from '../../model/text/slug.ts';
import { truncateWords } from '../../model/text/text.ts';
import type { SiteIdentity } from '../../publish/site-identity.ts';
import { SOFTWARE } from '../export-context.ts';

/** Name of the metadata that holds the program which made the content. */
export const SCRAPER = 'Scraper';
/** Name of the illustration, which readers show in their list of ZIM files. */
export const ILLUSTRATION = 'Illustration_48x48@1';
const ILLUSTRATION_PIXELS = 48;
/** The SVG icon is small, so it is rasterized at a higher resolution. */
const ICON_SCALE = 8;
const MAX_ICON_BYTES = 1024 * 1024;
const MAX_TITLE = 30;
const MAX_DESCRIPTION = 80;
const MAX_LONG_DESCRIPTION = 4000;
/** The date if the time of the harvest is not known. */
const NO_DATE = '1970-01-01';

/** What the metadata is about. */
export interface ZimFacts {
  title: string;
  description: string;
  identity: Pick<SiteIdentity, 'catalogUrl' | 'harvestedOn' | 'language'>;
  /** Languages of the site's pages as BCP 47 tags, main language first. */
  pageLanguages: readonly string[];
  hasFullText: boolean;
  /** Number of entries by media type. */
  counter: ReadonlyMap<string, number>;
}

/** Returns the text of each metadata by its name. */
export function createMetadata(facts: ZimFacts): Map<string, string> {
  const { title, description, identity, pageLanguages, hasFullText, counter } = facts;
  const languages = [identity.language, ...pageLanguages].flatMap((tag) => (tag ? [iso6393(tag)] : []));
  const [main = 'und'] = languages;
  const { catalogUrl, harvestedOn } = identity;
  const counts = Array.from(counter, ([type, count]) => `${type}=${count}`);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(harvestedOn ?? '');
  const long = title.length > MAX_TITLE || description.length > MAX_DESCRIPTION ? `${title}. ${description}` : undefined;
  return new Map([
    ['Counter', counts.sort().join(';')],
    ['Creator', title],
    ['Date', isDate ? (harvestedOn as string) : NO_DATE],
    ['Description', truncateWords(description || title, MAX_DESCRIPTION - 1)],
    ['Language', [...new Set(languages)].join(',') || main],
    ...(long === undefined ? [] : [['LongDescription', truncateWords(long, MAX_LONG_DESCRIPTION - 1)] as const]),
    ['Name', `${slugOf(title)}_${main}_all`],
    ['Publisher', SOFTWARE],
    [SCRAPER, SOFTWARE],
    ...(catalogUrl && /^https?:/.test(catalogUrl) ? [['Source', catalogUrl] as const] : []),
    ['Tags', `_ftindex:${hasFullText ? 'yes' : 'no'};_pictures:yes;_videos:yes;_details:yes`],
    ['Title', truncateWords(title, MAX_TITLE - 1)],
  ]);
}

/**
 * Returns the illustration as PNG.
 * @throws {UserError} if the icon is not an SVG image.
 */
export async function createIllustration(icon: Uint8Array): Promise<Uint8Array> {
  try {
    if (icon.length > MAX_ICON_BYTES) throw new Error('it is too large');
    return await sharp(icon, { density: 72 * ICON_SCALE })
      .resize(ILLUSTRATION_PIXELS, ILLUSTRATION_PIXELS, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer();
  } catch (cause) {
    throw new UserError(`The icon of the site, assets/icon.svg, cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

/** The codes with two letters (ISO 639-1), each followed by that with three. */
const PAIRS =
  `aa aar ab abk ae ave af afr ak aka am amh an arg ar ara as asm av ava ay aym az aze ba bak be bel bg bul bi bis bm bam bn ben
  bo bod br bre bs bos ca cat ce che ch cha co cos cr cre cs ces cu chu cv chv cy cym da dan de deu dv div dz dzo ee ewe el ell en eng eo epo
  es spa et est eu eus fa fas ff ful fi fin fj fij fo fao fr fra fy fry ga gle gd gla gl glg gn grn gu guj gv glv ha hau he heb hi hin ho hmo
  hr hrv ht hat hu hun hy hye hz her ia ina id ind ie ile ig ibo ii iii ik ipk io ido is isl it ita iu iku ja jpn jv jav ka kat kg kon ki kik
  kj kua kk kaz kl kal km khm kn kan ko kor kr kau ks kas ku kur kv kom kw cor ky kir la lat lb ltz lg lug li lim ln lin lo lao lt lit lu lub
  lv lav mg mlg mh mah mi mri mk mkd ml mal mn mon mr mar ms msa mt mlt my mya na nau nb nob nd nde ne nep ng ndo nl nld nn nno no nor nr nbl
  nv nav ny nya oc oci oj oji om orm or ori os oss pa pan pi pli pl pol ps pus pt por qu que rm roh rn run ro ron ru rus rw kin sa san sc srd
  sd snd se sme sg sag si sin sk slk sl slv sm smo sn sna so som sq sqi sr srp ss ssw st sot su sun sv swe sw swa ta tam te tel tg tgk th tha
  ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig uk ukr ur urd uz uzb ve ven vi vie vo vol wa wln wo wol xh xho
  yi yid yo yor za zha zh zho zu zul`.split(/\s+/);
const codes = new Map(PAIRS.flatMap((code, i) => (i % 2 === 0 ? [[code, PAIRS[i + 1] as string]] : [])));

/** Returns the three-letter code of the language of a BCP 47 tag: `jpn` for `ja-JP`; `und` (undetermined) if it has none. */
export function iso6393(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return codes.get(language) ?? (/^[a-z]{3}$/.test(language) ? language : 'und');
}
