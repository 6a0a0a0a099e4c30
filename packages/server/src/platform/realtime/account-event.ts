import type { LiveEvent } from '@winnow/contract/live';

/**
 * Tells all processes that a session was revoked, so that they close its sockets. Browsers do not
 * receive it.
 */
interface SessionRevoked {
  readonly type: 'session_revoked';
  readonly session_id: string;
}

/**
 * Tells the processes whose users view a flow execution that it has logged a line. Browsers do not
 * receive it.
 */
interface ExecutionLogged {
  readonly type: 'execution_logged';
  readonly execution_id: string;
}

/** Events of an account that the processes of an installation exchange. */
export type AccountEvent = LiveEvent | SessionRevoked | ExecutionLogged;

/** True if the event is sent to browsers. */
export function isLiveEvent(event: AccountEvent): event is LiveEvent {
  return event.type !== 'session_revoked' && event.type !== 'execution_logged';
}
