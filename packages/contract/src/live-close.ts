/** Code with which the server closes a live socket whose token is missing, wrong or expired. */
export const CLOSE_UNAUTHENTICATED = 4401;
/**
 * Code with which the server closes a live socket whose user is not a member of the workspace.
 * Clients should not reconnect to it.
 */
export const CLOSE_NOT_A_MEMBER = 4403;
/**
 * Code with which the server closes a live socket for a missing resource. Clients should not
 * reconnect.
 */
export const CLOSE_GONE = 4404;
