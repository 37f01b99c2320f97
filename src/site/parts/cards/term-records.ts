/** The records with a facet value on one page: interviews with their segments below them, and all others as cards. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { isAboveItems } from '../../../model/ids.ts';
import { formatDuration } from '../../../platform/quantities.ts';
import { shortTitle, subjectOf } from '../../fields/record-title.ts';
import type { Site } from '../../site.ts';
import { type TextLangContext, titleLang } from '../../text/text-lang.ts';
import { type Card, type CardContext, createCard } from './card.ts';
import { kindLabel } from './image-text.ts';
import { isInterview } from './narrator-portrait.ts';

/** An interview, and those of its segments and files that are in the list. */
export type InterviewRow = TermRecords['interviews'][number];

/** The records on one page. */
export type TermRecords = ReturnType<typeof createTermRecords>;

/**
 * Returns records of a list that is sorted by ID: an interview precedes what is below it, which the list may have without the
 * interview. Cards with an image are the first, and collections the last.
 */
export function createTermRecords(entries: readonly ListedEntry[], site: Pick<Site, 'relations'> & CardContext) {
  const groups = new Map<string, { interview: ListedEntry; isCounted: boolean; parts: ListedEntry[] }>();
  const others: Array<{ card: Card; entry: ListedEntry; rank: number }> = [];
  for (const entry of entries) {
    const interview = interviewOf(entry, site);
    if (!interview) {
      const card = createCard(entry, site);
      others.push({ card, entry, rank: isAboveItems(entry.model) ? 2 : card.isPlaceholder ? 1 : 0 });
      continue;
    }
    const group = groups.get(interview.id) ?? { interview, isCounted: false, parts: [] };
    groups.set(interview.id, group);
    if (entry.id === interview.id) group.isCounted = true;
    else group.parts.push(entry);
  }
  const interviews = Array.from(groups.values(), ({ interview, isCounted, parts }) => ({
    card: createCard(interview, site),
    /** Whether the interview itself is in the list, so that it is counted. */
    isCounted,
    parts: parts.map((part) => createPart(part, site)),
  }));
  others.sort((a, b) => a.rank - b.rank);
  return { cards: nameCollections(others, site), interviews };
}

/** Returns the cards, with the collections of those whose title others have too. */
function nameCollections(cards: ReadonlyArray<{ card: Card; entry: ListedEntry }>, site: CardContext): Card[] {
  const ofTitle = Map.groupBy(cards, ({ card }) => card.title);
  return cards.map(({ card, entry }) => {
    const [top] = entry.ancestors;
    const collection = (ofTitle.get(card.title)?.length ?? 0) > 1 && top !== undefined ? site.relations.object(top) : undefined;
    return collection ? { ...card, notes: [...(card.notes ?? []), collection.title] } : card;
  });
}

/** Returns the interview that a record is, or belongs to. */
function interviewOf(entry: ListedEntry, { relations }: Pick<Site, 'relations'>): ListedEntry | undefined {
  if (isInterview(entry)) return entry;
  if (entry.model !== 'segment' && entry.model !== 'file') return undefined;
  const above = entry.ancestors.flatMap((id) => relations.object(id) ?? []);
  return above.find((ancestor) => ancestor.model === 'entity' && (entry.model === 'segment' || isInterview(ancestor)));
}

/** Returns the line of a segment, or a file, below its interview. */
function createPart(entry: ListedEntry, site: Pick<Site, 'relations'> & TextLangContext) {
  const { model, durationSeconds } = entry;
  const subject = subjectOf(entry, site);
  return {
    path: objectPath(entry.id),
    /** The number of a segment that is called by its subject. */
    number: subject && /\d+$/.exec(entry.title)?.[0],
    /** Without the name of the interview. */
    title: subject ?? shortTitle(entry, site),
    /** The language of the title, if it is not the page's: a BCP 47 tag. */
    lang: titleLang(entry, site),
    /** How long the segment is, or what kind of file it is. */
    fact:
      model !== 'segment'
        ? kindLabel(entry, site.locale.t)
        : durationSeconds === undefined
          ? undefined
          : formatDuration(durationSeconds),
  };
}
