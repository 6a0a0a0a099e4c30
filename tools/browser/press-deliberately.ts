import type { Page } from '@playwright/test';

/** Presses that decide count when they are further apart than this; nobody reads what is next in less. */
const HAMMERING_MS = 300;

/** Presses a key that decides at once, not right after another one. */
export async function pressDeliberately(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(HAMMERING_MS);
  await page.keyboard.press(key);
}
