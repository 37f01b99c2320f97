/** What an update is given: its target and its steps. */
import type { HarvestReport } from '../../harvest/report.ts';
import type { MediaReport } from '../../media/media-report.ts';
import type { BaseUrls } from '../../model/resources.ts';
import type { SiteLock } from '../../publish/files/site-lock.ts';
import type { FixityCheck } from '../../publish/fixity-log.ts';
import type { SnapshotLock } from '../../snapshot/store.ts';
import type { BuildOptions } from '../steps/build-options.ts';
import type { BuildReport } from '../steps/build-report.ts';

/** What to update. */
export interface UpdateTarget extends Pick<BuildOptions, 'snapshot' | 'out' | 'withholding' | 'withholdLess'> {
  baseUrls: BaseUrls;
  /** Share of the records (0 to 1) that may be missing. */
  maxMissingShare: number;
}

/** The steps. Each is given the lock that its work needs. */
export interface UpdateSteps {
  harvest(lock: SnapshotLock): Promise<HarvestReport>;
  media(lock: SnapshotLock): Promise<MediaReport>;
  build(lock: SiteLock): Promise<BuildReport>;
  verify(): Promise<FixityCheck[]>;
}

/** The reports of the steps that ended. */
export interface StepResults {
  harvest?: HarvestReport;
  media?: MediaReport;
  build?: BuildReport;
  verify?: FixityCheck[];
}
