/** The sources of a guide page: what each shows, what it says, and where the original is. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath, relativeUrl } from '../../../catalogue/urls.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import { filesOfSource, readSource, type Source } from '../../../model/guide/guide.ts';
import { parseId } from '../../../model/ids.ts';
import { extractIdsFromSource } from '../../../model/mentions.ts';
import { escapeHtml } from '../../../model/text/markup.ts';
import { toPlainText } from '../../../model/text/text.ts';
import { isObject } from '../../../model/values.ts';
import { hasNotice } from '../../notices/notices.ts';
import { createRecordLine, type EmbedView } from '../../parts/embeds/embed-views.ts';
import { createDisplayImage } from '../../parts/media/media-files.ts';
import { createPlayer } from '../../parts/media/recording.ts';
import type { Site } from '../../site.ts';
import { pathOfLiveUrl } from '../../text/links.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';

/** Returns the view models of sources by name, without those that cannot be read. `bodies` are the sources' parsed bodies. */
export function createSourceViews(
  listed: ReadonlyArray<{ name: string }>,
  bodies: ReadonlyMap<string, unknown>,
  resolve: ResolveLink,
  site: Site,
  path: string,
) {
  return listed.flatMap(({ name }) => {
    const raw = bodies.get(name);
    const source = readSource(raw);
    if (!source || !isObject(raw)) return [];
    const inside = source.externalUrl && pathOfLiveUrl(source.externalUrl, site);
    const record = findRecord(inside, extractIdsFromSource(raw, name, site.baseUrls), site);
    const caption = toPlainText(source.caption) || source.id;
    const embed = createEmbed(name, { ...source, caption }, record, site);
    return [
      {
        embed,
        /** Safe HTML. */
        caption: escapeHtml(caption),
        /** Whether it is a recording that the site does not have. */
        lacksRecording: source.isRecording && embed.kind !== 'player' && !(record && hasNotice(record, site)),
        /** Safe HTML. */
        transcript: source.transcript && toSafeHtml(source.transcript, resolve),
        courtesy: toPlainText(source.courtesy) || undefined,
        facts: createFacts(
          source,
          record,
          inside === undefined ? safeExternalUrl(source.externalUrl ?? '') : undefined,
          site,
          path,
        ),
      },
    ];
  });
}

function findRecord(path: string | undefined, ids: readonly string[], site: Site): ListedEntry | undefined {
  const linked = path === undefined ? undefined : /^objects\/(.+)\.html$/.exec(path)?.[1];
  const id = linked && site.relations.idOfPage(linked);
  return [...ids, ...(id ? [id] : [])].flatMap((each) => site.relations.object(each) ?? [])[0];
}

/** Returns the image or recording of a source or its record. None if the record has a notice: only its page has room for it. */
function createEmbed(name: string, source: Source & { caption: string }, entry: ListedEntry | undefined, site: Site): EmbedView {
  const record = entry && createRecordLine(entry, site);
  if (entry && hasNotice(entry, site)) return { kind: 'text', record };
  const files = filesOfSource(name, source);
  const media = files.filter(({ kind }) => kind !== 'image');
  const own = createDisplayImage({ id: name, mediaUrls: files.map(({ url }) => url) }, site);
  const image = own ?? (entry && createDisplayImage(entry, site));
  const recorded = source.isRecording && entry ? createPlayer(entry, site) : undefined;
  const player = createPlayer({ media, durationSeconds: undefined }, site) ?? recorded;
  if (player) return { kind: 'player', record, name: source.caption, player, at: undefined, poster: image, alt: source.caption };
  return image ? { kind: 'figure', record, image, caption: source.caption, description: '' } : { kind: 'text', record };
}

/** Returns a source's collection, institution, rights, and where else it is. */
function createFacts(source: Source, record: ListedEntry | undefined, external: string | undefined, site: Site, path: string) {
  const { relations, locale } = site;
  const { t } = locale;
  const toRecord = (entry: ListedEntry | undefined) =>
    entry && { text: entry.title, target: { href: relativeUrl(path, objectPath(entry.id)), external: false } };
  const plain = (text: string | undefined) =>
    toPlainText(text) === '' ? undefined : { text: toPlainText(text), target: undefined };
  const joined = (stated: ReturnType<typeof plain>, linked: ReturnType<typeof toRecord>) =>
    stated && linked ? { ...linked, text: stated.text } : (stated ?? linked);
  const above = record?.ancestors.flatMap((id) => relations.object(id) ?? []).find(({ model }) => model === 'collection');
  const organization = record && parseId(parseId(record.id).collection ?? record.id).parent;
  const institution = source.institution === undefined ? organization : source.institution;
  const facts = [
    [t.codes.model.collection, joined(plain(source.collection), toRecord(above))],
    [t.guide.institution, (institution && toRecord(relations.object(institution))) ?? plain(source.institution)],
    [t.guide.original, record ? undefined : plain(source.original)],
    [t.fields.rights, plain(source.rights)],
    [
      t.guide.externalPage,
      external === undefined ? undefined : { text: new URL(external).host, target: { href: external, external: true } },
    ],
  ] as const;
  return facts.flatMap(([label, value]) => (value ? [{ label, ...value }] : []));
}
