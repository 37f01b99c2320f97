/** What a reader has chosen, kept in the browser. Where it keeps nothing for this page, a choice lasts for the page. */

const PREFIX = 'microfiche-';

export function kept(name: string): string {
  try {
    return localStorage.getItem(PREFIX + name) ?? '';
  } catch {
    return ''; // storage is forbidden here
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // storage is forbidden here
  }
}
