/** Takes what is missing or corrupted in a snapshot from other copies. They are untrusted: only the recorded bytes are used. */
import { hash } from 'node:crypto';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import type { Damage } from '../../snapshot/audit.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { mediaPathProblem, statMediaFile } from '../../snapshot/media-files.ts';
import { createSnapshot, hasSnapshot, openSnapshot, type Store } from '../../snapshot/store.ts';
import { describeArchive, isSameArchive, readArchiveIdentity } from '../site-identity.ts';
import { copyBytes, writeVerified } from './copied-files.ts';
import { describeAbsence, type Healing, type HealOptions, noteRepair } from './heal-site.ts';

/**
 * Looks for what is damaged in other snapshots of the same archive, and takes it from them.
 * @throws {UserError} if another process writes to the snapshot
 */
export async function healSnapshot(snapshot: string, damage: Damage, { others, repairs }: HealOptions): Promise<Healing> {
  using store = repairs ? createSnapshot(snapshot) : openSnapshot(snapshot);
  using stack = new DisposableStack();
  const opened = others.map((name) => ({ name, copy: hasSnapshot(name) ? stack.use(openSnapshot(name)) : undefined }));
  const archive = readArchiveIdentity(store);
  const states = opened.map(({ name, copy }) => {
    const other = copy && readArchiveIdentity(copy);
    if (other === undefined) return { name, state: describeAbsence(name, 'snapshot'), usable: undefined };
    const isUsable = isSameArchive(archive, other);
    const state = isUsable ? 'it is of the same archive' : `it is not used: it has ${describeArchive(other)}`;
    return { name, state, usable: isUsable ? copy : undefined };
  });
  const usable = states.flatMap(({ name, usable: copy }) => (copy ? [{ name, copy }] : []));
  const healing: Healing = {
    copies: states.map(({ name, state }) => ({ copy: name, state })),
    damaged: [],
    repaired: [],
    donors: [],
  };
  for (const path of damage.files) {
    const sha256 = String(store.db.prepare('SELECT sha256 FROM blob WHERE path = ?').get(path)?.['sha256']);
    const donors: Array<{ name: string; file: string }> = [];
    for (const { name, copy } of usable) {
      const file = await findMedia(copy, sha256);
      if (file !== undefined) donors.push({ name, file });
    }
    healing.damaged.push({ what: path, intactIn: donors.map(({ name }) => name) });
    const [donor] = donors;
    if (!repairs || !donor || mediaPathProblem(path) !== undefined) continue;
    const target = { partial: `${path}.part`, target: path, sha256 };
    if (await writeVerified(toSafeDirectory(store.dir), target, (file) => copyBytes(donor.file, file)))
      noteRepair(healing, path, donor.name);
  }
  for (const id of damage.responses) {
    const row = store.db.prepare('SELECT key, sha256 FROM response WHERE id = ?').get(id);
    const [key, sha256] = [String(row?.['key']), String(row?.['sha256'])];
    const donors = usable.flatMap(({ name, copy }) => findBody(copy, key, sha256).map((body) => ({ name, body })));
    healing.damaged.push({ what: key, intactIn: donors.map(({ name }) => name) });
    const [donor] = donors;
    if (!repairs || !donor) continue;
    store.db.prepare('UPDATE response SET body = ? WHERE id = ?').run(donor.body, id);
    noteRepair(healing, key, donor.name);
  }
  return healing;
}

/** Returns an undamaged file with a checksum; undefined if a snapshot has none. */
async function findMedia({ db, dir }: Store, sha256: string): Promise<string | undefined> {
  const safeDir = toSafeDirectory(dir);
  for (const { path } of db.prepare('SELECT path FROM blob WHERE sha256 = ?').all(sha256)) {
    if (!statMediaFile(safeDir, String(path))) continue;
    const file = safeDir.resolve(String(path));
    if ((await sha256OfFile(file)) === sha256) return file;
  }
  return undefined;
}

/** Returns the undamaged body of a resource with a checksum, if a snapshot has it. */
function findBody({ db }: Store, key: string, sha256: string): Uint8Array[] {
  const rows = db.prepare('SELECT body FROM response WHERE key = ? AND sha256 = ?').all(key, sha256);
  return rows.flatMap(({ body }) => (body instanceof Uint8Array && hash('sha256', body) === sha256 ? [body] : [])).slice(0, 1);
}
