/** The version of this Winnow. */
export const VERSION = '0.1.0';
