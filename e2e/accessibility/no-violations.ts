import type { Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { expect } from '../fixtures/test.ts';

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };
/** Only these can find something in one scheme and nothing in the other. */
const ABOUT_COLORS = ['color-contrast', 'link-in-text-block'];
/** A color is of its scheme at any width, so both are looked at at the first size; of the layout, every size is. */
const LOOKS_AT_FIRST = [
  { colorScheme: 'dark', rules: null },
  { colorScheme: 'light', rules: ABOUT_COLORS },
] as const;
const LOOKS_AT_OTHERS = [{ colorScheme: 'light', rules: null }] as const;

/** Expects that axe finds nothing on what is shown, in both schemes and at these sizes. A failure says of which state. */
export async function expectNoViolations(page: Page, sizes = [WIDE, NARROW], state = ''): Promise<void> {
  // A tooltip that only the mouse of the test left open is not the state that is looked at.
  await page.mouse.move(0, 0);
  await page.evaluate(axe.source);
  for (const [index, size] of sizes.entries()) {
    await page.setViewportSize(size);
    for (const { colorScheme, rules } of index === 0 ? LOOKS_AT_FIRST : LOOKS_AT_OTHERS) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveClass(colorScheme);
      await page.waitForFunction(isAtRest);
      expect
        .soft(await violations(page, rules), `${state} ${colorScheme}, ${size.width} px`.trimStart())
        .toEqual([]);
    }
  }
}

/** In the browser: whether nothing moves but what moves for ever. A color on its way has no contrast to speak of. */
function isAtRest(): boolean {
  return document
    .getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity);
}

/** What axe, which is there, finds with all of its rules or only some: the rule, the element, and what to do. */
async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(rules === null ? {} : { runOnly: [...rules] }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}

/** Only at phone width: for what is not there on a large screen. */
export const narrowOnly = [NARROW];
