/** Props that make an area focusable, so that keyboard users can scroll it or move its content. */
export const FOCUSABLE = { tabIndex: 0 };
