/** Makes an area focusable, so that the keyboard can scroll or move its content. */
export const FOCUSABLE = { tabIndex: 0 };
