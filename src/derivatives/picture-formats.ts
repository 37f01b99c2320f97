/** File formats for the site's images (`build --pictures`). */
export const PICTURE_FORMATS = ['webp', 'avif'] as const;
/** One of these formats. */
export type PictureFormat = (typeof PICTURE_FORMATS)[number];
