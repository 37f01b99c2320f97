/** Files and directories that operating systems and their programs leave on drives and in directories: they are no content. */

/** Names, with any text for each *. */
const NAMES = [
  // Windows, and its programs while a file is open
  'System Volume Information|$RECYCLE.BIN|FOUND.0*|WPSettings.dat|thumbs.db*|ehthumbs*.db|autorun.inf|desktop.ini',
  '~$*|.~lock.*',
  // macOS
  '.DS_Store|._*|.Trash*|.fseventsd|.Spotlight-V100|.TemporaryItems|Temporary Items|Network Trash Folder|.localized|Icon\r|.apdisk',
  '.DocumentRevisions-V100|.Apple*|.VolumeIcon.icns|.metadata_never_index*|.com.apple.timemachine.*|__MACOSX',
  // Linux and Android
  'lost+found|.directory|.fuse_hidden*|.nfs*|.xdg-volume-info|LOST.DIR|.thumbnails|.nomedia|.android_secure',
  // Network drives
  '@eaDir|#recycle|.@__thumb|@Recycle',
];
const SYSTEM_NAME = new RegExp(`^(?:${NAMES.join('|').replace(/[.$+]/g, String.raw`\$&`).replaceAll('*', '.*')})$`, 'i');

/** Whether operating systems name their own files and directories so. */
export const isSystemName = (name: string): boolean => SYSTEM_NAME.test(name);

/** Whether a path, with `/` as separator, is a file of the operating system or below a directory of it. */
export const isSystemPath = (path: string): boolean => path.split('/').some(isSystemName);

/** Returns what follows a problem with a file that an operating system left: what to do; empty for other files. */
export function adviceOnSystemFile(path: string): string {
  return isSystemPath(path) ? '. An operating system left it there: delete such files, and try again' : '';
}
