/** A mistake in the settings of the configuration. */
export interface SettingProblem {
  /** Names of settings, and positions in lists, from the outermost one. */
  path: readonly string[];
  /** One sentence. */
  problem: string;
}
