/** Describes shards. A shard is published like a site, with the file `shard.json`, which says of what it is a part. */
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { COPY_ENCODINGS } from '../../formats/compressed-names.ts';
import { UserError } from '../../model/errors.ts';
import { isObject } from '../../model/values.ts';
import { VERSION } from '../../model/version.ts';
import { readJsonFile } from '../../platform/read-json-file.ts';
import { hashOfProgram } from '../cache/program-cache.ts';
import { hashOfFacts } from '../steps/build-key.ts';
import type { BuildOptions } from '../steps/build-options.ts';
import type { PreparedSite } from '../steps/prepare.ts';
import type { Shard } from './shard.ts';

/** In the directory of a shard, beside the files of the site. */
export const SHARD_FILE = 'shard.json';

/** Content of the file `shard.json`. Checksums are SHA-256, hexadecimal. */
export type ShardDescription = ReturnType<typeof describeShard>;

/** A larger file was not written by Microfiche. */
const MAX_BYTES = 64 * 1024;
/** The largest number of shards. */
export const MAX_SHARDS = 999_999;
/** More parts of a search index were not made by Microfiche. */
const MAX_PARTS = 999_999;

/** Describes a shard of a build. */
export function describeShard(
  shard: Shard,
  { site, languages, archiveLanguage, kiosk, compact, imageFormat, search, withholding, compress, ...rest }: BuildOptions,
  { catalogue, images, tiles, copiedFiles }: Pick<PreparedSite, 'catalogue' | 'images' | 'tiles' | 'copiedFiles'>,
  { snapshot, searchParts }: { snapshot: string; searchParts: number },
) {
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
    /** Increased when the fields change. */
    format: 1,
    shard,
    version: VERSION,
    /** Checksum of the program, its packages and the version of Node. */
    program: hashOfProgram(),
    /** Fingerprint of the snapshot. */
    snapshot,
    /** Checksum of everything that the site shows of the snapshot. */
    content: content.digest('hex'),
    /** Checksum of the media files that were found, and of what programs such as ffmpeg have read from them. */
    media: hash('sha256', JSON.stringify([images, tiles, copiedFiles], withTextsOfFiles)),
    /** Checksum of the options of the build. */
    options: hash('sha256', JSON.stringify(options)),
    /** Checksum of the setting `withhold`. */
    withholding: withholding.digest,
    compact,
    kiosk: kiosk !== undefined,
    /** Encodings of the compressed copies that the site will have. */
    compress,
    /** The number of parts of the search index, of all shards together. */
    searchParts,
  };
}

/**
 * Reads the description of the shard in a directory.
 * @throws {UserError} if the directory has none
 */
export function readShard(directory: string): ShardDescription {
  const description = toDescription(readJsonFile(directory, SHARD_FILE, MAX_BYTES));
  if (description) return description;
  throw new UserError(
    `${directory} does not contain a shard. Name the directories that "microfiche build --shard K/N" has written.`,
  );
}

/** Replaces the paths of texts in the cache, which each shard may have elsewhere, by checksums of the texts. */
function withTextsOfFiles(key: string, value: unknown): unknown {
  return key === 'textFile' && typeof value === 'string' ? hash('sha256', readFileSync(value)) : value;
}

const TEXT_FIELDS = ['version', 'program', 'snapshot', 'content', 'media', 'options', 'withholding'] as const;
const FLAG_FIELDS = ['compact', 'kiosk'] as const;

function toDescription(value: unknown): ShardDescription | undefined {
  if (!isObject(value) || value['format'] !== 1 || !isObject(value['shard'])) return undefined;
  const { number, of } = value['shard'];
  if (!isCount(of, MAX_SHARDS) || !isCount(number, of - 1)) return undefined;
  if (TEXT_FIELDS.some((field) => typeof value[field] !== 'string')) return undefined;
  if (!isCount(value['searchParts'], MAX_PARTS)) return undefined;
  if (!isListOfEncodings(value['compress'])) return undefined;
  if (FLAG_FIELDS.some((field) => typeof value[field] !== 'boolean')) return undefined;
  return value as unknown as ShardDescription;
}

function isListOfEncodings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => COPY_ENCODINGS.some((encoding) => encoding === item));
}

function isCount(value: unknown, max: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
}
