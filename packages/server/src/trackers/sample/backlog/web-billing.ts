import type { SampleIssue } from './types.ts';

/** Plans, invoices, payment, storage as a product. */
export const webBilling: SampleIssue[] = [
  {
    number: 630,
    title: 'VAT number of the customer is missing on invoices',
    body: `The VAT number entered in Billing > Company is not printed on the invoice PDF. Business customers in the EU need it there for reverse charge, otherwise their accountants reject the invoice.

The value is stored and shown on the page. The template prints \`customer.tax_id\`, the field has been called \`customer.vat_id\` since the last change of the billing form.

Old invoices must stay as they are. We should offer a corrected copy on request.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:billing'],
    author: 'lena-support',
    assignees: ['jpereira'],
    state: 'opened',
    createdDaysAgo: 340,
    updatedDaysAgo: 245,
    comments: [
      {
        author: 'jpereira',
        body: 'The template belongs to the payment provider and changing it needs their support. Waiting since two weeks.',
        daysAgo: 318,
      },
      {
        author: 'lena-support',
        body: 'Meanwhile I send corrected copies by hand, about six a month.',
        daysAgo: 245,
      },
    ],
    truth: {},
  },
  {
    number: 653,
    title: 'Move invoices to our own invoicing service',
    body: `Invoices are made by the payment provider with a template we cannot control. The finance team wants our own numbering, credit notes and languages.

- [x] service with numbering per country, PDF and XML (EN 16931)
- [x] import of all customers and their tax data
- [ ] two billing runs in parallel, results compared to the cent
- [ ] switch over organization by organization
- [ ] credit notes
- [ ] turn off the old templates

Rollback: until the last step both sides hold all the data.

About three weeks left. Finance wants a quiet month for the switch, so not in December or January.`,
    type: 'task',
    priority: 'high',
    labels: ['area:billing', 'backend'],
    author: 'jpereira',
    assignees: ['jpereira'],
    state: 'opened',
    createdDaysAgo: 309,
    updatedDaysAgo: 101,
    comments: [
      {
        author: 'jpereira',
        body: 'First parallel run: 1,204 invoices, 3 differ by one cent (rounding per line).',
        daysAgo: 143,
      },
      { author: 'pvarga', body: 'Please keep going, #742 is waiting for this.', daysAgo: 101 },
    ],
    truth: {},
  },
  {
    number: 699,
    title: 'Our VAT number is missing on the invoice PDF',
    body: `Dear support, our bookkeeping returned your last three invoices because our VAT number (USt-IdNr.) is not printed on them. In the settings under Billing > Company it is filled in and saved. Please correct the invoices for March, April and May and make sure that the next one is complete. We may not pay them in this form.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'duplicate', 'area:billing', 'customer'],
    author: 'bgruber',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 247,
    updatedDaysAgo: 244,
    comments: [
      { author: 'lena-support', body: 'Corrected copies are on their way to you.', daysAgo: 246 },
      { author: 'jpereira', body: 'Duplicate of #630.', daysAgo: 244 },
    ],
    truth: { duplicateOf: 'skua/web#630' },
  },
  {
    number: 742,
    title: 'Annual billing with a seat true-up each quarter',
    body: `As a purchaser I want to pay once a year for the seats we have, and settle added seats each quarter, so that I need one order instead of twelve.

- annual price per seat, two months free
- seats can be added at any time, they are billed for the rest of the year at the end of the quarter
- seats can be reduced at the end of the year only
- one invoice per event, purchase order number on it
- change from monthly to annual at the next renewal

Cannot start before #653: the provider's invoices know no true-up.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:billing'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 188,
    updatedDaysAgo: 100,
    comments: [{ author: 'samir-ops', body: 'Our purchasing department would send flowers.', daysAgo: 100 }],
    truth: { blockedBy: ['skua/web#653'] },
  },
  {
    number: 774,
    title: 'Meter stored bytes per space and day',
    body: `## Goal
We know what each space stores at the end of each day, exact enough to bill by it.

## Acceptance criteria
- One row per space and day: current bytes, bytes in old versions, bytes in the trash.
- Differs from a full count by less than 0.1 % (nightly check on 50 random spaces, alert above).
- Made by 02:00 UTC for the day before, can be run again for any day with the same result.
- \`GET /internal/usage?space=&from=&to=\` below 100 ms for a year.
- Backfill for the last 90 days from the change feed.

## Out of scope
Prices, invoices, anything a customer sees. Traffic.

## Approach
Sum the change feed per space into \`usage_daily\`; a full count per space once a week corrects drift and records it.

## Dependencies
None.

## Estimate
5 points`,
    type: 'task',
    priority: 'medium',
    labels: ['area:billing', 'backend'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 145,
    updatedDaysAgo: 125,
    comments: [
      { author: 'jpereira', body: 'Do files shared into two spaces count twice?', daysAgo: 130 },
      { author: 'dmitri-k', body: 'Once, in the space where they live.', daysAgo: 125 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 794,
    title: 'Charged twice after updating the card during a failed payment',
    body: `1. A monthly payment fails (card expired).
2. The customer enters a new card while the retry is running.
3. Both the retry and "pay now" succeed.

Four customers, 1,312 EUR in total, refunded by hand. "Pay now" creates a new payment instead of confirming the open one, and uses no idempotency key.

Please fix before the run on the first of next month.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'area:billing', 'incident'],
    author: 'lena-support',
    assignees: ['jpereira'],
    state: 'closed',
    createdDaysAgo: 118,
    updatedDaysAgo: 109,
    comments: [
      {
        author: 'jpereira',
        body: 'Key is the invoice id, "pay now" confirms the open payment. Live since today.',
        daysAgo: 115,
      },
      { author: 'lena-support', body: 'The run went through without a double payment.', daysAgo: 109 },
    ],
    truth: {},
  },
  {
    number: 826,
    title: 'Storage add-ons for single spaces',
    body: `As the owner of a video space I want to book 1 TB more for that space only, so that the whole organization does not need a larger plan.

- blocks of 1 TB per space, monthly, effective at once
- the owner sees use and limit per space, with a warning at 80 % and 95 %
- billed by what was booked; later perhaps by what was used
- removing a block is possible when the use fits into what remains

At present we only know the total of an organization, refreshed now and then, so there is nothing per space that one could show or bill by.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:billing'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 74,
    updatedDaysAgo: 70,
    comments: [],
    truth: { blockedBy: ['skua/web#774'] },
  },
  {
    number: 853,
    title: 'Billing question',
    body: `I have a question about my bill, please call me back.`,
    type: 'question',
    priority: null,
    labels: ['question', 'area:billing'],
    author: 'wendy-atelier',
    assignees: ['lena-support'],
    state: 'closed',
    createdDaysAgo: 37,
    updatedDaysAgo: 36,
    comments: [{ author: 'lena-support', body: 'Called, settled. Nothing to do here.', daysAgo: 36 }],
    truth: { quality: 'vague' },
  },
];
