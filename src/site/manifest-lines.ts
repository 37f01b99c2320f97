/** Lines as `sha256sum` writes and checks them: read by the build, by the copy to a stick and by the page that keeps the mirror. */

export interface ManifestLine {
  path: string;
  sha256: string;
}

/** The lines of a text; one whose path leads out of its folder is none. */
export function manifestLines(text: string): ManifestLine[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
    return match?.[1] && match[2] && !match[2].split('/').includes('..') && !match[2].startsWith('/')
      ? [{ sha256: match[1], path: match[2] }]
      : [];
  });
}
