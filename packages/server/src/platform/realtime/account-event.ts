import type { LiveEvent } from '@winnow/contract/live';

/** A session has ended before its time: its sockets are to be closed. Never told to a browser. */
export interface SessionRevoked {
  readonly type: 'session_revoked';
  readonly session_id: string;
}

/** What the processes of an installation tell each other about an account. */
export type AccountEvent = LiveEvent | SessionRevoked;
