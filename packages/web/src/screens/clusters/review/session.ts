import { useLocalStorage } from '@mantine/hooks';
import { MAX_SKIPPED_CLUSTERS } from '@winnow/contract/cluster';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';

const reviewSession = z.object({
  /** Id of the review. The server gives no two reviews the same cluster. */
  reviewer: id,
  /** Start of the review. */
  since: z.iso.datetime(),
  /** Clusters that the person skipped last. The API accepts no more. */
  skipped: z.array(id).transform((ids) => ids.slice(-MAX_SKIPPED_CLUSTERS)),
  /** True if the summary is displayed. */
  ended: z.boolean().default(false),
  /** Filters of the list from which the review was started. */
  projects: z.array(id),
  probability: z.number().nullable(),
});
/** A review, stored in the browser so that it can be continued later. */
export type ReviewSession = z.infer<typeof reviewSession>;

/** Returns a random UUID. `crypto.randomUUID` exists only on pages loaded by HTTPS. */
function newReviewer(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Starts a review. */
export function newSession(
  filters: Pick<ReviewSession, 'projects' | 'probability'>,
  now: Date,
): ReviewSession {
  return { reviewer: newReviewer(), since: now.toISOString(), skipped: [], ended: false, ...filters };
}

/** Returns the session with a skipped cluster. A review that skips more offers the first again. */
export function withSkipped(session: ReviewSession, clusterId: string): ReviewSession {
  return { ...session, skipped: [...session.skipped, clusterId].slice(-MAX_SKIPPED_CLUSTERS) };
}

/** Parses a stored review; null if there is none or it is invalid. */
export function readSession(text: string | undefined): ReviewSession | null {
  try {
    return reviewSession.parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

/** Returns the user's review in this browser, and a function that replaces it. */
export function useReviewSession(userId: string) {
  return useLocalStorage<ReviewSession | null>({
    key: `cluster-review-${userId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: readSession,
  });
}
