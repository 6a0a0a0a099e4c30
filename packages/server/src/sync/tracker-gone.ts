/** Thrown when the tracker was deleted during its sync. There is nothing left to do. */
export class TrackerGone extends Error {
  override readonly name = 'TrackerGone';

  constructor() {
    super('The tracker was deleted.');
  }
}
