import type { Permission } from '@winnow/contract/role';
import { showToast } from '../../ui/toasts/toast.tsx';
import { usePermission } from './permission.tsx';

/** Tells the user why a key or a button does nothing. */
export function showNotPermitted(reason: string): void {
  showToast({ id: 'not-permitted', kind: 'failed', text: reason });
}

/**
 * Returns the handlers of keys. A key in `keys` shows the reason instead if the user lacks the
 * permission.
 */
export function usePermittedKeys<Handlers extends Record<string, () => void>>(
  handlers: Handlers,
  needs: Permission,
  keys: readonly (keyof Handlers)[],
): Handlers {
  const { reason } = usePermission(needs);
  if (reason === null) return handlers;
  const refused = Object.fromEntries(keys.map((key) => [key, () => showNotPermitted(reason)]));
  return { ...handlers, ...refused };
}
