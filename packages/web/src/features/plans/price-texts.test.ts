import { expect, test } from 'vitest';
import { amountText, badgeOf, callToAction, freeFirst, monthlyOfYear, priceText } from './price-texts.ts';

const free = { id: 'free', name: 'Free', price_monthly: 0, price_annually: 0 };
const pro = { id: 'pro', name: 'Pro', price_monthly: 20, price_annually: 200 };
const ultra = { id: 'ultra', name: 'Ultra', price_monthly: 200, price_annually: 2000 };
const enterprise = { id: 'enterprise', name: 'Enterprise', price_monthly: null, price_annually: null };

test('formats prices with their interval, 0 as Free, and no price as Custom', () => {
  expect(priceText(pro, 'month')).toBe('$20/mo');
  expect(priceText(ultra, 'year')).toBe('$2,000/yr');
  expect(priceText({ ...pro, price_monthly: 99.5 }, 'month')).toBe('$99.50/mo');
  expect(priceText(free, 'month')).toBe('Free');
  expect(priceText(free, 'year')).toBe('Free');
  expect(priceText(enterprise, 'month')).toBe('Custom');
  expect(priceText({ ...pro, price_annually: null }, 'year')).toBe('Custom');
});

test('shows the enterprise plan as Custom at any price', () => {
  const priced = { ...enterprise, price_monthly: 900, price_annually: 0 };
  expect(priceText(priced, 'month')).toBe('Custom');
  expect(priceText(priced, 'year')).toBe('Custom');
  expect(monthlyOfYear({ ...priced, price_annually: 9000 })).toBeNull();
});

test('shows the monthly share of a yearly price, rounded to dollars', () => {
  expect(monthlyOfYear(pro)).toBe('~$17/mo billed annually');
  expect(monthlyOfYear(ultra)).toBe('~$167/mo billed annually');
  expect(monthlyOfYear({ ...ultra, price_annually: 20_000 })).toBe('~$1,667/mo billed annually');
  expect(monthlyOfYear(free)).toBeNull();
  expect(monthlyOfYear(enterprise)).toBeNull();
});

test.each([
  [-1, 'Unlimited'],
  [0, '0'],
  [10, '10'],
  [999, '999'],
  [1000, '1K'],
  [1500, '1.5K'],
  [10_000, '10K'],
  [2_000_000, '2M'],
])('formats %d as %s', (amount, text) => {
  expect(amountText(amount)).toBe(text);
});

test('moves the free plan first, keeping the order of the others', () => {
  expect(freeFirst([ultra, free, enterprise, pro]).map(({ id }) => id)).toEqual([
    'free',
    'ultra',
    'enterprise',
    'pro',
  ]);
});

test('shows a badge only for Ultra and Enterprise', () => {
  expect([free, pro, ultra, enterprise].map(badgeOf)).toEqual([null, null, 'Most popular', 'Enterprise']);
});

test('links Enterprise to sales, Free to registration, other plans to checkout', () => {
  expect(callToAction(free, 'month')).toEqual({ label: 'Get Free', leadsTo: '/register' });
  expect(callToAction(enterprise, 'year')).toEqual({ label: 'Contact Sales', leadsTo: '/request-demo' });
  expect(callToAction(ultra, 'month')).toEqual({ label: 'Get Ultra', leadsTo: 'checkout' });
});

test('names the interval at which a plan is sold, instead of a button, if it is not sold at the selected interval', () => {
  const acme = { id: 'acme', name: 'Acme', price_monthly: null, price_annually: 9000 };
  expect(callToAction(acme, 'month')).toEqual({ label: 'Sold yearly', leadsTo: null });
  expect(callToAction(acme, 'year')).toEqual({ label: 'Get Acme', leadsTo: 'checkout' });
  expect(callToAction({ ...acme, price_annually: null }, 'year')).toEqual({
    label: 'Sold by agreement',
    leadsTo: null,
  });
});
