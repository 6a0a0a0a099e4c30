type Named = { label: string; description?: string };
type Group<Item extends Named> = { label: string; items: Item[] };

/**
 * Returns the items whose name or description contains the input. Matches in names come first.
 * Empty groups are omitted.
 */
export function filterItems<Item extends Named>(
  groups: readonly Group<Item>[],
  typed: string,
): Group<Item>[] {
  const wanted = typed.trim().toLowerCase();
  const holds = (text = '') => text.toLowerCase().includes(wanted);
  return groups.flatMap(({ label, items }) => {
    const named = items.filter((item) => holds(item.label));
    const described = items.filter((item) => !holds(item.label) && holds(item.description));
    return named.length + described.length === 0 ? [] : [{ label, items: [...named, ...described] }];
  });
}
