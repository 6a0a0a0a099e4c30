import { useEffect, useState } from 'react';
import { withoutParameter } from './address.ts';

/**
 * The parameters that the page was opened with; null until its script runs. The one named `once` is read and then taken
 * out of the address and the history, where a screenshot, a copied address or somebody later at the same browser would
 * find it; a reload does not know it anymore.
 */
export function useAddress(once: string): URLSearchParams | null {
  const [parameters, setParameters] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    const opened = new URLSearchParams(window.location.search);
    // An effect may run twice, and the second time the parameter is gone already.
    setParameters((known) => known ?? opened);
    const rest = withoutParameter(window.location.href, once);
    if (rest !== null) window.history.replaceState(window.history.state, '', rest);
  }, [once]);
  return parameters;
}
