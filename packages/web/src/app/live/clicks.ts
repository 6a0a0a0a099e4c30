import type { ClientMessage } from '@winnow/contract/live';

type Click = Extract<ClientMessage, { type: 'click' }>;
type PrivacySignals = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** Whether the browser asks not to be tracked. */
export function trackingRefused(signals: PrivacySignals): boolean {
  return signals.doNotTrack === '1' || signals.globalPrivacyControl === true;
}

/** Ids that a library made up say nothing about what was clicked. */
function namedId(id: string): string | undefined {
  return id !== '' && id.length <= 100 && /^[a-z][a-z0-9-]*$/.test(id) && !id.startsWith('mantine-')
    ? id
    : undefined;
}

/** What a click tells: which control by id and tag, on which page. No text, no address parameters. */
export function clickMessage(target: { id: string; tagName: string }, pathname: string): Click {
  const id = namedId(target.id);
  return {
    type: 'click',
    target: { ...(id === undefined ? {} : { id }), tagName: target.tagName.slice(0, 30) },
    path: pathname.slice(0, 300),
  };
}

/** Hands on the clicks on controls, until the function it answers is called. */
export function watchClicks(report: (click: Click) => void): () => void {
  const listener = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return;
    const control = target.closest('a, button, input, [role="button"], [role="menuitem"], [role="option"]');
    if (control !== null) report(clickMessage(control, window.location.pathname));
  };
  document.addEventListener('click', listener, { capture: true, passive: true });
  return () => document.removeEventListener('click', listener, { capture: true });
}
