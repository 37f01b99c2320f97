/** The arrow keys of a page, by the direction in which it is read. */
const isRightToLeft = document.documentElement.dir === 'rtl';

/** The key toward what one has read: on an Arabic page, it points to the right. */
export const BACK_KEY = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
/** The key toward what follows. */
export const FORWARD_KEY = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
