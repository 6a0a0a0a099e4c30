import type { Page } from '@playwright/test';
import { smallSeedTokens } from '@winnow/emulators/github/small-seed';
import { everyScreen, type ScreenState, type ScreenViewer } from '@winnow/tools/browser/every-screen.ts';
import type { GitHub } from '../fixtures/github.ts';
import { expect, signedIn, test, withOwnSample, withSample } from '../fixtures/test.ts';
import { expectNoViolations, NARROW, narrowOnly, WIDE } from './no-violations.ts';

/**
 * Number of states that one test visits.
 * A new account and an empty browser cache cost more time than a check. A single test for all
 * states would use only one worker.
 */
const STATES_PER_TEST = 8;
const STATE_TIMEOUT_MS = 60_000;

const browserOf = {
  visitor: test,
  newcomer: signedIn,
  reader: withSample,
  decider: withOwnSample,
} satisfies Record<ScreenViewer, unknown>;

for (const [who, states] of visitsByViewer()) {
  const names = states.map(({ name }) => name).join(', ');
  browserOf[who](`axe finds nothing: ${names}`, async ({ page, github }) => {
    test.setTimeout(states.length * STATE_TIMEOUT_MS);
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    for (const state of states) await test.step(state.name, () => checkState(page, state, github));
  });
}

/**
 * Returns the states that each test visits, with the user who visits them. States that affect each
 * other are in separate tests.
 */
function visitsByViewer(): [ScreenViewer, ScreenState[]][] {
  const byAccount = Map.groupBy(everyScreen, ({ viewer, shares, name }) =>
    viewer === 'decider' ? (shares ?? name) : viewer,
  );
  return [...byAccount.values()].flatMap((states) => {
    const parts = Map.groupBy(states.entries(), ([index]) => Math.floor(index / STATES_PER_TEST));
    return [...parts.values()].map((part): [ScreenViewer, ScreenState[]] => {
      const ofPart = part.map(([, state]) => state);
      return [ofPart[0]?.viewer ?? 'visitor', ofPart];
    });
  });
}

/**
 * Opens one state in isolation and checks it. A failure does not end the test, so that the
 * remaining states are checked too.
 */
async function checkState(page: Page, state: ScreenState, { small, emulator }: GitHub): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize(state.narrowOnly ? NARROW : WIDE);
  const connection = {
    url: emulator.url,
    token: small.token,
    readOnlyToken: smallSeedTokens.readOnly,
    organization: small.owner,
    project: 'ladle-server',
  };
  const refusal = await state.open(page, connection).catch((error: unknown) => error);
  expect.soft(refusal, `${state.name} can be opened`).toBeUndefined();
  if (refusal !== undefined) return;
  await expectNoViolations(page, state.narrowOnly ? narrowOnly : undefined, state.name);
  if (state.viewer === 'visitor') return;
  expect
    .soft(
      await page.evaluate('document.documentElement.scrollHeight - window.innerHeight'),
      `${state.name}: a screen of the console scrolls within`,
    )
    .toBeLessThanOrEqual(0);
}
