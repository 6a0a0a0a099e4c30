type IsPending = (id: string) => boolean;

/**
 * Returns the pending item nearest to a position on the page: below it if possible, otherwise
 * above. Undefined if none is pending.
 */
export function pendingNear(ids: readonly string[], at: number, isPending: IsPending): string | undefined {
  return ids.slice(at).find(isPending) ?? ids.slice(0, at).findLast(isPending);
}

/**
 * Returns the pending item to open after one on the page: below it if possible, otherwise above.
 * Undefined if none is pending.
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
