/** The view model of the voices on the page of a topic, place or facility: clips of different narrators, chosen from captions. */
import type { ListedEntry, ObjectEntry } from '../../../catalogue/entries.ts';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { nameKey } from '../../../catalogue/lists/term-summaries.ts';
import { objectPath, personPath } from '../../../catalogue/urls.ts';
import { findPlayable } from '../../../derivatives/copied-files.ts';
import { citeClip, formatTime, writeMoment } from '../../../formats/moments.ts';
import type { Facet } from '../../../model/facets.ts';
import { roleOf } from '../../../model/names/roles.ts';
import { isCaptionType } from '../../../model/transcripts/read-transcript.ts';
import type { ContentReader } from '../../content.ts';
import { shortTitle } from '../../fields/record-title.ts';
import { addressOfPage } from '../../parts/frame/page-parts.ts';
import { createPlayer, type Player } from '../../parts/media/recording.ts';
import { findRecordingTexts } from '../../parts/media/recording-texts.ts';
import type { Site } from '../../site.ts';
import { textLang } from '../../text/text-lang.ts';
import { createTranscriptSource } from '../transcript/transcript-source.ts';
import { chooseClips, choosePassage, type Passage } from './choose-passage.ts';

/** A clip of a narrator. */
export type Voice = ReturnType<typeof createVoice>;

const VOICED_FACETS: ReadonlySet<Facet> = new Set<Facet>(['topic', 'place', 'facility']);
/** Segments that are looked at for one page. */
const MAX_SEGMENTS = 400;

/** Returns clips of different narrators, in the order of IDs; none if there is only one narrator. */
export function createVoices(term: Term, site: Site, content: Pick<ContentReader, 'texts' | 'cited'>): Voice[] {
  if (!VOICED_FACETS.has(term.facet)) return [];
  return chooseClips(recordingsOf(term, site), ({ entry, segment, captions }) => {
    const cues = content.texts(captions).find(({ kind }) => kind === undefined)?.cues ?? [];
    const { record, receivedAt } = content.cited(segment);
    const narrators = record.creators.flatMap(({ role, namepart }) =>
      roleOf(role).citation === 'interviewee' ? [namepart] : [],
    );
    const passage = choosePassage(cues, { words: nameKey(term.label), narrators });
    const player = createPlayer(segment, site);
    if (!passage || !player) return undefined;
    const [citation] = createTranscriptSource({ record, receivedAt }, entry, site).citations;
    return createVoice(entry, segment, passage, player, narrators, citation?.text ?? '', site);
  });
}

/** Topics among which one with voices is looked for. */
const MAX_TOPICS = 5;

/** Returns the voices of the topic with the most records that has any. */
export function createVoicesOfSite(site: Site, content: Pick<ContentReader, 'texts' | 'cited'>): Voice[] {
  const topics = [...site.relations.terms('topic')].sort((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1));
  const voices = Iterator.from(topics.slice(0, MAX_TOPICS)).map((topic) => createVoices(topic, site, content));
  return voices.find(({ length }) => length > 0) ?? [];
}

/**
 * Yields segments that can be played and have captions, without those that have a notice: all, or of very many, some at equal
 * distances in the list, which have more narrators.
 */
function* recordingsOf({ facet, slug }: Term, site: Site) {
  const all = site.relations.recordsWith(facet, slug).only('segment').withMedia();
  const step = Math.max(1, all.length / MAX_SEGMENTS);
  for (let at = 0; at < all.length; at += step) {
    const [segment] = all.slice(Math.floor(at), Math.floor(at) + 1);
    if (!segment) continue;
    const { warnings, labels } = site.notices.of(segment);
    const captions = warnings.length + labels.length === 0 ? findCaptions(segment, site) : undefined;
    const entry = captions && site.relations.entry(segment.id);
    if (entry) yield { segment, captions, entry, narrators: entry.narrators };
  }
}

/** Returns the captions of a segment that can be played. */
function findCaptions(segment: ListedEntry, site: Site) {
  if (!findPlayable(segment.media, site.copiedFiles)) return undefined;
  const files = findRecordingTexts(segment, site).flatMap(({ isGlossary, file }) => (file && !isGlossary ? [file] : []));
  return files.find(({ mimetype }) => isCaptionType(mimetype)) ?? files.find(({ mimetype }) => mimetype === 'text/plain');
}

function createVoice(
  { facets, id }: ObjectEntry,
  segment: ListedEntry,
  { start, end, text }: Passage,
  { kind, path: recording }: Player,
  narrators: readonly string[],
  citation: string,
  site: Site,
) {
  const path = objectPath(id);
  const times = site.locale.t.recording.clipTimes(formatTime(start), formatTime(end));
  const moment = writeMoment({ start, end });
  const address = addressOfPage(path, site);
  const interview = segment.parent === undefined ? undefined : site.relations.object(segment.parent);
  const label = [interview?.title, shortTitle(segment, site)].filter(Boolean).join(', ');
  return {
    kind,
    start,
    end,
    /** Path of the recording. */
    recording,
    /** Such as `1:23–1:41`. */
    times,
    /** Who speaks, with a link to the page of the person, if there is one. */
    narrators: narrators.map((name) => {
      const slug = facets.creator?.find((creator) => creator.label === name)?.slug;
      return { label: name, path: slug && site.relations.person(slug) ? personPath(slug) : undefined };
    }),
    quote: text,
    /** The language of the quote, if it is not the page's: a BCP 47 tag. */
    lang: textLang(text, site, segment),
    /** The segment, and the path of the moment in its page. */
    segment: { label, path: `${path}${moment}`, lang: textLang(label, site, segment) },
    citation: citeClip(citation, times, address && `${address}${moment}`),
  };
}
