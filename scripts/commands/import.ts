/** `microfiche import`: makes a snapshot from a package that `export` wrote. */
import type { ImportProgress } from '../../src/export/import-staging.ts';
import { sizeOfPackage } from '../../src/export/package/package-reader.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount } from '../../src/platform/text-lines.ts';
import { assertSigners } from '../../src/publish/signature.ts';
import type { Flags } from '../options/options.ts';
import { createProgress, type Progress } from '../progress.ts';
import { saveMemory } from '../save-memory.ts';

/** Runs the command `import`. */
export async function importSnapshot(path: string, flags: Flags<'import'>) {
  const { importPackage } = await import('../../src/export/import-package.ts');
  assertSigners(flags.signers);
  saveMemory();
  const report = await showProgress(path, flags.json, (progress) =>
    importPackage(path, flags.snapshot, { progress, signersFile: flags.signers }),
  );
  const imported = `${formatCount(report.files, 'file')}, ${formatBytes(report.bytes)}`;
  return { report, lines: [`Imported to ${flags.snapshot}: ${imported}.`, `Fingerprint of the content: ${report.fingerprint}`] };
}

/** Shows the progress of an import in megabytes: of reading the package, then of checking the snapshot. */
async function showProgress<T>(path: string, quiet: boolean | undefined, work: (progress: ImportProgress) => Promise<T>) {
  using bars = new DisposableStack();
  const reading = bars.use(createProgress('Package', quiet));
  let checking: Progress | undefined;
  const total = quiet ? 0 : sizeOfPackage(path);
  let read = 0;
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  return await work({
    onRead(bytes) {
      read = Math.min(read + bytes, total); // texts in a ZIP file are larger than the file
      reading.update(megabytes(read), megabytes(total), 'MB');
    },
    onChecked(done, all) {
      reading.stop();
      checking ??= bars.use(createProgress('Snapshot', quiet));
      checking.update(megabytes(done), megabytes(all), 'MB');
    },
  });
}
