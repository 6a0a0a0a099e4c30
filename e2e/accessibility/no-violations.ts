import type { Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { expect } from '../fixtures/test.ts';

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };
/** Rules whose result depends on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/**
 * Covers both color schemes. Colors do not depend on width, so the other sizes cover one scheme
 * only.
 */
const FIRST_SIZE_CHECKS = [
  { colorScheme: 'dark', rules: null },
  { colorScheme: 'light', rules: COLOR_RULES },
] as const;
const OTHER_SIZE_CHECKS = [{ colorScheme: 'light', rules: null }] as const;

/**
 * Expects no axe violations on the displayed page, in both schemes and at these sizes. A failure
 * names the state.
 */
export async function expectNoViolations(page: Page, sizes = [WIDE, NARROW], state = ''): Promise<void> {
  // Closes a tooltip that is open only because of the mouse position.
  await page.mouse.move(0, 0);
  await page.evaluate(axe.source);
  for (const [index, size] of sizes.entries()) {
    await page.setViewportSize(size);
    for (const { colorScheme, rules } of index === 0 ? FIRST_SIZE_CHECKS : OTHER_SIZE_CHECKS) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveClass(colorScheme);
      await page.waitForFunction(isAtRest);
      expect
        .soft(await violations(page, rules), `${state} ${colorScheme}, ${size.width} px`.trimStart())
        .toEqual([]);
    }
  }
}

/**
 * Runs in the browser. True if only endless animations are running. Contrast cannot be measured
 * while a color is in transition.
 */
function isAtRest(): boolean {
  return document
    .getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity);
}

/**
 * Runs axe, which must be loaded in the page, with the given rules; null runs all rules. Returns
 * the rule, element and fix of each violation.
 */
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

/** Phone width only, for elements that a large screen does not have. */
export const narrowOnly = [NARROW];
