/** Tells names of organizations and families from persons', by words of English, Spanish, Japanese and some neighbors. */
import { MAX_LABEL_LENGTH } from '../text/limits.ts';
import words from './name-words.json' with { type: 'json' };
import { findRole } from './roles.ts';

const alternatives = (lines: readonly string[]) => lines.join(' ').replaceAll(' ', '|');

/** Words that only organizations have in their names. */
const ORGANIZATION_WORDS = new RegExp(
  `(?<![\\p{L}\\p{M}'’-])(?:${alternatives(words.organizations)}|(?:ken|fu|nihon|nippon|nihon)?jin-?kai|\\p{L}{3,}jinkai|\\p{L}+gakuen|\\p{L}+shimbun)(?![\\p{L}\\p{M}])`,
  'iu',
);

/** Words that are also surnames: Frederic Church, Shirley Temple. They make an organization unless a given name precedes them. */
const AMBIGUOUS_WORDS = new RegExp(`(?<![\\p{L}\\p{M}'’-])(?:${alternatives(words.ambiguous)})(?![\\p{L}\\p{M}])`, 'iu');

/** Given names that occur with a surname which is also such a word. */
export const COMMON_GIVEN_NAMES: ReadonlySet<string> = new Set(words.givenNames.flatMap((line) => line.split(' ')));

/** What names of organizations end with in Japanese, Chinese and Korean. Surnames that end so are left out. */
const EAST_ASIAN_ORGANIZATION =
  /(?:会|會|社|団|團|団体|組合|連盟|同盟|連合|教会|教會|学校|學校|小学校|中学校|大学|大學|高校|学園|学院|学会|幼稚園|保育園|図書館|博物館|資料館|美術館|会館|公文書館|文書館|研究所|研究室|病院|医院|銀行|商店|商会|書店|写真館|写真店|旅館|農園|新聞|放送|放送局|出版|印刷所|印刷|委員会|協会|本部|支部|新報|日報|時報|婦人部|青年部|部隊|連隊|聯隊|政府|市役所|役場|役所|裁判所|警察署|警察|領事館|大使館|公使館|収容所|転住所|移住局|局|省庁|[務軍蔵境働業信設商林部法科生]省|[察融化災]庁|県庁|[都道府県市町村]立.*|神社|仏教会|別院|本願寺|[^野園]寺|公司|株式会社|有限会社|事務所|事務局|編集部|同窓会|교회|협회|학교|대학교?|회사|도서관|박물관|신문|연구소|위원회)$|^(?:株式会社|有限会社|合資会社|財団法人|社団法人|学校法人|NPO法人|国立|県立|市立|私立)|^(?:㈱)|（株）|\(株\)/u;

const FAMILIES: readonly RegExp[] = [
  /^(?:(?:gift|courtesy)\s+of\s+)?(?:the\s+)?(?<family>.+?)[,\s]+\(?(?:family|families|familia|household)\)?\.?$/iu,
  /^(?:the\s+)?(?:family|familia|famille|familie)\s+(?:of\s+(?:the\s+)?|de\s+(?:los\s+)?)?(?<family>.+)$/iu,
  /^(?<family>\p{Script=Han}{1,4})\s?(?:家|ファミリー|一家|家族)$/u,
];

