import { email } from '@winnow/contract/account';

/** What the link of an invitation says. */
export interface Invitation {
  /** Null when the link has none, or something that is not an address. */
  email: string | null;
  /** A proposal; empty when the link has none. */
  username: string;
  /** The one-time secret; null when the link has none. */
  token: string | null;
}

/** Reads the link's parameters. */
export function invitationOf(parameters: URLSearchParams): Invitation {
  const address = email.safeParse(parameters.get('email') ?? '');
  return {
    email: address.success ? address.data : null,
    username: parameters.get('username') ?? '',
    token: parameters.get('token') || null,
  };
}
