/** File formats for the site's images (`build --pictures`). */
export const IMAGE_FORMATS = ['webp', 'avif'] as const;
/** One of these formats. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];
