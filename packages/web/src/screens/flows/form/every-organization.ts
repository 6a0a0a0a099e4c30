import type { Organization } from '@winnow/contract/issue';

/** Reads all pages of organizations. */
export async function everyOrganization(
  read: (skip: number) => Promise<{ items: readonly Organization[]; total: number }>,
): Promise<Organization[]> {
  const all: Organization[] = [];
  for (;;) {
    const { items, total } = await read(all.length);
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}
