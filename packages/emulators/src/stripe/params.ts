import type { FormFields, FormValue } from './form.ts';
import { invalidRequest } from './stripe-error.ts';

/**
 * Parameters of a request. Records which parameters a route has read, because Stripe rejects
 * unknown ones.
 */
export class Params {
  readonly #fields: FormFields;
  readonly #read = new Set(['expand']);

  constructor(fields: FormFields) {
    this.#fields = fields;
  }

  text(name: string): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value !== 'string')
      throw invalidRequest(`Invalid string: ${JSON.stringify(value)}`, { param: name });
    return value;
  }

  required(name: string): string {
    const text = this.text(name);
    if (text !== null && text !== '') return text;
    const message = `Missing required param: ${name}.`;
    throw invalidRequest(message, { code: 'parameter_missing', param: name });
  }

  flag(name: string): boolean | null {
    const text = this.text(name);
    if (text === null) return null;
    if (text !== 'true' && text !== 'false')
      throw invalidRequest(`Invalid boolean: ${text}`, { param: name });
    return text === 'true';
  }

  number(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    if (!/^\d+$/.test(text)) throw invalidRequest(`Invalid integer: ${text}`, { param: name });
    return Number(text);
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    throw invalidRequest(`Invalid ${name}: must be one of ${choices.join(', ')}`, { param: name });
  }

  list(name: string): FormValue[] {
    const value = this.#value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw invalidRequest('Invalid array', { param: name });
    return value;
  }

  texts(name: string): string[] {
    return this.list(name).filter((value) => typeof value === 'string');
  }

  /** Returns the fields of an object parameter. If it was not sent, there are no fields. */
  object(name: string): Params {
    const value = this.#value(name);
    return fieldsOf(value);
  }

  objects(name: string): Params[] {
    return this.list(name).map(fieldsOf);
  }

  /** Returns the fields of an object parameter, such as metadata, as strings. */
  map(name: string): Record<string, string> {
    const value = this.#value(name);
    if (typeof value !== 'object' || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, String(inner)]));
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  get expand(): string[] {
    const value = this.#fields.expand;
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
  }

  /**
   * Rejects unknown parameters. Call this after reading all known ones.
   * @throws {EmulatedStripeError} if the request has a parameter that was not read
   */
  refuseUnknown(): void {
    const unknown = Object.keys(this.#fields).find((name) => !this.#read.has(name));
    if (unknown === undefined) return;
    const message = `Received unknown parameter: ${unknown}`;
    throw invalidRequest(message, { code: 'parameter_unknown', param: unknown });
  }

  #value(name: string): FormValue | undefined {
    this.#read.add(name);
    return this.#fields[name];
  }
}

function fieldsOf(value: FormValue | undefined): Params {
  return new Params(typeof value === 'object' && !Array.isArray(value) ? value : {});
}
