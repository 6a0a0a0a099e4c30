/** Thrown if the session has ended and the user must sign in again. */
export class SessionLost extends Error {
  constructor() {
    super('Failed to refresh token, redirecting to login.');
    this.name = 'SessionLost';
  }
}
