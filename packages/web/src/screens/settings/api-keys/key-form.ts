import { type ApiKeyCreate, apiKeyCreate, EXPIRY_DAYS, type Scope, scope } from '@winnow/contract/api-key';
import { DAY_MS, dateText } from '../../../ui/texts/date-text.ts';

/** Values of the form fields. */
export interface KeyValues {
  name: string;
  /** Number of days until the key expires, as text, or {@link NO_EXPIRY}. */
  expiry: string;
  scopes: Scope[];
}
export const KEY_FIELDS = ['name', 'scopes'] as const;
export const keySchema = apiKeyCreate.pick({ name: true, scopes: true });

const NO_EXPIRY = 'never';

export const EXPIRY_CHOICES = EXPIRY_DAYS.map((days) =>
  days === null ? { value: NO_EXPIRY, label: 'Never' } : { value: String(days), label: `${days} days` },
);

export const INITIAL_VALUES: KeyValues = { name: '', expiry: NO_EXPIRY, scopes: [...scope.options] };

/** Returns the date on which a key created at `nowMs` expires. Null if it never expires. */
function expiryOf(choice: string, nowMs: number): Date | null {
  return choice === NO_EXPIRY ? null : new Date(nowMs + Number(choice) * DAY_MS);
}

/** States in a sentence when a new key expires. */
export function expiryText(choice: string, nowMs: number): string {
  const end = expiryOf(choice, nowMs);
  return end === null ? 'The key works until you revoke it.' : `The key works until ${dateText(end)}.`;
}

export function createInput({ name, expiry, scopes }: KeyValues, nowMs: number): ApiKeyCreate {
  return { name, expires_at: expiryOf(expiry, nowMs)?.toISOString() ?? null, scopes };
}
