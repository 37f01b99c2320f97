/** The path of a site's icon. */
export const ICON_PATH = 'assets/icon.svg';
