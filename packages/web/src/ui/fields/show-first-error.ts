/**
 * Maximum animation frames to wait for the field with the error. A hidden field is rendered some
 * frames later.
 */
const MAX_FRAMES = 20;

/**
 * Focuses the first field with an error as soon as the field is rendered. Searches in the open
 * dialog first.
 */
export function showFirstError(): void {
  tryToShow(MAX_FRAMES);
}

function tryToShow(frames: number): void {
  requestAnimationFrame(() => {
    const place = document.querySelector('[aria-modal="true"]') ?? document;
    const field = place.querySelector<HTMLElement>(
      'form :is([aria-invalid="true"], input[data-invalid], .mantine-InputWrapper-error)',
    );
    if (field === null) {
      if (frames > 1) tryToShow(frames - 1);
      return;
    }
    field.focus();
    field.scrollIntoView({ block: 'center' });
  });
}
