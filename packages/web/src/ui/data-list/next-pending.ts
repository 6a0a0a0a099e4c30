type IsPending = (id: string) => boolean;

/**
 * Returns the pending item that is nearest to a position on the page. Items below the position take
 * precedence. Undefined if no item is pending.
 */
export function pendingNear(ids: readonly string[], at: number, isPending: IsPending): string | undefined {
  return ids.slice(at).find(isPending) ?? ids.slice(0, at).findLast(isPending);
}

/**
 * Returns the pending item to open after the item `id`. Items below it take precedence. Undefined
 * if no item is pending.
 */
export function pendingAfter(ids: readonly string[], id: string, isPending: IsPending): string | undefined {
  const at = ids.indexOf(id);
  if (at === -1) return undefined;
  return pendingNear(
    ids.filter((other) => other !== id),
    at,
    isPending,
  );
}
