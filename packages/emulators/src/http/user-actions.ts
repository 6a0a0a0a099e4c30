import { isObject, type JsonObject } from './json.ts';

/**
 * An action that a user takes in the tracker itself, performed by `POST /_emulator/<name>`. The
 * response contains its result.
 */
export type UserAction = (input: UserActionInput) => unknown;

/** Input of a user action. Each method throws an error that names an invalid field. */
export class UserActionInput {
  readonly #fields: JsonObject;

  constructor(body: string) {
    const value: unknown = JSON.parse(body === '' ? '{}' : body);
    if (!isObject(value)) throw new Error('Send an object.');
    this.#fields = value;
  }

  /** Returns a text field, or `otherwise` if it is absent. */
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

/** Default values for the input of the push and merge actions. */
export const USER_ACTION_DEFAULTS = { user: 'ada', branch: 'main', message: 'Change something' };
