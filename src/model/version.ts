/** Name and version of this program's npm package. */
import manifest from '../../package.json' with { type: 'json' };

/** The name by which projects and own components import it, as in package.json. The command is `microfiche`. */
export const PACKAGE: string = manifest.name;
/** The version, as in package.json. */
export const VERSION: string = manifest.version;
