/** Thrown if the tracker is deleted during its sync. The sync then ends without an error. */
export class TrackerGone extends Error {
  override readonly name = 'TrackerGone';

  constructor() {
    super('The tracker was deleted.');
  }
}
