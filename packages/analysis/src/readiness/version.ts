/**
 * Version of the rules. Increment it whenever a rule changes the result for any text. Stored scores
 * are then computed again.
 */
export const RULES_VERSION = 3;
