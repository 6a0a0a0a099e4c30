import { expect, test } from 'vitest';
import { rolesPage, storedRolesPage } from './roles-page.ts';

test('the page about roles is that of the policy; `node tools/site/roles-page.ts --write` updates it', () => {
  expect(storedRolesPage()).toBe(rolesPage());
});
