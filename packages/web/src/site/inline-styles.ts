/**
 * A page's styles stand in the page itself (see build.ts), and its scripts bring styles along as files of their own. These
 * links load nothing; they tell whoever would load a file that it is there.
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
