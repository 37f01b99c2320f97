/** Reads members of packs (see pack-format.ts) in a browser: loads each pack when it is first wanted, and lets go those that were not for longest. */
import { type Block, blockOf, DIRECTORY } from './pack-format.ts';

declare global {
  interface Window {
    /** Called by each pack. */
    microfichePack?: (name: string, content: unknown) => void;
  }
}

/** Packs and unpacked blocks that are kept. */
const MOST_PACKS = 48;
const MOST_BLOCKS = 96;

/** A pack on its way knows who waits for it: several readers may be at work on a page. */
type PackScript = HTMLScriptElement & { deliver?: (content: unknown) => void };

interface Unpacked {
  table: Record<string, [offset: number, length: number]>;
  data: Uint8Array<ArrayBuffer>;
}

export type ReadMember = (name: string) => Promise<Uint8Array<ArrayBuffer>>;

/** `folder` is the packs' address, with a slash at its end; `packOf` finds a member's pack by what stands in the directory. */
export function createPackReader<Directory>(
  folder: string,
  packOf: (name: string, directory: Directory) => string | undefined,
): ReadMember {
  const load = (name: string) => loadContent(`${folder}${name}.js`);
  const directories = recent<Directory>(1, (name) => load(name) as Promise<Directory>);
  const packs = recent<Block[]>(MOST_PACKS, (name) => load(name) as Promise<Block[]>);
  const blocks = recent<Unpacked>(MOST_BLOCKS, async (key) => {
    const [name = '', at] = key.split(':');
    return unpack((await packs(name))[Number(at)]?.[1] ?? '');
  });

  return async (path) => {
    const name = packOf(path, await directories(DIRECTORY));
    const at = name === undefined ? -1 : blockOf(path, await packs(name));
    if (at < 0) throw missing(path);
    const { table, data } = await blocks(`${name}:${at}`);
    const place = table[path];
    if (!place) throw missing(path);
    return data.slice(place[0], place[0] + place[1]);
  };
}

/** The content of one pack script. */
function loadContent(address: string): Promise<unknown> {
  window.microfichePack ??= (_, content) => (document.currentScript as PackScript).deliver?.(content);
  return new Promise((resolve, reject) => {
    const script: PackScript = document.createElement('script');
    script.deliver = resolve;
    loadScript(address, script).then(() => reject(new Error(`${address} holds no pack`)), reject);
  });
}

/** Runs a classic script, and takes it out of the page again. */
export function loadScript(address: string, script = document.createElement('script')): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      script.remove();
      settle();
    };
    script.onload = end(resolve);
    script.onerror = end(() => reject(new Error(`${address} cannot be loaded`)));
    script.src = address;
    document.head.append(script);
  });
}

/** Every member of one pack, by name. */
export async function loadPack(address: string): Promise<Map<string, Uint8Array>> {
  const blocks = (await loadContent(address)) as Block[];
  const unpacked = await Promise.all(blocks.map(([, text]) => unpack(text)));
  return new Map(
    unpacked.flatMap(({ table, data }) =>
      Object.entries(table).map(([name, [offset, length]]) => [name, data.subarray(offset, offset + length)] as const),
    ),
  );
}

function missing(path: string): Error {
  return new Error(`The packs hold no ${path}`);
}

/** What `make` has made, the last `most` of it; what failed is tried again. */
function recent<T>(most: number, make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key) => {
    const found = kept.get(key) ?? make(key);
    found.catch(() => kept.delete(key));
    kept.delete(key);
    kept.set(key, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return found;
  };
}

async function unpack(text: string): Promise<Unpacked> {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = whole.indexOf(10);
  return { table: JSON.parse(new TextDecoder().decode(whole.subarray(0, end))), data: whole.subarray(end + 1) };
}
