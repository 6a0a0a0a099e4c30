import { TrackerError } from '../provider.ts';

/** Returns the result of a call, or null for `not_found`. */
export async function unlessGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'not_found') return null;
    throw error;
  }
}
