/**
 * All options of all commands, one row each. From a row come the option with its help, and the setting of the same name with its
 * check, its JSON Schema and its type. An option that means something else in some commands has a row of its own for them.
 */
import type { Command } from 'commander';
import { FAULTS } from '../../src/api/simulated-faults.ts';
import { IMAGE_FORMATS } from '../../src/derivatives/image-formats.ts';
import { COPY_ENCODINGS } from '../../src/formats/compressed-names.ts';
import {
  DEFAULT_KINDS,
  DERIVATIVE_CHOICES,
  MEDIA_KINDS,
  STRIP_METADATA,
  VIDEO_CHOICES,
} from '../../src/model/media/media-kinds.ts';
import { LANGUAGES } from '../../src/model/text/languages.ts';
import { AUTOMATIONS, CONFIG_FORMATS } from '../../src/project/choices.ts';
import { CONTENT_DIRECTORY } from '../../src/site/own/content-directory.ts';
import { flag, listRows, negation, section, toOption, type ValuesOf, value } from './option-row.ts';
import * as types from './option-values.ts';

/** The snapshot of a project. */
export const SNAPSHOT_DIRECTORY = 'content/snapshot';
/** The environment variable with the snapshot of `dev`. It takes precedence over the setting `snapshot`. */
const SNAPSHOT_VARIABLE = 'MICROFICHE_SNAPSHOT';

/** Defaults of --timeout, in seconds. */
export const TIMEOUT_SECONDS = { harvest: 30, media: 60 };

const LANGUAGE_LIST = `Interface languages, comma-separated, main language first: ${LANGUAGES.join(', ')}`;
const AUTOMATION_LIST = `Files for automatic updates, comma-separated: ${AUTOMATIONS.join(', ')}, or all`;

