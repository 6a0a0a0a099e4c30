import { useEffect, useState } from 'react';
import { withoutParameter } from './address.ts';

/**
 * Returns the query parameters the page was opened with; null in prerendered HTML. Removes the
 * parameter named `secret` from the address bar, so that it does not leak through screenshots,
 * copied links or the browser history. With `survivesReload`, the tab's history state stores the
 * secret, and a reload can read it again.
 */
export function useAddress(secret: string, { survivesReload = false } = {}): URLSearchParams | null {
  const [parameters, setParameters] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    const opened = new URLSearchParams(window.location.search);
    const stored: unknown = window.history.state?.[secret];
    if (survivesReload && !opened.has(secret) && typeof stored === 'string') opened.set(secret, stored);
    // React may run an effect twice. On the second run the parameter is already removed.
    setParameters((known) => known ?? opened);
    const rest = withoutParameter(window.location.href, secret);
    if (rest === null) return;
    const state = survivesReload
      ? { ...window.history.state, [secret]: opened.get(secret) }
      : window.history.state;
    window.history.replaceState(state, '', rest);
  }, [secret, survivesReload]);
  return parameters;
}
