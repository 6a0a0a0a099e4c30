import { useLocalStorage } from '@mantine/hooks';
import { MAX_SKIPPED_CLUSTERS } from '@winnow/contract/cluster';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';

const reviewSession = z.object({
  /** Id of the review. The server never assigns the same cluster to two reviews at once. */
  reviewer: id,
  /** Time when the review was started. */
  since: z.iso.datetime(),
  /** Ids of the clusters that the user skipped last, up to the maximum of the API. */
  skipped: z.array(id).transform((ids) => ids.slice(-MAX_SKIPPED_CLUSTERS)),
  /** True if the review has ended and its summary is displayed. */
  ended: z.boolean().default(false),
  /** Project filter of the list from which the review was started. */
  projects: z.array(id),
  probability: z.number().nullable(),
});
/** A review of clusters. It is stored in the browser, so that the user can continue it later. */
export type ReviewSession = z.infer<typeof reviewSession>;

/** Returns a random UUID. `crypto.randomUUID` is available only on pages loaded over HTTPS. */
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

/**
 * Returns the review with an additional skipped cluster. Beyond the maximum, the cluster that was
 * skipped first is offered again.
 */
export function withSkipped(session: ReviewSession, clusterId: string): ReviewSession {
  return { ...session, skipped: [...session.skipped, clusterId].slice(-MAX_SKIPPED_CLUSTERS) };
}

/** Parses a stored review. Null if the text contains no valid review. */
export function readSession(text: string | undefined): ReviewSession | null {
  try {
    return reviewSession.parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

/**
 * Returns the review of the user that is stored in this browser, and a function that replaces it.
 */
export function useReviewSession(userId: string) {
  return useLocalStorage<ReviewSession | null>({
    key: `cluster-review-${userId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: readSession,
  });
}
