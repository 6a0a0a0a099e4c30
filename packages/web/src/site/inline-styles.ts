/**
 * Adds disabled stylesheet links for the styles that the build has inlined into the page (see
 * build.ts). The module loader finds these links and does not load the same files again.
 */
export function nameInlineStyles(): void {
  const files = document.querySelector<HTMLStyleElement>('style[data-files]')?.dataset.files ?? '';
  for (const file of files.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    link.disabled = true;
    link.rel = 'stylesheet';
    link.href = file;
    document.head.append(link);
  }
}
