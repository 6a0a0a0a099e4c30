import type { CurrentUser, RegisteredUser } from '@winnow/contract/account';
import type { User } from './store.ts';

/** A user as registering answers it. */
export function presentRegisteredUser(user: User): RegisteredUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    full_name: user.full_name,
    email_verified: user.email_verified_at !== null,
  };
}

/** A user as they see themselves. */
export function presentCurrentUser(user: User): CurrentUser {
  return {
    ...presentRegisteredUser(user),
    account_id: user.account_id,
    created_at: user.created_at.toISOString(),
  };
}
