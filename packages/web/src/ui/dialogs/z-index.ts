/**
 * Z-index of a dialog above the drawer of an issue or a pair.
 * On small screens, drawers have the z-index of dialogs (200), and a drawer may open after the
 * dialog was mounted.
 */
export const Z_INDEX_ABOVE_DRAWER = 210;
