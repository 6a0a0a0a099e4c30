import type { RunningWinnow } from './running-winnow.ts';

/** Lets the comparison of a tracker with what is stored be due at its next sync, and what was missed be missed for an hour. */
export async function makeDue({ database }: RunningWinnow, trackerId: string): Promise<void> {
  const { pool } = database;
  await pool.query('update project set reconcile_after = now() where tracker_id = $1', [trackerId]);
  await pool.query(
    "update issue set missing_since = missing_since - interval '1 hour' where tracker_id = $1",
    [trackerId],
  );
}
