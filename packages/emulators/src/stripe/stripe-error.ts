/** Fields of Stripe's error object. */
export interface ErrorFields {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  code?: string;
  decline_code?: string;
  param?: string;
  message: string;
}

/** An error response. A route throws it, and the emulator sends it in Stripe's format. */
export class EmulatedStripeError extends Error {
  readonly status: number;
  readonly fields: ErrorFields;

  constructor(status: number, fields: ErrorFields) {
    super(fields.message);
    this.name = 'EmulatedStripeError';
    this.status = status;
    this.fields = fields;
  }
}

export function invalidRequest(message: string, more: Partial<ErrorFields> = {}): EmulatedStripeError {
  return new EmulatedStripeError(400, { type: 'invalid_request_error', message, ...more });
}

export function resourceMissing(what: string, id: string, param = 'id'): EmulatedStripeError {
  const message = `No such ${what}: '${id}'`;
  const status = param === 'id' ? 404 : 400;
  return new EmulatedStripeError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message,
  });
}

export function cardDeclined(): EmulatedStripeError {
  const message = 'Your card was declined.';
  return new EmulatedStripeError(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message,
  });
}
