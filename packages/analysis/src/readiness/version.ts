/**
 * Version of the rules. Increment it whenever a rule judges some text differently, so that stored
 * scores are recomputed.
 */
export const RULES_VERSION = 3;
