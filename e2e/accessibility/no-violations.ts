import type { Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { expect } from '../fixtures/test.ts';

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };
/** axe rules whose result depends on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/**
 * Checks at the first size, in both color schemes. Other sizes are checked in one scheme only,
 * because colors do not depend on the size.
 */
const FIRST_SIZE_CHECKS = [
  { colorScheme: 'dark', rules: null },
  { colorScheme: 'light', rules: COLOR_RULES },
] as const;
const OTHER_SIZE_CHECKS = [{ colorScheme: 'light', rules: null }] as const;

/**
 * Expects no axe violations on the displayed page, in both color schemes and at these sizes.
 * `state` names the state of the page in the error message.
 */
export async function expectNoViolations(page: Page, sizes = [WIDE, NARROW], state = ''): Promise<void> {
  // Closes tooltips that are open only because of the mouse position.
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
 * True if only endless animations are running. Runs in the browser.
 * Contrast cannot be measured while a color is changing.
 */
function isAtRest(): boolean {
  return document
    .getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity);
}

/**
 * Runs axe, which must be loaded in the page, with these rules. Null runs all rules. Returns the
 * rule, the element and the fix for each violation.
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

/** Checks only the width of a phone, for elements that do not exist on large screens. */
export const narrowOnly = [NARROW];
