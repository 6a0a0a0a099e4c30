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

/** Initial status of a change: `applying` starts it immediately, `proposed` waits for approval. */
export type InitialStatus = 'applying' | 'proposed';

/** A request for a change. */
export interface ChangeRequest {
  actor: Actor;
  as: InitialStatus;
  /**
   * Id of the only project in which the change may be applied directly. A change that also affects
   * other projects is saved as a proposal.
   */
  within?: string | undefined;
  /**
   * Idempotency key of the request, unique per actor. A second request with the same key creates no
   * change.
   */
  request?: string | undefined;
  /** Hash of the request. A different request with the same idempotency key is refused. */
  requestHash?: string | undefined;
  /** Aborted when the caller disconnects. Then nothing is saved. */
  signal?: AbortSignal | undefined;
}

/** Options of a decision about a saved change, such as an approval or an undo. */
export type DecisionOptions = Pick<ChangeRequest, 'signal' | 'request' | 'requestHash'>;

/** Adds a request's idempotency key and hash to the payload of a change. */
export function withIdempotencyKey(
  payload: Record<string, unknown>,
  { request, requestHash }: Pick<ChangeRequest, 'request' | 'requestHash'>,
): Record<string, unknown> {
  if (request === undefined) return payload;
  return { ...(requestHash && { request_hash: requestHash }), ...payload, idempotency_key: request };
}

/** Returns the idempotency key with which a change was requested; null if there was none. */
export function idempotencyKeyOf({ payload }: { payload: Record<string, unknown> }): string | null {
  return typeof payload.idempotency_key === 'string' ? payload.idempotency_key : null;
}
