import type { Page } from '@playwright/test';

/**
 * Minimum time in milliseconds between two key presses that make decisions. The product ignores
 * faster presses as accidental.
 */
const MIN_PRESS_INTERVAL_MS = 300;

/** Waits for the minimum interval, and then presses a key that makes a decision. */
export async function pressDeliberately(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(MIN_PRESS_INTERVAL_MS);
  await page.keyboard.press(key);
}
