/**
 * Focuses the first field with an error after the next rendering. Searches the open dialog first.
 */
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
