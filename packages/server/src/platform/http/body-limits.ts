/**
 * Maximum size of a request body in bytes, by kind of caller. A larger body gets 413, because
 * parsing it would keep the process busy.
 */
export const BODY_LIMIT_BYTES = {
  /**
   * A demo request may contain long comments. The limit is twice the maximum length of these
   * comments, with every character escaped.
   */
  anonymous: 64 * 1024,
  authenticated: 1024 * 1024,
  /** GitHub delivers up to 25 MB, but only a push of thousands of commits exceeds 5 MB. */
  trackerWebhook: 5 * 1024 * 1024,
  /** Real events of Stripe have about ten thousand bytes. */
  stripeWebhook: 1024 * 1024,
  /**
   * Maximum body of a caller whose previous webhooks failed too often. Most webhooks have at most
   * 30 kB.
   */
  webhookAfterFailures: 64 * 1024,
} as const;
