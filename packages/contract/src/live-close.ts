/** Close code of a live socket whose token is missing, wrong or expired. */
export const CLOSE_UNAUTHENTICATED = 4401;
