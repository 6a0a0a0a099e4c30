import type { Operations } from '../operation.ts';

export const billingOperations: Operations = {
  'GET /api/v1/billing/plans': {
    id: 'listPlans',
    summary: 'List the plans',
    description:
      'Returns the plans that every account can have, cheapest first. A limit of -1 means no limit.',
  },
  'GET /api/v1/billing/custom-plans': {
    id: 'listCustomPlans',
    summary: 'List plans made for the account',
    description: 'Returns the plans that were made for this account only.',
  },
  'GET /api/v1/billing/subscription': {
    id: 'getSubscription',
    summary: 'Get the subscription',
    description:
      'Returns the plan that the account is on and how it is paid. A self-hosted installation returns the status `self_hosted`.',
    errors: ['upstream_failed'],
  },
  'POST /api/v1/billing/sync-subscription': {
    id: 'syncSubscription',
    summary: 'Read the subscription again',
    description: 'Reads the subscription of the account from the payment provider and stores it.',
    errors: ['upstream_failed'],
  },
  'POST /api/v1/billing/cancel-waiting-change': {
    id: 'cancelWaitingChange',
    summary: 'Cancel an unpaid change of plan',
    description:
      'Cancels a change of plan that waits for its payment, and voids its invoice. The account stays on its plan.',
    errors: ['billing_off', 'nothing_waits', 'upstream_failed'],
  },
  'POST /api/v1/billing/create-portal-session': {
    id: 'createPortalSession',
    summary: 'Open the billing portal',
    description: 'Returns the address of the payment provider’s page on which cards and bills are managed.',
    errors: ['billing_off', 'nothing_paid', 'upstream_failed'],
  },
  'POST /api/v1/billing/create-checkout-session': {
    id: 'createCheckoutSession',
    summary: 'Buy or change a plan',
    description:
      'Starts the purchase of a plan. Returns the address of a payment page, or `refresh` if the plan was changed immediately. Without a token, the account is created after the payment.',
    errors: [
      'unauthorized',
      'user_required',
      'billing_off',
      'current_plan',
      'payment_waits',
      'paid_just_now',
      'upstream_failed',
    ],
  },
  'POST /api/v1/billing/webhook': {
    id: 'receivePaymentEvent',
    summary: 'Receive an event of the payment provider',
    description:
      'Receives an event that Stripe signed, and reads the objects it names from Stripe. Stripe is the only caller.',
    errors: ['not_signed', 'upstream_failed'],
    takesBytes: true,
  },
  'GET /api/v1/auth/api-usage': {
    id: 'getUsage',
    summary: 'Get the usage',
    description:
      'Returns requests by API keys, calls of language models and ingested issues in a range of days, and the limits of the plan.',
  },
  'GET /api/v1/auth/api-usage/export': {
    id: 'exportUsage',
    summary: 'Export the usage',
    description: 'Returns the usage of a range of days as a table with one row per day, endpoint and key.',
    produces: ['text/csv'],
  },
};
