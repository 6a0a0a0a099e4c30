/**
 * Z-index of a dialog above the drawer of an issue or a pair. On small screens the drawer has the
 * z-index of dialogs (200) and may open after the dialog was mounted.
 */
export const Z_INDEX_ABOVE_DRAWER = 210;
