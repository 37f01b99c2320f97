/** Files and directories that operating systems leave on drives and in directories that they show. They are no content. */

const SYSTEM_NAME =
  /^(?:System Volume Information|\$RECYCLE\.BIN|lost\+found|LOST\.DIR|\.Trash.*|\.fseventsd|\.Spotlight-V100|\.TemporaryItems|\.DocumentRevisions-V100|\.apdisk|\.AppleDouble|\.DS_Store|\._.*|Icon\r|(?:eh)?thumbs(?:_vista)?\.db|autorun\.inf|desktop\.ini|\.directory|\.thumbnails|\.nomedia)$/i;

/** Whether operating systems name their own files and directories so. */
export const isSystemName = (name: string): boolean => SYSTEM_NAME.test(name);

/** Whether a path, with `/` as separator, is a file of the operating system or below a directory of it. */
export const isSystemPath = (path: string): boolean => path.split('/').some(isSystemName);

/** Returns what follows a problem with a file that an operating system left: what to do; empty for other files. */
export function adviceOnSystemFile(path: string): string {
  return isSystemPath(path) ? '. An operating system left it there: delete such files, and try again' : '';
}
