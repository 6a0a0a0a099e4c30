import { isObject, type JsonObject } from './json.ts';

/**
 * Performs an action that a user takes in the emulated service. `POST /_emulator/<name>` calls it.
 * The result becomes the response.
 */
export type UserAction = (input: UserActionInput) => unknown;

/**
 * Input of a user action. Its methods throw an error with the name of the field if the field is
 * invalid.
 */
export class UserActionInput {
  readonly #fields: JsonObject;

  constructor(body: string) {
    const value: unknown = JSON.parse(body === '' ? '{}' : body);
    if (!isObject(value)) throw new Error('Send an object.');
    this.#fields = value;
  }

  /** Returns a string field, or `otherwise` if the field is missing. */
  text(field: string, otherwise?: string): string {
    const value = this.#fields[field] ?? otherwise;
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`"${field}" must be a string.`);
  }

  number(field: string): number {
    const value = this.#fields[field];
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    throw new Error(`"${field}" must be a whole number.`);
  }
}

/** Default values of the fields of user actions. */
export const USER_ACTION_DEFAULTS = { user: 'ada', branch: 'main', message: 'Change something' };
