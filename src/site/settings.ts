/** What the command line tells a build, handed to the pages through one environment variable, since Astro loads them as modules of its own. */

export interface BuildSettings {
  /** The snapshot's folder, absolute. */
  snapshot: string;
  /** A JSON file with the pictures that were made, absolute; undefined: there are none. */
  pictures: string | undefined;
  /** The mirror's own address, where it will be hosted, with a slash at its end. */
  site: string | undefined;
}

const VARIABLE = 'MICROFICHE_BUILD';

export function announceSettings(settings: BuildSettings): void {
  process.env[VARIABLE] = JSON.stringify(settings);
}

/** Where Astro was started by hand (`astro dev`, `astro check`), the pages show the sample archive. */
export function buildSettings(): BuildSettings {
  const announced = process.env[VARIABLE];
  return announced
    ? (JSON.parse(announced) as BuildSettings)
    : { snapshot: 'content/sample', pictures: undefined, site: undefined };
}
