import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';

const RECORDER = fileURLToPath(new URL('recorder.js', import.meta.url));

/**
 * Records a page while `act` runs, into a WebM file with the size of the page.
 * A separate page in the browser encodes the video, so no other program is required.
 */
export async function record(
  browser: Browser,
  page: Page,
  path: string,
  act: () => Promise<void>,
): Promise<void> {
  const size = page.viewportSize();
  if (size === null) throw new Error('The page has no size.');
  const studio = await browser.newPage();
  await studio.setContent(`<canvas width="${size.width}" height="${size.height}"></canvas>`);
  await studio.addScriptTag({ path: RECORDER });

  const camera = await page.context().newCDPSession(page);
  let drawn: Promise<unknown> = Promise.resolve();
  camera.on('Page.screencastFrame', ({ data, sessionId }) => {
    drawn = drawn
      .then(() => studio.evaluate(`recorder.draw(${JSON.stringify(data)})`))
      .then(() => camera.send('Page.screencastFrameAck', { sessionId }));
  });
  await camera.send('Page.startScreencast', { format: 'jpeg', quality: 92 });
  await act();
  await camera.send('Page.stopScreencast');
  await drawn;
  const encoded = z.string().parse(await studio.evaluate('recorder.end()'));
  await studio.close();
  await writeFile(path, Buffer.from(encoded, 'base64'));
}
