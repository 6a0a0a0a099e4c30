/** A search for neighbours was cut off: its pool was closed, or a thread of it ended. The message is for a person. */
export class NeighboursUnavailable extends Error {
  override readonly name = 'NeighboursUnavailable';
  readonly code = 'neighbours_unavailable';
}
