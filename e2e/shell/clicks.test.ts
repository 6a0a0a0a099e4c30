import { expect, test } from '../fixtures/test.ts';

test('a click is reported with the text of a button or link, never of a field', async ({ page, context }) => {
  const sent: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(String(payload)));
  });
  const clicks = () =>
    sent.filter((frame) => frame.includes('"click"')).map((frame) => JSON.parse(frame).target);
  const fields = () => clicks().filter(({ tagName }) => tagName.toUpperCase() === 'INPUT');

  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('my very secret text');
  // Clicks repeatedly, because a click is not reported before the socket is open.
  await expect(async () => {
    await password.click();
    expect(fields().length).toBeGreaterThan(0);
  }).toPass();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: /^Forgot/ }).click();
  await expect(page).toHaveURL('/forgot-password');
  await expect.poll(() => clicks().map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Forgot/));
  expect(clicks().map(({ text }) => text)).toContain('Sign in');
  expect(fields().every(({ text }) => text === undefined)).toBe(true);
  expect(sent.join()).not.toContain('my very secret text');

  const cookie = (await context.cookies()).find(({ name }) => name === 'ui_version');
  expect(cookie).toMatchObject({ path: '/' });
  const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400;
  expect(Math.round(days)).toBe(30);
});
