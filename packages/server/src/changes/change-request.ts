/** The user, API key or flow that requests or decides a change. */
export interface Actor {
  type: 'user' | 'api_key' | 'flow';
  id: string;
  name: string;
  /** User for whom an API key or a flow acts. */
  personId?: string | null | undefined;
}

/** Returns the id of the user who acts, also by an API key or a flow; null if unknown. */
export function personOf({ type, id, personId = null }: Actor): string | null {
  return type === 'user' ? id : personId;
}

/** Initial status of a change: applied immediately, or waiting for approval. */
export type InitialStatus = 'applying' | 'proposed';

/** A request for a change. */
export interface ChangeRequest {
  actor: Actor;
  as: InitialStatus;
  /**
   * Project in which the change may be applied directly. A change beyond it is saved as a proposal.
   */
  within?: string | undefined;
  /**
   * Idempotency key of the request, unique per actor. A second request with the same key creates no
   * change.
   */
  request?: string | undefined;
  /** Hash of the request. Another request under the same key is refused. */
  requestHash?: string | undefined;
  /** Aborted when the caller has disconnected: nothing is saved then. */
  signal?: AbortSignal | undefined;
}

/** Options of a decision about a saved change. */
export type DecisionOptions = Pick<ChangeRequest, 'signal' | 'request' | 'requestHash'>;

/** Adds the idempotency key of a request, and its hash, to a change's payload. */
export function withIdempotencyKey(
  payload: Record<string, unknown>,
  { request, requestHash }: Pick<ChangeRequest, 'request' | 'requestHash'>,
): Record<string, unknown> {
  if (request === undefined) return payload;
  return { ...(requestHash && { request_hash: requestHash }), ...payload, idempotency_key: request };
}

/** Returns the idempotency key a change was requested with; null without one. */
export function idempotencyKeyOf({ payload }: { payload: Record<string, unknown> }): string | null {
  return typeof payload.idempotency_key === 'string' ? payload.idempotency_key : null;
}
