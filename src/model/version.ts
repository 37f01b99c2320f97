/** The version of this Microfiche, as package.json has it. */
import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
