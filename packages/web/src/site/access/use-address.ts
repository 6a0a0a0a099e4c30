import { useEffect, useState } from 'react';
import { withoutParameter } from './address.ts';

/**
 * The parameters that the page was opened with; null until its script runs. The parameter named `secret` is removed from
 * the address, where a screenshot, a copied link or another user of the browser would find it. With `survivesReload` the
 * tab's history entry keeps it, so that reloading the page does not lose it.
 */
export function useAddress(secret: string, { survivesReload = false } = {}): URLSearchParams | null {
  const [parameters, setParameters] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    const opened = new URLSearchParams(window.location.search);
    const kept: unknown = window.history.state?.[secret];
    if (survivesReload && !opened.has(secret) && typeof kept === 'string') opened.set(secret, kept);
    // An effect may run twice, and the second time the parameter is gone already.
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
