import { email } from '@winnow/contract/account';

/** The parameters of an invitation link. */
export interface Invitation {
  /** Email address of the invited user. Null if it is missing or invalid. */
  email: string | null;
  /** Suggested username. Empty if it is missing. */
  username: string;
  /** The one-time secret. Null if it is missing. */
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
