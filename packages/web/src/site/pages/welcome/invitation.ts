import { email } from '@winnow/contract/account';

/** The parameters of an invitation link. */
export interface Invitation {
  /** Null if it is missing or not an email address. */
  email: string | null;
  /** Suggested username; empty if it is missing. */
  username: string;
  /** The one-time secret; null if it is missing. */
  token: string | null;
}

/** Parses the parameters of an invitation link. */
export function invitationOf(parameters: URLSearchParams): Invitation {
  const address = email.safeParse(parameters.get('email') ?? '');
  return {
    email: address.success ? address.data : null,
    username: parameters.get('username') ?? '',
    token: parameters.get('token') || null,
  };
}
