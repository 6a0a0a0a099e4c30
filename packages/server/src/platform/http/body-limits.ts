/**
 * Maximum size of a request body in bytes, by kind of caller. A larger body gets 413. Larger limits
 * would let a caller keep the process busy with parsing.
 */
export const BODY_LIMIT_BYTES = {
  /** Twice the size of a demo request's comments with every character escaped. */
  anonymous: 64 * 1024,
  authenticated: 1024 * 1024,
  /** GitHub delivers up to 25 MB, but only a push of thousands of commits exceeds 5 MB. */
  trackerWebhook: 5 * 1024 * 1024,
  /** Real events have about ten thousand bytes. */
  stripeWebhook: 1024 * 1024,
  /**
   * A webhook that exceeded its limit of failed requests is read up to this size. Most webhooks
   * have at most 30 kB.
   */
  webhookAfterFailures: 64 * 1024,
} as const;
