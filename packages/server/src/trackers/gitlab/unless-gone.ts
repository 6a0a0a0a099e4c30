import { TrackerError } from '../provider.ts';

/** What the call answers; null instead of the error for what is not there. */
export async function unlessGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'not_found') return null;
    throw error;
  }
}
