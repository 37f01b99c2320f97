/** What the API says of a narrator, on the page of the person. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { personPath } from '../../../catalogue/urls.ts';
import type { Narrator } from '../../../model/people/narrator.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfLiveUrl } from '../../text/links.ts';
import { toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { ownPortrait } from './portrait.ts';

/** Returns what a person's page says of the narrator who is this person. */
export function createNarratorView(person: PersonEntry, interviews: readonly ListedEntry[], site: Site) {
  const narrator = person.narrator === undefined ? undefined : site.relations.narratorOf(person.narrator);
  if (!narrator) return { life: [], biographies: [], livePages: [], notice: undefined, portrait: undefined };
  const { t } = site.locale;
  const { biography, liveUrl } = narrator;
  const path = personPath(person.slug);
  const resolve = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  return {
    /** When and where the narrator was born, and other facts of the kind. */
    life: lifeOf(narrator, site),
    biographies:
      biography === undefined
        ? []
        : [{ html: toSafeHtml(biography, resolve), lang: textLang(biography, site), modified: undefined }],
    /** URLs of the pages in the live archive. */
    livePages: liveUrl === undefined ? [] : [liveUrl],
    /** Says that the interviews are not in this copy; undefined if any is. */
    notice: interviews.length > 0 || person.created > 0 ? undefined : t.people.notInCopy,
    portrait: ownPortrait(narrator, interviews, site),
  };
}

function lifeOf(narrator: Narrator, { locale: { t, formatRecordDate } }: Pick<Site, 'locale'>) {
  const { born, birthPlace, died, generation, fullName, nickname } = narrator;
  const facts = {
    born: [born && formatRecordDate(born), birthPlace].filter(Boolean).join(' · '),
    died: died && formatRecordDate(died),
    generation,
    fullName,
    nickname,
  };
  return (['born', 'died', 'generation', 'fullName', 'nickname'] as const).flatMap((fact) => {
    const value = facts[fact];
    return value ? [{ label: t.people.life[fact], value }] : [];
  });
}
