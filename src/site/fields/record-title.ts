/** Titles of records as pages show them. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { isNumberOf, withoutName } from '../../model/segment-title.ts';
import { primaryOf } from '../../model/text/text-language.ts';
import type { Locale } from '../language/locale.ts';

/** The part of an entry that decides the title. */
type TitledEntry = Pick<ListedEntry, 'id' | 'model' | 'title' | 'titles' | 'origin'>;

/** The part of a site that knows the records. */
interface WithRelations {
  relations: { object: (id: string) => Pick<ListedEntry, 'title' | 'titles'> | undefined };
}

/** Whether a record has no title but its ID. That of an organization is at least a short name. */
export function isUntitled({ id, model, title, origin }: TitledEntry): boolean {
  if (title !== id && title !== `[${id}]`) return false;
  return origin === 'breadcrumbs' || (model !== 'organization' && model !== 'repository');
}

/** Returns the title of a record that is not its main one, if it has one in this language. */
export const titleIn = ({ titles }: Pick<ListedEntry, 'titles'>, language: string): string | undefined =>
  titles?.[language] ?? titles?.[primaryOf(language)];

/** Returns the title of a record, best in this language; without any, what it is and its ID, and whether it was not available. */
export function shownTitle(entry: TitledEntry, { language, t: { object } }: Pick<Locale, 'language' | 't'>): string {
  if (!isUntitled(entry)) return titleIn(entry, language) ?? entry.title;
  const state = entry.origin === 'breadcrumbs' ? 'unavailable' : 'untitled';
  return object[`${state}${entry.model === 'collection' ? 'Collection' : 'Record'}`](entry.id);
}

/** Returns what a segment is about, if its own title is only a number. */
export function subjectOf(entry: ListedEntry, site: WithRelations): string | undefined {
  const { model, title, subject, parent } = entry;
  return model === 'segment' && parent !== undefined && isNumberOf(title, interviewTitle(entry, site)) ? subject : undefined;
}

/** Returns what a record is called beside the title of its interview. */
export function shortTitle(entry: ListedEntry, site: WithRelations & { locale: Parameters<typeof shownTitle>[1] }): string {
  const interview = interviewTitle(entry, site, site.locale.language);
  return subjectOf(entry, site) ?? withoutName(shownTitle(entry, site.locale), interview);
}

/** Returns the title of the interview that a segment belongs to. */
function interviewTitle({ model, parent }: ListedEntry, { relations }: WithRelations, language = ''): string | undefined {
  const interview = model === 'segment' && parent !== undefined ? relations.object(parent) : undefined;
  return interview && (titleIn(interview, language) ?? interview.title);
}
