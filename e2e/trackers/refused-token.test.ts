import { tracker } from '@winnow/contract/tracker';
import { connect } from '@winnow/tools/browser/account.ts';
import { trackerCard, trackerDialog } from '@winnow/tools/browser/trackers.ts';
import { expect, signedIn } from '../fixtures/test.ts';

signedIn(
  'a refused token is named, and a new one is entered from the card',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const token = 'soon-revoked';
    emulator.setToken({ token, login: 'ada' });
    const { id, name } = await connect(account, {
      name: 'Work',
      type: 'github',
      url: emulator.url,
      api_key: token,
      scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: small.owner }],
      config: {},
    });
    emulator.revokeToken(token);
    await account.api.send('POST', `/trackers/${id}/sync`, undefined, tracker);
    await page.goto('/console/trackers');
    const card = trackerCard(page, name);
    await expect(card.getByText('Token refused')).toBeVisible();
    await expect(card.getByText('Not reachable')).toBeHidden();
    await card.getByRole('button', { name: 'Enter a new token' }).click();
    await expect(trackerDialog(page).getByLabel('API Key', { exact: true })).toBeFocused();
  },
);
