import type { LiveEvent } from '@winnow/contract/live';

/** A session has ended before its time: its sockets are to be closed. Never told to a browser. */
export interface SessionRevoked {
  readonly type: 'session_revoked';
  readonly session_id: string;
}

/** An execution of a flow has written something down: who watches it is to be sent that. Never told to a browser. */
export interface ExecutionLogged {
  readonly type: 'execution_logged';
  readonly execution_id: string;
}

/** What the processes of an installation tell each other about an account. */
export type AccountEvent = LiveEvent | SessionRevoked | ExecutionLogged;

/** Whether browsers are told of it as it is. */
export function isLiveEvent(event: AccountEvent): event is LiveEvent {
  return event.type !== 'session_revoked' && event.type !== 'execution_logged';
}
