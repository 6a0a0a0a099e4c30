import { showToast } from '../../ui/toasts/toast.tsx';

/** Copies an issue's key to the clipboard and reports success or failure in a toast. */
export async function copyKey(key: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(key);
    showToast({ id: 'copied', kind: 'done', text: `Copied ${key}.` });
  } catch {
    showToast({ id: 'copied', kind: 'failed', text: `Your browser did not allow copying ${key}.` });
  }
}
