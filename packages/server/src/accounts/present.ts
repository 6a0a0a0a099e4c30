import type { CurrentUser, RegisteredUser } from '@winnow/contract/account';
import type { AccountEvent, Session } from '@winnow/contract/account-activity';
import type { AccountEventRow } from './activity-store.ts';
import { deviceNameOf } from './client.ts';
import type { ListedSession } from './sessions.ts';
import type { User } from './store.ts';

/** Presents a user who has just registered. */
export function presentRegisteredUser(user: User): RegisteredUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    full_name: user.full_name,
    email_verified: user.email_verified_at !== null,
  };
}

/** Presents the signed-in user. */
export function presentCurrentUser(
  user: User,
  { requiresConfirmedEmail }: { requiresConfirmedEmail: boolean },
): CurrentUser {
  return {
    ...presentRegisteredUser(user),
    account_id: user.account_id,
    created_at: user.created_at.toISOString(),
    must_confirm_email: requiresConfirmedEmail && user.email_verified_at === null,
  };
}

export function presentSession(session: ListedSession, currentId: string): Session {
  return {
    id: session.id,
    device: deviceNameOf(session.user_agent),
    address: session.address,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: session.ends_at.toISOString(),
    current: session.id === currentId,
  };
}

export function presentAccountEvent(event: AccountEventRow): AccountEvent {
  return {
    id: event.id,
    kind: event.kind,
    at: event.at.toISOString(),
    address: event.address,
    device: deviceNameOf(event.user_agent),
    detail: event.detail,
  };
}
