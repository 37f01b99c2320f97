/** Which paths every file system takes. It runs in browsers too, where the manifest is read as well. */

/** Characters of a path at most: Windows has 260 for the whole, the folder in which the mirror stands included. */
export const LONGEST_PATH = 200;

/** What Windows forbids, slash and backslash included, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[<>:"/\\|?*\x00-\x1f\x7f]/;
/** Device names of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/** Why a relative path cannot be stored everywhere; undefined where it can. */
export function pathProblem(path: string): string | undefined {
  if (path.length > LONGEST_PATH) return `its path is longer than ${LONGEST_PATH} characters`;
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'its path has a part without a name';
    if (FORBIDDEN.test(name)) return 'its name has a character that Windows forbids';
    if (/[. ]$/.test(name)) return 'a name in its path ends with a dot or a space';
    if (DEVICE.test(name)) return 'a name in its path is a device of Windows';
    if (new TextEncoder().encode(name).length > 255) return 'a name in its path is longer than 255 bytes';
  }
  return undefined;
}
