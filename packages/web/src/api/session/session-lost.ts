/** Thrown when there is no session any more: nothing but signing in again helps. */
export class SessionLost extends Error {
  constructor() {
    super('Failed to refresh token, redirecting to login.');
    this.name = 'SessionLost';
  }
}