/** “Mr. and Mrs. Ota”, “Ota, Mr. and Mrs. Kenji”. */
const MARRIED_COUPLE = /^(?:\p{Lu}[\p{L}'’-]*,\s+)?(?:Mr|Dr|Rev|Sr)\.?\s+(?:and|&|y)\s+(?:Mrs|Ms|Dr|Sra)\.?(?:\s|$)/u;
/** “John and Mary Ota”, “John Ota & Mary Ota”. */
const PAIR =
  /^(?<one>\p{L}+)(?:\s+\p{Lu}[\p{L}.'’-]*){0,2}\s+(?:and|&|y)\s+(?<other>\p{Lu}\p{L}+)(?:\s+\p{Lu}[\p{L}.'’-]*){1,3}$/u;

/** “Ota, Kenji and Mary”. */
const INVERTED_PAIR =
  /^\p{Lu}[\p{L}'’-]*,\s+(?<one>\p{L}+)(?:\s+\p{Lu}\.?)?\s+(?:and|&|y)\s+(?<other>\p{Lu}\p{L}+)(?:\s+\p{Lu}\.?)?$/u;

/** Returns the family that a name names: its surname, or the whole text if that is more. Undefined if it is not a family. */
export function familyNamed(name: string): string | undefined {
  const families = FAMILIES.map((pattern) => pattern.exec(name)?.groups?.['family']);
  return families.find((family) => family !== undefined && !ORGANIZATION_WORDS.test(family));
}

/** Returns whether a name is that of two people. */
export function isCouple(name: string): boolean {
  if (MARRIED_COUPLE.test(name)) return true;
  const { one = '', other = '' } = (PAIR.exec(name) ?? INVERTED_PAIR.exec(name))?.groups ?? {};
  return (
    COMMON_GIVEN_NAMES.has(one.toLowerCase()) && COMMON_GIVEN_NAMES.has(other.toLowerCase()) && !ORGANIZATION_WORDS.test(name)
  );
}

/** Returns whether a name in its direct or inverted order has the words of an organization. */
export function isOrganization(name: string): boolean {
  if (EAST_ASIAN_ORGANIZATION.test(name) && !EAST_ASIAN_SURNAME.test(name)) return true;
  const [first = '', second] = name.split(/[,，]\s*/);
  // “Church, Frederic” and “School, Peter” are inverted names of persons; “Acme, Inc.” and “War, Department of” are not.
  const isInverted = second !== undefined && !/\s/.test(first.trim()) && /^\p{Lu}[\p{L}.'’ -]*$/u.test(second);
  if (isInverted && !ORGANIZATION_WORDS.test(second) && !/\bof\b|^(?:and|&)\s/i.test(second)) return false;
  if (ORGANIZATION_WORDS.test(name)) return true;
  const isGivenFirst = startsWithGivenName(name) || /^\p{Lu}\.\s/u.test(name);
  if (AMBIGUOUS_WORDS.test(first)) return !(isGivenFirst && first.split(/\s+/).length <= 3);
  return hasOrganizationForm(name, isGivenFirst);
}

/** Returns whether the first word is a given name that many have. */
export function startsWithGivenName(name: string): boolean {
  return COMMON_GIVEN_NAMES.has(/^\p{L}+/u.exec(name)?.[0].toLowerCase() ?? '');
}

/** Forms that no person's name has: numbers, “&”, acronyms, “The …”, “Friends of …”. */
function hasOrganizationForm(name: string, isGivenFirst: boolean): boolean {
  if (/\d/.test(name) || /\s(?:&|\+)\s|\//.test(name)) return true;
  if (
    /^(?:the|los|las|les)\s(?!(?:rev|reverend|hon|honorable|right|most)(?!\p{L}))/iu.test(name) ||
    /^(?:U\.\s?S\.|United\s|Estados\s)/.test(name)
  )
    return true;
  if (/^\p{Lu}{2,5}$|^(?:\p{Lu}\.){3,}$/u.test(name)) return true;
  return /\s(?:of|for|and)\s/i.test(name) && !(isGivenFirst && !/\sand\s/i.test(name));
}

const EAST_ASIAN_SURNAME = /^\p{Script=Han}{2,4}\s\p{Script=Han}{1,3}$/u;

const UNKNOWN = `unknown|unidentified|not\\s+(?:known|available|identified|recorded)|anonymous|desconocid[oa]s?|an[óo]nim[oa]s?|no\\s+identificad[oa]s?|不明|不詳|未詳`;
/** A text that says only that a name is missing, or that begins so: “unidentified photographer”. */
const NO_NAME = new RegExp(
  `^[([]?(?:(?:${UNKNOWN})(?:\\s.*)?|anon\\.?|(?:various|several|multiple)(?:\\s\\p{Ll}+)*|none|n\\/?a|no\\s+name|varios|sin\\s+nombre|無名|匿名|\\?+|-+)[)\\]]?[.?]?$`,
  'iu',
);
/** What is unknown at the end of a text: “Photographer: unknown”, 撮影者不明. Not “Ota, unknown”, whose given name is. */
const UNKNOWN_AT_END = new RegExp(`^[([]?(?<who>[^,，]+?)\\s*[:：]?\\s*[([]?(?:is\\s+)?(?:${UNKNOWN})[)\\]]*[.?]?$`, 'iu');
/** Words for a person without a name. */
const UNNAMED =
  /^(?:(?:first|last|full|sur)?\s?names?|source|origin|man|woman|boy|girl|child|person|people|identity|nombre|氏名|名前)$/i;

/** Returns whether a text only looks like a name, or says that there is none: “unknown”, “Photographer unknown”, 不明. */
export function isUnnamed(name: string): boolean {
  const text = name.trim().slice(0, MAX_LABEL_LENGTH + 1);
  if (NO_NAME.test(text)) return true;
  const who = UNKNOWN_AT_END.exec(text)?.groups?.['who'];
  return who !== undefined && (UNNAMED.test(who) || findRole(who) !== undefined || /^\p{Ll}[\p{Ll}\s]*$/u.test(who));
}
