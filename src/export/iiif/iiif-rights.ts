/** The property `rights` of IIIF: only URIs of Creative Commons and RightsStatements.org, as their vocabularies write them. */
import { rightsTermsUrl } from '../../model/rights-terms.ts';

const LICENSE =
  /\/\/(?:www\.)?creativecommons\.org\/licenses\/((?:by|by-sa|by-nc|by-nd|by-nc-sa|by-nc-nd)\/[1-4]\.[05](?:\/[a-z]{2,8})?)(?:\/|$)/;
const DEDICATION = /\/\/(?:www\.)?creativecommons\.org\/publicdomain\/((?:zero|mark)\/1\.0)(?:\/|$)/;
const STATEMENT =
  /\/\/(?:www\.)?rightsstatements\.org\/(?:vocab|page)\/((?:InC|InC-OW-EU|InC-EDU|InC-NC|InC-RUU|NoC-CR|NoC-NC|NoC-OKLR|NoC-US|CNE|UND|NKC)\/1\.0)(?:\/|$)/;
/** The page of a license, which is not part of its URI. */
const PAGE = /\/deed$/;

/** Returns the URI of a record's terms; undefined if it names none that the specification allows. Source: https://iiif.io/api/presentation/3.0/#rights */
export function iiifRights(raw: Readonly<Record<string, unknown>>): string | undefined {
  const url = rightsTermsUrl(raw) ?? '';
  const license = LICENSE.exec(url)?.[1]?.replace(PAGE, '');
  if (license !== undefined) return `http://creativecommons.org/licenses/${license}/`;
  const dedication = DEDICATION.exec(url)?.[1];
  if (dedication !== undefined) return `http://creativecommons.org/publicdomain/${dedication}/`;
  const statement = STATEMENT.exec(url)?.[1];
  return statement && `http://rightsstatements.org/vocab/${statement}/`;
}
