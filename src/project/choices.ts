/** What `microfiche init` knows of a project before it writes it. */
import type { Language } from '../site/language/locale.ts';

/** Ways to run a mirror's updates by themselves. */
export const AUTOMATIONS = ['github', 'gitlab', 'systemd', 'container', 'kubernetes'] as const;
/** One of `AUTOMATIONS`. */
export type Automation = (typeof AUTOMATIONS)[number];

/** Languages in which the settings can be written. */
export const CONFIG_FORMATS = ['json', 'ts'] as const;

/** The choices from which a project is made. */
export interface ProjectChoices {
  /** Absolute path of the project's directory. */
  directory: string;
  /** Title of the site: one line without control characters. */
  title: string;
  authorsUrl: string;
  catalogUrl: string;
  /** For the archive's staff: an e-mail address or a URL. */
  contact: string | undefined;
  languages: readonly Language[];
  config: (typeof CONFIG_FORMATS)[number];
  automations: readonly Automation[];
  /** Microfiche, as the project’s package.json names it: a version, an address, or `file:` and a path. */
  dependency: string;
  /** The user that runs the updates with systemd. */
  user: string;
}
