/** Which paths every file system accepts. Runs in Node and in browsers. */

/** Maximum characters of a path. Windows allows 260, including the directory that the site is in. */
export const MAX_PATH_LENGTH = 200;

/** Maximum bytes of a name in a path, as UTF-8. */
const MAX_NAME_BYTES = 255;
/** As UTF-8, of a UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3;
const encoder = new TextEncoder();

/** Characters that Windows forbids, including slash and backslash, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*\x00-\x1f\x7f]/;
/** Device names of Windows, with or without an extension. */
const WINDOWS_DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/** Returns why some file system cannot store a relative path; undefined if all can. */
export function pathProblem(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return `its path is longer than ${MAX_PATH_LENGTH} characters`;
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'its path has a part without a name';
    if (FORBIDDEN_CHARACTERS.test(name)) return 'its name has a character that Windows forbids';
    if (/[. ]$/.test(name)) return 'a name in its path ends with a dot or a space';
    if (WINDOWS_DEVICE_NAME.test(name)) return 'a name in its path is a device of Windows';
    const isLong = name.length * MAX_BYTES_PER_CHARACTER > MAX_NAME_BYTES && encoder.encode(name).length > MAX_NAME_BYTES;
    if (isLong) return `a name in its path is longer than ${MAX_NAME_BYTES} bytes`;
  }
  return undefined;
}
