/** Decompresses gzip in browsers that cannot: Safari before 16.4, and Firefox before 113. Only they load this script. */
import { gunzipSync } from 'fflate';

window.microficheGunzip = (bytes) => gunzipSync(bytes) as Uint8Array<ArrayBuffer>;
