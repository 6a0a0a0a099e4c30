import { TrackerError } from '../provider.ts';

/** Waits for a call. Returns null if the tracker responds that the object was not found. */
export async function unlessGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'not_found') return null;
    throw error;
  }
}
