/** Files and directories that operating systems and their programs leave on drives and in directories: they are no content. */

const SYSTEM_NAME =
  /^(?:System Volume Information|\$RECYCLE\.BIN|FOUND\.0.*|WPSettings\.dat|lost\+found|LOST\.DIR|\.Trash.*|\.fseventsd|\.Spotlight-V100|\.TemporaryItems|Temporary Items|Network Trash Folder|\.DocumentRevisions-V100|\.localized|\.apdisk|\.Apple.*|\.VolumeIcon\.icns|\.metadata_never_index.*|\.com\.apple\.timemachine\..*|__MACOSX|\.DS_Store|\._.*|Icon\r|(?:eh)?thumbs(?:_vista)?\.db.*|autorun\.inf|desktop\.ini|~\$.*|\.~lock\..*|\.directory|\.fuse_hidden.*|\.nfs.*|\.xdg-volume-info|\.thumbnails|\.nomedia|\.android_secure|@eaDir|#recycle|\.@__thumb|@Recycle)$/i;

/** Whether operating systems name their own files and directories so. */
export const isSystemName = (name: string): boolean => SYSTEM_NAME.test(name);

/** Whether a path, with `/` as separator, is a file of the operating system or below a directory of it. */
export const isSystemPath = (path: string): boolean => path.split('/').some(isSystemName);

/** Returns what follows a problem with a file that an operating system left: what to do; empty for other files. */
export function adviceOnSystemFile(path: string): string {
  return isSystemPath(path) ? '. An operating system left it there: delete such files, and try again' : '';
}
