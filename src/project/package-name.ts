/** The name of a project as an npm package; units and jobs have it too. */
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';

const MAX_LENGTH = 40;
const FALLBACK = 'mirror';

/** Returns a name made from that of the directory, or else from the title: lower-case letters, digits and single hyphens. */
export function packageName({ directory, title }: { directory: string; title: string }): string {
  const name = [basename(directory), title].map(toName).find((one) => one !== '') ?? FALLBACK;
  // A package cannot depend on one of its own name, and npm rejects the names of Node's modules.
  return name === 'microfiche' || name === 'node-modules' || isBuiltin(name) ? `${name}-${FALLBACK}` : name;
}

function toName(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? []).join('-').slice(0, MAX_LENGTH).replace(/-$/, '');
  return /^[a-z]/.test(name) ? name : name === '' ? '' : `${FALLBACK}-${name}`;
}
