/**
 * Opens another page. The promise resolves only if the browser restores this page from its
 * back/forward cache.
 */
export function leavePage(address: string): Promise<void> {
  window.location.assign(address);
  return new Promise((resolve) => {
    const look = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      window.removeEventListener('pageshow', look);
      resolve();
    };
    window.addEventListener('pageshow', look);
  });
}
