/** The path of the icon in the site. In a module of its own, because that of the assets loads Vite. */
export const ICON_PATH = 'assets/icon.svg';
