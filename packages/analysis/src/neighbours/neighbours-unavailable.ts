/**
 * Error: the search for neighbors was interrupted, because its pool was closed or a thread ended.
 * The message is for users.
 */
export class NeighboursUnavailable extends Error {
  override readonly name = 'NeighboursUnavailable';
  readonly code = 'neighbours_unavailable';
}
