/** Reads requests of OAI-PMH 2.0 and its resumption tokens, which contain all that is needed to resume a list. */
import { isObjectId } from '../model/ids.ts';
import { readTimestamp } from '../model/timestamps.ts';

/** The error codes of OAI-PMH that this server has. */
export type OaiErrorCode =
  | 'badArgument'
  | 'badResumptionToken'
  | 'badVerb'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noRecordsMatch'
  | 'noSetHierarchy';

/** An error as the protocol reports it. */
export class OaiError extends Error {
  override name = 'OaiError';
  readonly code: OaiErrorCode;
  constructor(code: OaiErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The verbs, with their arguments: required, optional, and exclusive. */
const VERBS = {
  Identify: {},
  ListMetadataFormats: { optional: ['identifier'] },
  ListSets: { exclusive: 'resumptionToken' },
  GetRecord: { required: ['identifier', 'metadataPrefix'] },
  ListIdentifiers: { required: ['metadataPrefix'], optional: ['from', 'until', 'set'], exclusive: 'resumptionToken' },
  ListRecords: { required: ['metadataPrefix'], optional: ['from', 'until', 'set'], exclusive: 'resumptionToken' },
} as const satisfies Record<string, VerbArguments>;
type VerbArguments = { required?: readonly string[]; optional?: readonly string[]; exclusive?: string };

/** A verb of OAI-PMH. */
export type OaiVerb = keyof typeof VERBS;

/** A request whose arguments fit its verb. Their values are not checked. */
export interface OaiRequest {
  verb: OaiVerb;
  arguments: Readonly<Record<string, string>>;
}

/** Reads a request. @throws {OaiError} `badVerb` or `badArgument`. */
export function parseOaiRequest(parameters: URLSearchParams): OaiRequest {
  const [verb, ...moreVerbs] = parameters.getAll('verb');
  if (verb === undefined) throw new OaiError('badVerb', 'The argument "verb" is missing.');
  if (moreVerbs.length > 0) throw new OaiError('badVerb', 'The argument "verb" is repeated.');
  if (!isVerb(verb)) throw new OaiError('badVerb', `OAI-PMH has no such verb. Use one of ${Object.keys(VERBS).join(', ')}.`);
  const { required = [], optional = [], exclusive }: VerbArguments = VERBS[verb];
  const found: Record<string, string> = {};
  for (const [name, value] of parameters) {
    if (name === 'verb') continue;
    if (![...required, ...optional, exclusive].includes(name))
      throw new OaiError('badArgument', `${verb} has an argument that it does not take.`);
    if (Object.hasOwn(found, name)) throw new OaiError('badArgument', `The argument "${name}" is repeated.`);
    found[name] = value;
  }
  if (exclusive !== undefined && exclusive in found) {
    if (Object.keys(found).length > 1) throw new OaiError('badArgument', `"${exclusive}" must be the only argument.`);
    return { verb, arguments: found };
  }
  const missing = required.find((name) => !(name in found));
  if (missing !== undefined) throw new OaiError('badArgument', `The argument "${missing}" is missing.`);
  return { verb, arguments: found };
}

const isVerb = (text: string): text is OaiVerb => Object.hasOwn(VERBS, text);

/** Which records a list has, and its first record. */
export interface OaiSelection {
  /** Inclusive bounds of datestamps: `YYYY-MM-DDThh:mm:ssZ`. */
  from: string | undefined;
  until: string | undefined;
  set: string | undefined;
  /** The last record of the page before. */
  after: { datestamp: string; id: string } | undefined;
  /** Number of records before this page. */
  cursor: number;
}

/** The only metadata format. */
export const METADATA_PREFIX = 'oai_dc';

/** Reads a list's arguments, or its token. @throws {OaiError} `badArgument`, `badResumptionToken`, `cannotDisseminateFormat`. */
export function parseSelection({ arguments: given }: OaiRequest): OaiSelection {
  const { resumptionToken, metadataPrefix, from, until, set } = given;
  if (resumptionToken !== undefined) return parseRecordToken(resumptionToken);
  checkFormat(metadataPrefix);
  for (const [name, date] of Object.entries({ from, until }))
    if (date !== undefined && !isDatestamp(date))
      throw new OaiError('badArgument', `"${name}" must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z.`);
  if (from !== undefined && until !== undefined && from.length !== until.length)
    throw new OaiError('badArgument', '"from" and "until" must have the same granularity.');
  if (set !== undefined && !isObjectId(set)) throw new OaiError('badArgument', '"set" must be the ID of a collection.');
  const bounds = {
    from: from?.length === 10 ? `${from}T00:00:00Z` : from,
    until: until?.length === 10 ? `${until}T23:59:59Z` : until,
  };
  if (bounds.from !== undefined && bounds.until !== undefined && bounds.from > bounds.until)
    throw new OaiError('badArgument', '"from" must not be later than "until".');
  return { ...bounds, set, after: undefined, cursor: 0 };
}

/** @throws {OaiError} `cannotDisseminateFormat` if a metadata prefix is not that of Dublin Core. */
export function checkFormat(metadataPrefix: string | undefined): void {
  if (metadataPrefix !== METADATA_PREFIX)
    throw new OaiError('cannotDisseminateFormat', `The only metadata format is ${METADATA_PREFIX}.`);
}

function isDatestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/.test(text) && readTimestamp(text) === text;
}

const SEPARATOR = '!';
const badToken = () =>
  new OaiError('badResumptionToken', 'The resumption token is not one of this server. Start the list again.');

/** Returns the token with which a list resumes after a record. */
export function formatRecordToken({ from = '', until = '', set = '', after, cursor }: OaiSelection): string {
  return [from, until, set, after?.datestamp, after?.id, cursor].join(SEPARATOR);
}

function parseRecordToken(token: string): OaiSelection {
  const [from = '', until = '', set = '', datestamp = '', id, cursor = '', ...rest] = token.split(SEPARATOR);
  const isTime = (text: string) => text.length === 20 && isDatestamp(text);
  const isValid =
    [from, until].every((bound) => bound === '' || isTime(bound)) &&
    (set === '' || isObjectId(set)) &&
    isTime(datestamp) &&
    isObjectId(id) &&
    /^[1-9]\d{0,8}$/.test(cursor) &&
    rest.length === 0;
  if (!isValid) throw badToken();
  return {
    from: from || undefined,
    until: until || undefined,
    set: set || undefined,
    after: { datestamp, id },
    cursor: Number(cursor),
  };
}

/** Returns the token with which the list of sets resumes after a set. */
export const formatSetToken = (set: string, cursor: number): string => [set, cursor].join(SEPARATOR);

/** Reads a token of the list of sets. @throws {OaiError} `badResumptionToken`. */
export function parseSetToken(token: string): { after: string; cursor: number } {
  const [after, cursor = '', ...rest] = token.split(SEPARATOR);
  if (!isObjectId(after) || !/^[1-9]\d{0,8}$/.test(cursor) || rest.length > 0) throw badToken();
  return { after, cursor: Number(cursor) };
}
