import { useEffect, useState } from 'react';
import { withoutParameter } from './address.ts';

/**
 * Returns the query parameters with which the page was opened. Null in prerendered HTML.
 * Removes the parameter named `secret` from the address bar. It then cannot leak through
 * screenshots, copied links or the browser history.
 * With `survivesReload`, the history state of the tab stores the secret. The page can read it again
 * after a reload.
 */
export function useAddress(secret: string, { survivesReload = false } = {}): URLSearchParams | null {
  const [parameters, setParameters] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    const opened = new URLSearchParams(window.location.search);
    const stored: unknown = window.history.state?.[secret];
    if (survivesReload && !opened.has(secret) && typeof stored === 'string') opened.set(secret, stored);
    // In development, React runs effects twice. On the second run, the parameter is already
    // removed.
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
