import type { Organization } from '@winnow/contract/issue';

/** Reads page by page, from `skip` on, until all that there are are read. */
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
