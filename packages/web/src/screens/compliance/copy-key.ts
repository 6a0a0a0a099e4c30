import { showToast } from '../../ui/toasts/toast.tsx';

/**
 * Puts an issue's key on the clipboard, and says so; a browser that does not let us is told too.
 */
export async function copyKey(key: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(key);
    showToast({ id: 'copied', kind: 'done', text: `Copied ${key}.` });
  } catch {
    showToast({ id: 'copied', kind: 'failed', text: `The browser did not let Winnow copy ${key}.` });
  }
}
