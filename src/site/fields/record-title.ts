/** Titles of records as pages show them. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { isNumberOf, withoutName } from '../../model/segment-title.ts';
import type { Dictionary } from '../language/locale.ts';

/** The part of an entry that decides the title. */
type TitledEntry = Pick<ListedEntry, 'id' | 'model' | 'title' | 'origin'>;

/** The part of a site that knows the records. */
interface WithRelations {
  relations: { object: (id: string) => Pick<ListedEntry, 'title'> | undefined };
}

/** Whether a record has no title but its ID. That of an organization is at least a short name. */
export function isUntitled({ id, model, title, origin }: TitledEntry): boolean {
  if (title !== id && title !== `[${id}]`) return false;
  return origin === 'breadcrumbs' || (model !== 'organization' && model !== 'repository');
}

/** Returns the title of a record; of one without a title, what it is and its ID, and whether it was not available. */
export function shownTitle(entry: TitledEntry, { object }: Dictionary): string {
  if (!isUntitled(entry)) return entry.title;
  const state = entry.origin === 'breadcrumbs' ? 'unavailable' : 'untitled';
  return object[`${state}${entry.model === 'collection' ? 'Collection' : 'Record'}`](entry.id);
}

/** Returns what a segment is about, if its own title is only a number. */
export function subjectOf(entry: ListedEntry, site: WithRelations): string | undefined {
  return subjectBeside(entry, interviewTitle(entry, site));
}

/** Returns what a record is called beside the title of its interview. */
export function shortTitle(entry: ListedEntry, site: WithRelations & { locale: { t: Dictionary } }): string {
  const interview = interviewTitle(entry, site);
  return subjectBeside(entry, interview) ?? withoutName(shownTitle(entry, site.locale.t), interview);
}

/** Returns the title of the interview that a segment belongs to. */
function interviewTitle({ model, parent }: ListedEntry, { relations }: WithRelations): string | undefined {
  return model === 'segment' && parent !== undefined ? relations.object(parent)?.title : undefined;
}

function subjectBeside({ model, title, subject, parent }: ListedEntry, interview: string | undefined): string | undefined {
  return model === 'segment' && parent !== undefined && isNumberOf(title, interview) ? subject : undefined;
}
