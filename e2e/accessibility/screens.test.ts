import { everyScreen, type Onlooker } from '@winnow/tools/browser/every-screen.ts';
import { smallSeedTokens } from '@winnow/tools/emulators/github/small-seed.ts';
import { expect, signedIn, test, withOwnSample, withSample } from '../fixtures/test.ts';
import { expectNoViolations, NARROW, narrowOnly } from './no-violations.ts';

const browserOf = {
  visitor: test,
  newcomer: signedIn,
  reader: withSample,
  decider: withOwnSample,
} satisfies Record<Onlooker, unknown>;

for (const screen of everyScreen) {
  browserOf[screen.who](`axe finds nothing: ${screen.name}`, async ({ page, github }) => {
    const { small, emulator } = github;
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    if (screen.narrowOnly) await page.setViewportSize(NARROW);
    await screen.open(page, {
      url: emulator.url,
      token: small.token,
      readOnlyToken: smallSeedTokens.readOnly,
      organization: small.owner,
      project: 'ladle-server',
    });
    await expectNoViolations(page, screen.narrowOnly ? narrowOnly : undefined);
    if (screen.who === 'visitor') return;
    // A screen of the console scrolls within.
    expect(
      await page.evaluate('document.documentElement.scrollHeight - window.innerHeight'),
    ).toBeLessThanOrEqual(0);
  });
}
