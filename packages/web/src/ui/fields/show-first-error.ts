/** Puts the focus on the first field that something is said about, once it is drawn: in the dialog, where one is open. */
export function showFirstError(): void {
  requestAnimationFrame(() => {
    const place = document.querySelector('[aria-modal="true"]') ?? document;
    const field = place.querySelector<HTMLElement>(
      'form :is([aria-invalid="true"], input[data-invalid], .mantine-InputWrapper-error)',
    );
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  });
}
