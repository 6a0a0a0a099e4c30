import type { LiveEvent } from '@winnow/contract/live';

/** A session has ended early, so its sockets must be closed. Not sent to browsers. */
interface SessionRevoked {
  readonly type: 'session_revoked';
  readonly session_id: string;
}

/** A flow execution has logged a line for its viewers. Not sent to browsers. */
interface ExecutionLogged {
  readonly type: 'execution_logged';
  readonly execution_id: string;
}

/** Events of an account, exchanged between the processes of an installation. */
export type AccountEvent = LiveEvent | SessionRevoked | ExecutionLogged;

/** True if the event is sent to browsers. */
export function isLiveEvent(event: AccountEvent): event is LiveEvent {
  return event.type !== 'session_revoked' && event.type !== 'execution_logged';
}
