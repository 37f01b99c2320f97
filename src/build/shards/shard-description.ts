/** Describes shards. A shard is published like a site, with the file `shard.json`, which says of what it is a part. */
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { COPY_ENCODINGS } from '../../formats/compressed-names.ts';
import { UserError } from '../../model/errors.ts';
import { VERSION } from '../../model/version.ts';
import { readJsonFile } from '../../platform/read-json-file.ts';
import { hashOfProgram } from '../cache/program-cache.ts';
import { hashOfFacts } from '../steps/build-key.ts';
import type { BuildOptions } from '../steps/build-options.ts';
import type { PreparedSite } from '../steps/prepare.ts';
import type { Shard } from './shard.ts';

/** In the directory of a shard, beside the files of the site. */
export const SHARD_FILE = 'shard.json';

/** A larger file was not written by Microfiche. */
const MAX_BYTES = 64 * 1024;

/** A number of shards, or of parts of a search index. A larger one is not of Microfiche. */
const count = z.int().min(0).max(999_999);
/** Content of the file `shard.json`. Checksums are SHA-256, hexadecimal. */
const schema = z.object({
  /** Increased when the fields change. */
  format: z.literal(1),
  shard: z.object({ number: count, of: count }).refine(({ number, of }) => number < of),
  version: z.string(),
  /** Checksum of the program, its packages and the version of Node. */
  program: z.string(),
  /** Fingerprint of the snapshot. */
  snapshot: z.string(),
  /** Checksum of everything that the site shows of the snapshot. */
  content: z.string(),
  /** Checksum of the media files that were found, and of what programs such as ffmpeg have read from them. */
  media: z.string(),
  /** Checksum of the options of the build. */
  options: z.string(),
  /** Checksum of the setting `withhold`. */
  withholding: z.string(),
  compact: z.boolean(),
  kiosk: z.boolean(),
  /** Encodings of the compressed copies that the site will have. */
  compress: z.array(z.enum(COPY_ENCODINGS)).readonly(),
  /** The number of parts of the search index, of all shards together. */
  searchParts: count,
});
type ShardDescription = z.infer<typeof schema>;

/** Describes a shard of a build. */
export function describeShard(
  shard: Shard,
  { site, languages, archiveLanguage, kiosk, compact, imageFormat, search, withholding, compress, ...rest }: BuildOptions,
  { catalogue, images, tiles, copiedFiles }: Pick<PreparedSite, 'catalogue' | 'images' | 'tiles' | 'copiedFiles'>,
  { snapshot, searchParts }: { snapshot: string; searchParts: number },
): ShardDescription {
  const forms = [kiosk, compact, imageFormat, search, compress];
  const options = [
    site,
    languages,
    rest.words,
    archiveLanguage,
    forms,
    rest.stripMetadata,
    rest.collections,
    rest.featured,
    rest.design?.design.hash,
    rest.components?.hash,
    rest.own?.hash,
    rest.notices?.hash,
  ];
  const content = createHash('sha256').update(hashOfFacts(catalogue));
  const { objects, authors, articles } = catalogue;
  for (const entries of [objects, authors, articles]) for (const entry of entries) content.update(JSON.stringify(entry));
  return {
    format: 1,
    shard,
    version: VERSION,
    program: hashOfProgram(),
    snapshot,
    content: content.digest('hex'),
    media: hash('sha256', JSON.stringify([images, tiles, copiedFiles], withTextsOfFiles)),
    options: hash('sha256', JSON.stringify(options)),
    withholding: withholding.digest,
    compact,
    kiosk: kiosk !== undefined,
    compress,
    searchParts,
  };
}

/**
 * Reads the description of the shard in a directory.
 * @throws {UserError} if the directory has none
 */
export function readShard(directory: string): ShardDescription {
  const { data } = schema.safeParse(readJsonFile(directory, SHARD_FILE, MAX_BYTES));
  if (data) return data;
  throw new UserError(
    `${directory} does not contain a shard. Name the directories that "microfiche build --shard K/N" has written.`,
  );
}

/** Replaces the paths of texts in the cache, which each shard may have elsewhere, by checksums of the texts. */
function withTextsOfFiles(key: string, value: unknown): unknown {
  return /^(?:text|words)File$/.test(key) && typeof value === 'string' ? hash('sha256', readFileSync(value)) : value;
}
