/** What the options of downloads mean, which several commands have. */
import { createUserAgent } from './harvest-options.ts';
import { type Flags, TIMEOUT_SECONDS } from './options.ts';

/** Values of the options of the request policy. */
export type RequestFlags = Pick<Flags<'media'>, 'allowHost' | 'concurrency' | 'rate' | 'timeout' | 'contact' | 'ignoreRobots'>;
/** Values of the options that select media files. */
export type FileFlags = Pick<Flags<'media'>, 'snapshot' | 'kinds' | 'video' | 'collection' | 'budget' | 'maxFile'>;

/** Returns the request policy for downloads that the options describe. */
export function toRequestPolicy(flags: RequestFlags) {
  return {
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    maxRequestsPerSecond: flags.rate,
    timeoutSeconds: flags.timeout ?? TIMEOUT_SECONDS.media,
    ignoreRobots: flags.ignoreRobots === true,
    userAgent: createUserAgent(flags.contact),
    onSnapshotHosts: (hosts: string[]) =>
      process.stderr.write(
        `Downloading from ${hosts.join(', ')}. Only the snapshot names this upstream; you have not named it on this machine.\n`,
      ),
  };
}

/** Returns which media files the options select. */
export function toMediaSelection({ snapshot, kinds, video, collection, budget, maxFile }: FileFlags) {
  const collections = collection && new Set(collection);
  return { snapshot, kinds: new Set(kinds), video, collections, budgetBytes: budget, maxFileBytes: maxFile };
}
