/** Close code of a live socket whose token is missing, wrong or expired. */
export const CLOSE_UNAUTHENTICATED = 4401;
/** Close code of a live socket that asks for what is not there; there is no use in opening it again. */
export const CLOSE_GONE = 4404;
