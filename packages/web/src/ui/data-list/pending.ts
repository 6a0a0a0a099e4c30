type IsPending = (id: string) => boolean;

/**
 * The pending item nearest to a position of a page: from there down, else up; undefined when none
 * is pending.
 */
export function pendingNear(ids: readonly string[], at: number, isPending: IsPending): string | undefined {
  return ids.slice(at).find(isPending) ?? ids.slice(0, at).findLast(isPending);
}

/**
 * The pending item to move on to from one of the page: below it, else above; undefined when none is
 * pending.
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
