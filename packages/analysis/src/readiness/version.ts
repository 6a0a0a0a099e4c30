/** Grows whenever the rules judge some text otherwise than before: scores that are kept by the former ones are then made anew. */
export const RULES_VERSION = 3;
