import type { RunningWinnow } from './running-winnow.ts';

/**
 * Makes the next sync of a tracker compare all issues. Also moves the time since which issues are
 * missing one hour into the past.
 */
export async function makeDue({ database }: RunningWinnow, trackerId: string): Promise<void> {
  const { pool } = database;
  await pool.query('update project set reconcile_after = now() where tracker_id = $1', [trackerId]);
  await pool.query(
    "update issue set missing_since = missing_since - interval '1 hour' where tracker_id = $1",
    [trackerId],
  );
}
