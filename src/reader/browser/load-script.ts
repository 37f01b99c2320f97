/** Loads the scripts that a page needs later, or never. */

/** Runs a classic script, and removes its element afterwards. */
export function loadScript(url: string, script = document.createElement('script')): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      script.remove();
      settle();
    };
    script.onload = end(resolve);
    script.onerror = end(() => reject(new Error(`${url} cannot be loaded`)));
    script.src = url;
    document.head.append(script);
  });
}
