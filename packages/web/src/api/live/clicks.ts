import type { ClientMessage } from '@winnow/contract/live';

type Click = Extract<ClientMessage, { type: 'click' }>;
type PrivacySignals = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** A control that was clicked. */
interface Control {
  id: string;
  tagName: string;
  /** Text of a button or link; null for every other control. */
  text: string | null;
}

/** Maximum length of the text in a click event, as in the contract, which the public pages do not load. */
const TEXT_MAX_CHARS = 100;
const CONTROLS = 'a, button, input, [role="button"], [role="menuitem"], [role="option"]';
const WITH_TEXT = 'a, button, [role="button"]';
const TYPED_IN = 'input, textarea, select, [contenteditable]';

/** True if the browser asks not to be tracked. */
export function trackingRefused(signals: PrivacySignals): boolean {
  return signals.doNotTrack === '1' || signals.globalPrivacyControl === true;
}

/** Returns an id that a person chose. Ids that a library generated do not name the control. */
function namedId(id: string): string | undefined {
  return id !== '' && id.length <= 100 && /^[a-z][a-z0-9-]*$/.test(id) && !id.startsWith('mantine-')
    ? id
    : undefined;
}

/** Returns the message about a click: the control by id, tag and text, and the page without its query. */
export function clickMessage(control: Control, pathname: string): Click {
  const id = namedId(control.id);
  const text = shortened(control.text ?? '');
  return {
    type: 'click',
    target: {
      ...(id === undefined ? {} : { id }),
      tagName: control.tagName.slice(0, 30),
      ...(text === '' ? {} : { text }),
    },
    path: pathname.slice(0, 300),
  };
}

/** The first characters of a text on one line, without half of a surrogate pair. */
function shortened(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, TEXT_MAX_CHARS)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** Reports the clicks on controls until the returned function is called. */
export function watchClicks(report: (click: Click) => void): () => void {
  const listener = ({ target }: MouseEvent) => {
    if (!(target instanceof Element)) return;
    const control = target.closest(CONTROLS);
    if (control === null) return;
    const { id, tagName } = control;
    report(clickMessage({ id, tagName, text: textOf(control) }, window.location.pathname));
  };
  document.addEventListener('click', listener, { capture: true, passive: true });
  return () => document.removeEventListener('click', listener, { capture: true });
}

/** The text of a button or link. What a person typed is never part of it. */
function textOf(control: Element): string | null {
  if (!control.matches(WITH_TEXT) || control.closest(TYPED_IN) !== null) return null;
  return control.querySelector(TYPED_IN) === null ? control.textContent : null;
}
