import { expect, test } from 'vitest';
import { everyOrganization } from './every-organization.ts';

test('reads pages until all organizations are loaded or a page is empty', async () => {
  const all = Array.from({ length: 250 }, (_, index) => ({
    id: `${index}`,
    name: `Group ${index}`,
    identifier: `group-${index}`,
    tracker_id: 'tracker',
  }));
  const page = (total: number) => async (skip: number) => {
    return { items: all.slice(skip, skip + 100), total };
  };
  expect(await everyOrganization(page(250))).toHaveLength(250);
  expect(await everyOrganization(page(999))).toHaveLength(250);
});