/** The sections, in the order of the help. */
export const SECTIONS = [
  section('Options:', ['init'], {
    title: value('<text>', types.title, 'Title of the site'),
    authorsUrl: value('<url>', types.archiveUrl, 'Base URL of the guide API: the part before /api/3.0/'),
    catalogUrl: value('<url>', types.archiveUrl, 'Base URL of the records API: the part before /api/0.2/'),
    contact: value('<text>', types.contact, "Email address or URL for the archive's staff, sent in the User-Agent"),
    languages: value('<list>', types.someOf(LANGUAGES), LANGUAGE_LIST, { default: ['en'], shown: 'en' }),
    config: value('<format>', types.oneOf(CONFIG_FORMATS), `Format of the settings: ${CONFIG_FORMATS.join(', ')}`, {
      default: 'json',
    }),
    with: value('<list>', types.automations, AUTOMATION_LIST),
    yes: flag('Never prompt', { short: '-y' }),
  }),
  section('Options:', ['export'], {
    to: value('<path>', types.path, 'File or directory to write; bags and tables may also be a file that ends in .zip or .tar', {
      isRequired: true,
      isForOneRun: true,
    }),
    since: value('<manifest>', types.path, 'bagit, site: only what differs from this manifest-sha256.txt', { isForOneRun: true }),
    fulltext: flag('zim: add an index for the search of Kiwix itself, with zimwriterfs'),
  }),
  section('Options:', ['usb'], {
    to: value('<path>', types.path, 'Mount point of the drive, or a directory on it', { isRequired: true }),
    force: flag('Copy to a directory with other files, which stay, or with the site of another archive, which is replaced'),
  }),
  section('Options:', ['harvest', 'update'], {
    authorsUrl: value('<url>', types.archiveUrl, 'Base URL of the guide API: the part before /api/3.0/', { isRequired: true }),
    catalogUrl: value('<url>', types.archiveUrl, 'Base URL of the records API: the part before /api/0.2/', { isRequired: true }),
    root: value('<ids...>', types.recordIds, 'Additional seed records, by ID'),
    discover: flag('Start from the catalog index too: the repository, narrators and facets'),
    newUpstream: flag('Confirm that the archive in the snapshot has moved to these URLs', { of: ['harvest'] }),
  }),
  section('Options:', ['harvest', 'media', 'build', 'serve', 'verify', 'status', 'export', 'import', 'purge', 'move', 'update'], {
    snapshot: value('<dir>', types.path, 'Snapshot directory', { default: SNAPSHOT_DIRECTORY }),
    collection: value('<ids...>', types.recordIds, 'Only these collections, with their ancestors and everything below them', {
      of: ['harvest', 'media', 'build', 'export', 'dev', 'update'],
    }),
  }),
  section('Options:', ['dev'], {
    snapshot: value('<dir>', types.path, 'Snapshot directory (default: that of the project, or else the sample archive)', {
      variable: SNAPSHOT_VARIABLE,
    }),
    host: value('<name>', types.anyText, 'Host name or IP address to listen on', { default: 'localhost' }),
  }),
  section('Options:', ['mirror'], {
    snapshot: value('<dir>', types.path, 'Snapshot directory of the sample archive', { default: 'content/sample-snapshot' }),
    serve: flag('Serve the site after the build'),
  }),
  section('Options:', ['merge'], {
    snapshot: value('<dir>', types.path, 'Reject shards that were not built from this snapshot as it is', { isForOneRun: true }),
  }),
  section('Options:', ['verify'], {
    dir: value('<path>', types.path, 'Site directory, the root of a USB drive, a bag or a WACZ', { default: 'dist' }),
    with: value('<copies...>', types.paths, 'Compare with these copies: directories of sites, USB drives or snapshots'),
    repair: flag('Replace what is missing or corrupted: in a snapshot by downloads, or from the copies of --with'),
    sampleRate: value('<share>', types.share, 'Read only this share of the media files, at random, for example 10%', {
      of: ['verify', 'update'],
    }),
    fit: value('<size>', types.byteCount, 'Leave out what does not fit: videos first, then sound and images', { of: ['sync'] }),
    collection: value('<ids...>', types.recordIds, 'With --fit: their media files go first, in this order', { of: ['sync'] }),
    force: flag('Replace a newer copy by an older one, and lose what only the copy has', { of: ['sync'], isForOneRun: true }),
  }),
  section('Options:', ['serve', 'status', 'usb', 'export', 'mirror'], {
    dir: value('<dir>', types.path, 'Site directory', { default: 'dist' }),
    out: value('<dir>', types.path, 'Site directory', { default: 'dist', of: ['build', 'merge', 'update'] }),
    maxAge: value('<time>', types.duration, 'Exit with 1 if the last harvest is older, for example 2d', { of: ['status'] }),
    since: value('<date>', types.moment, 'List what changed since then, for example 2026-01-31', { of: ['status'] }),
  }),
  section('Options:', ['serve'], {
    port: value('<n>', types.integer(0, 65_535), 'Port; 0 chooses a free one', { default: 4321, of: ['serve', 'mirror', 'dev'] }),
    host: value('<host>', types.anyText, 'Host name or IP address to listen on', { default: '127.0.0.1' }),
    allowHost: value('<hosts...>', types.hosts, 'Additional host names to accept in requests, such as that of a proxy', {
      isForOneRun: true,
    }),
    sample: flag('Serve the embedded sample archive', { isForOneRun: true }),
    private: negation('Withhold private records in any case'),
    adminEmail: value('<address>', types.email, 'Your e-mail address, for harvesters of OAI-PMH'),
    fault: value('<faults...>', types.someOf(FAULTS), `Faults to simulate, for tests of a harvest: ${FAULTS.join(', ')}`),
  }),
  section('Options:', ['purge'], {
    to: value('<dir>', types.path, 'Write the lists to it: Markdown, CSV and JSON', { isForOneRun: true, of: ['inbox'] }),
    force: flag('Replace these files if they exist', { isForOneRun: true, of: ['inbox'] }),
    snapshot: value('<dir>', types.path, 'Snapshot to compare with', { default: SNAPSHOT_DIRECTORY, of: ['inbox'] }),
    reason: value('<text>', types.anyText, 'Reason, stored in the snapshot', { default: 'withdrawn' }),
    dryRun: flag('Print what would be purged, and change nothing', { isForOneRun: true }),
    yes: flag('Purge without confirmation', { isForOneRun: true }),
  }),
  section('Refresh:', ['harvest', 'update'], {
    full: flag('Fetch every resource again, without conditional requests'),
    trustDays: value('<n>', types.integer(0, 36_500), 'Days until a record with an unchanged list entry is revalidated', {
      default: 30,
    }),
    probe: flag('Request unlisted IDs in the numbering gaps of incomplete children lists'),
    retryFailed: flag('Fetch only the resources that failed in the last harvest, and resources discovered through them', {
      of: ['harvest'],
    }),
    goneLimit: value('<share>', types.share, 'Skip removal detection if more than this share of known records fails', {
      default: 0.1,
      shown: '10%',
    }),
  }),
  section('Media files:', ['media', 'update'], {
    kinds: value('<list>', types.someOf(MEDIA_KINDS), `File kinds to download, comma-separated: ${MEDIA_KINDS.join(', ')}`, {
      default: DEFAULT_KINDS,
      shown: DEFAULT_KINDS.join(','),
    }),
    video: value('<choice>', types.oneOf(VIDEO_CHOICES), `File of each video: ${VIDEO_CHOICES.join(', ')}`, { default: 'mp4' }),
    derivatives: value('<choice>', types.oneOf(DERIVATIVE_CHOICES), 'web: MP4 of recordings that browsers do not play'),
    budget: value('<size>', types.byteCount, 'Maximum total download size, for example 20GB (default: unlimited)'),
    maxFile: value('<size>', types.byteCount, 'Skip files larger than this, for example 2GB (default: unlimited)'),
    dryRun: flag('Print file counts and sizes per kind without downloading', { of: ['media'] }),
    head: flag('With --dry-run: send HEAD requests for undeclared sizes', { of: ['media'] }),
  }),
  section('Requests:', ['harvest', 'media', 'verify', 'update'], {
    concurrency: value('<n>', types.integer(1, 256), 'Maximum concurrent requests per host', { default: 4 }),
    rate: value('<n/s>', types.rate, 'Maximum requests per second per host (default: unlimited)'),
    contact: value('<text>', types.contact, 'Email address or URL of the operator, sent in the User-Agent'),
    ignoreRobots: flag('Ignore robots.txt, including Crawl-delay'),
    allowHost: value('<hosts...>', types.hosts, 'Additional hosts for redirects and downloads, and private IP addresses'),
    timeout: value(
      '<s>',
      types.seconds,
      `Timeout in seconds for the connection, the headers, and pauses of a download (default: ${TIMEOUT_SECONDS.harvest}; media files: ${TIMEOUT_SECONDS.media})`,
    ),
  }),
  section('Limits:', ['harvest', 'update'], {
    bodyTimeout: value('<s>', types.seconds, 'Timeout for the response body, in seconds (default: twice --timeout)'),
    patience: value('<s>', types.seconds, 'Seconds to wait for an unreachable host before the harvest stops', { default: 60 }),
    attempts: value('<n>', types.integer(1, 100), 'Maximum attempts per resource that end with an error, including the first', {
      default: 5,
    }),
    maxBody: value('<size>', types.bodySize, 'Maximum response body size, before and after decompression', {
      default: 32_000_000,
      shown: '32MB',
    }),
    maxDepth: value('<n>', types.integer(1, 1000), 'Maximum JSON nesting depth', { default: 100 }),
    maxRedirects: value('<n>', types.integer(0, 20), 'Maximum redirects per request', { default: 5 }),
    maxRecords: value('<n>', types.integer(1, 1_000_000_000), 'Stop the harvest at this number of records (default: unlimited)'),
    maxBytes: value('<size>', types.byteCount, 'Stop the harvest at this database size, for example 20GB (default: unlimited)'),
  }),
  section('Site:', ['build', 'update'], {
    site: value('<url>', types.baseUrl, 'URL where the site will be hosted; adds a sitemap, IIIF manifests and _headers', {
      of: ['build', 'export', 'update'],
    }),
    compress: value(
      '<list>',
      types.someOf(COPY_ENCODINGS),
      `Add compressed copies of text files for web servers that send them, comma-separated: ${COPY_ENCODINGS.join(', ')}`,
    ),
    languages: value('<list>', types.interfaceLanguages, `${LANGUAGE_LIST}, or others with a file in "languages"`, {
      default: ['en'],
      shown: 'en',
      of: ['build', 'dev', 'update'],
    }),
    archiveLanguage: value('<tag>', types.languageOfTexts, "Main language of the archive's texts, as a BCP 47 tag", {
      default: 'en',
      of: ['build', 'dev', 'export', 'update'],
    }),
    pictures: value('<format>', types.oneOf(IMAGE_FORMATS), `Format of image derivatives: ${IMAGE_FORMATS.join(', ')}`, {
      default: 'webp',
    }),
    stripMetadata: value(
      '<what>',
      types.oneOf(STRIP_METADATA),
      `Remove from the published copies of media files: ${STRIP_METADATA.join(', ')}`,
      { default: 'location' },
    ),
    featured: value('<ids...>', types.recordIds, 'Records on the home page, the first one large (default: others each day)', {
      of: ['build', 'dev', 'update'],
    }),
    content: value('<dir>', types.anyText, 'Directory whose subdirectories "pages" and "exhibits" have the archive’s own pages', {
      default: CONTENT_DIRECTORY,
      of: ['build', 'dev', 'update'],
    }),
    withholdLess: flag('Accept that less is withheld than before: the entries that "withhold" lacks protect no longer', {
      isForOneRun: true,
      of: ['build', 'merge', 'serve', 'export', 'usb', 'update', 'dev'],
    }),
    clean: flag('Full build: discard the pages and derivatives that earlier builds of this site have cached'),
  }),
  section('Special builds:', ['build', 'update'], {
    kiosk: flag('Kiosk mode: no external links, and an attract screen after the idle timeout'),
    idleMinutes: value('<n>', types.minutes, 'With --kiosk: idle timeout in minutes', { default: 3 }),
    compact: flag('Compact build for USB drives: pages and thumbnails in packs, which require JavaScript'),
    shard: value('<k/n>', types.shard, 'Build only shard K of N, counted from 0, which "microfiche merge" puts together', {
      isForOneRun: true,
      of: ['build'],
    }),
  }),
  section('Search:', ['build', 'update'], { search: negation('Leave out the search index') }),
  section('Signatures:', ['build', 'merge', 'usb', 'export', 'update'], {
    sign: value('<keyfile>', types.anyText, 'Sign the manifest with this private key of OpenSSH, for verify --signers'),
    signers: value('<file>', types.anyText, 'Require a signature of one of these signers (ALLOWED SIGNERS of OpenSSH)', {
      of: ['verify', 'import', 'update', 'sync'],
    }),
    withSource: flag('Add the source of this program, so that the copy can still be read when it cannot be downloaded', {
      of: ['export', 'usb'],
    }),
  }),
  section('Reports:', ['update'], {
    reportTo: value(
      '<files...>',
      types.filesLike(/[^/\\]\.(?:json|md)$/, 'does not end in .json or .md. Expected a file, for example reports/last.json.'),
      'Write the report to these files: JSON for .json, Markdown for .md',
    ),
    metrics: value(
      '<file>',
      types.textThat((typed) => typed.endsWith('.prom'), 'It does not end in .prom, and the collector reads no other files.'),
      "Write metrics to this file, for the textfile collector of Prometheus' node_exporter (*.prom)",
    ),
    webhook: value('<url>', types.webUrl, 'POST the report as JSON to this URL'),
    log: value(
      '<file>',
      types.path,
      'Append a line to this file: time (UTC), version, ok or failed, and for each directory its archive, counts, SHA-256 and findings',
      { of: ['verify', 'update'] },
    ),
  }),
  section('Options:', ['all'], {
    json: flag('Print the report as JSON'),
    quiet: flag('Print only warnings and errors', { short: '-q', isForOneRun: true }),
    verbose: flag('Print each request too, and where an error arose', { isForOneRun: true }),
  }),
] as const;

/** The values of the options of a command. */
export type Flags<Name extends string> = ValuesOf<typeof SECTIONS, Name>;

/** Adds its options to a command, by its name. */
export function addOptions(command: Command): Command {
  for (const row of listRows(SECTIONS, command.name())) command.addOption(toOption(row));
  return command;
}

/** Returns the values of a command’s options if none is given. Required options have none. */
export function defaultsOf<Name extends string>(command: Name): Flags<Name> {
  const rows = listRows(SECTIONS, command);
  return Object.fromEntries(rows.map(({ name, row }) => [name, row.default])) as Flags<Name>;
}
