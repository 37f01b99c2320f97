/** Version of this program. */
import manifest from '../../package.json' with { type: 'json' };

/** The version, as in package.json. */
export const VERSION: string = manifest.version;
