import { email } from '@winnow/contract/account';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

/** What the link of an invitation says. */
export type Invitation = {
  /** Null when the link has none, or something that is not an address. */
  email: string | null;
  /** A proposal; empty when the link has none. */
  username: string;
  /** The one-time secret; null when the link has none. */
  token: string | null;
};

function readInvitation(parameters: URLSearchParams): Invitation {
  const address = email.safeParse(parameters.get('email') ?? '');
  return {
    email: address.success ? address.data : null,
    username: parameters.get('username') ?? '',
    token: parameters.get('token') || null,
  };
}

/**
 * The invitation in the address. Its token is read once and then taken out of the address and the history, where a
 * screenshot, a copied address or somebody later at the same browser would find it; a reload does not know it anymore.
 */
export function useInvitation(): Invitation {
  const [parameters, setParameters] = useSearchParams();
  const [invitation] = useState(() => readInvitation(parameters));
  const tokenShows = parameters.has('token');
  useEffect(() => {
    if (!tokenShows) return;
    setParameters(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete('token');
        return rest;
      },
      { replace: true },
    );
  }, [tokenShows, setParameters]);
  return invitation;
}
