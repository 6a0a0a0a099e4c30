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
 * Tells the processes that a membership ended, so they close the user's sockets. Not sent
 * to browsers.
 */
interface MemberRemoved {
  readonly type: 'member_removed';
  readonly user_id: string;
}

/** Tells the viewers of a flow execution that it has logged a line. Not sent to browsers. */
interface ExecutionLogged {
  readonly type: 'execution_logged';
  readonly execution_id: string;
}

/** Events of an account, exchanged between the processes of an installation. */
export type AccountEvent = LiveEvent | SessionRevoked | MemberRemoved | ExecutionLogged;

/** True if the event is sent to browsers. */
export function isLiveEvent(event: AccountEvent): event is LiveEvent {
  return !['session_revoked', 'member_removed', 'execution_logged'].includes(event.type);
}
