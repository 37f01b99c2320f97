/**
 * The module that `import { defineConfig } from 'microfiche-archive'` loads in a microfiche.config.ts. It is JavaScript, so that
 * a checkout and the npm package have the same one; its types are in the npm package, where scripts/package makes them from the
 * options of all commands.
 */

/** Returns the settings unchanged. Editors check and complete them by their type. */
export function defineConfig(settings) {
  return settings;
}
