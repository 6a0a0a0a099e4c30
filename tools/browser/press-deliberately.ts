import type { Page } from '@playwright/test';

/**
 * Minimum time between two key presses that count as decisions, in milliseconds. Faster presses are
 * ignored as accidental.
 */
const MIN_PRESS_INTERVAL_MS = 300;

/** Presses a deciding key after the minimum interval, so that it counts. */
export async function pressDeliberately(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(MIN_PRESS_INTERVAL_MS);
  await page.keyboard.press(key);
}
