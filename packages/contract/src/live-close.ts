/** Close code of a live socket whose token is missing, wrong or expired. */
export const CLOSE_UNAUTHENTICATED = 4401;
/** Close code of a live socket for a missing resource. Clients should not reconnect. */
export const CLOSE_GONE = 4404;
