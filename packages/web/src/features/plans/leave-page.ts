/** Leads to another page. Ends only where the browser brings this one back as it was left. */
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
