import { isObject, type JsonObject } from './json.ts';

/** Something a person does on the host itself, asked for with `POST /_emulator/<name>`; what is answered is its result. */
export type Act = (input: ActInput) => unknown;

/** What was sent along. Each getter throws an Error that says which field is wrong. */
export class ActInput {
  readonly #fields: JsonObject;

  constructor(body: string) {
    const value: unknown = JSON.parse(body === '' ? '{}' : body);
    if (!isObject(value)) throw new Error('Send an object.');
    this.#fields = value;
  }

  /** A text; `otherwise` where there is none. */
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

/** What the acts of pushing and merging are sent, for every host that has both. */
export const ACT_DEFAULTS = { user: 'ada', branch: 'main', message: 'Change something' };
