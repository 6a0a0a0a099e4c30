import { once } from 'node:events';
import { createServer } from 'node:http';
import { test as base, expect } from '@playwright/test';
import { type ServerProcess, startServer } from '@winnow/server/src/testing/server-process.ts';

interface Parts {
  reports: string[];
  product: ServerProcess;
}

/** Fixtures for the product and a server that receives its error reports. */
const test = base.extend<Parts>({
  reports: [],
  product: async ({ reports }, use) => {
    const receiver = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      request.on('end', () => {
        reports.push(text);
        response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    const port = typeof address === 'object' ? address?.port : null;
    const product = await startServer({ env: { SENTRY_DSN: `http://publickey@127.0.0.1:${port}/42` } });
    await use(product);
    await product.remove();
    receiver.closeAllConnections();
    receiver.close();
  },
});

test('a page error is reported to the operator’s server without the token in its address', async ({
  page,
  product,
  reports,
}) => {
  await page.goto(`${product.url}/verify-email?token=secret-of-the-mail`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verification Failed');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('Something in the page broke.');
    });
  });
  await expect.poll(() => reports.join('\n')).toContain('Something in the page broke.');
  const report = reports.find((text) => text.includes('Something in the page broke.')) ?? '';
  expect(report).toContain('"environment":"development"');
  expect(report).toContain(`${product.url}/verify-email`);
  expect(reports.join('\n')).not.toContain('secret-of-the-mail');
});
