/** The tracker was deleted while it was being synced: there is nothing left to do. */
export class TrackerGone extends Error {
  override readonly name = 'TrackerGone';

  constructor() {
    super('The tracker was deleted.');
  }
}
