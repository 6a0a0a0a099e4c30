/** Who asks for a change, or decides about one. */
export interface Actor {
  type: 'user' | 'api_key' | 'flow';
  id: string;
  name: string;
}

/** What a change is saved as: to be applied at once, or for somebody to approve. */
export type SavedAs = 'applying' | 'proposed';

/** How a change is asked for. */
export interface Asked {
  actor: Actor;
  as: SavedAs;
  /** The project that it may be applied in at once: a change that reaches further is saved as a proposal. */
  within?: string | undefined;
  /** The actor's own name of this one request: no second change is saved for the actor under it. */
  request?: string | undefined;
  /** Aborted when the caller has gone away: nothing is saved then. */
  signal?: AbortSignal | undefined;
}

/** How a decision about a saved change is asked for. */
export type AskedHow = Pick<Asked, 'signal'>;

/** The payload that remembers by which name a change was asked for. */
export function withRequest(
  payload: Record<string, unknown>,
  request: string | undefined,
): Record<string, unknown> {
  return request === undefined ? payload : { ...payload, idempotency_key: request };
}

/** The name by which a change was asked for; null where it had none. */
export function requestOf({ payload }: { payload: Record<string, unknown> }): string | null {
  return typeof payload.idempotency_key === 'string' ? payload.idempotency_key : null;
}
