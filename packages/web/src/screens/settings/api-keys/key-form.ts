import { type ApiKeyCreate, apiKeyCreate, EXPIRY_DAYS, type Scope, scope } from '@winnow/contract/api-key';
import { dateText } from '../../../ui/texts/date-text.ts';

/** What stands in the dialog. */
export interface KeyValues {
  name: string;
  /** The days until the key expires, as text; {@link NEVER} for none. */
  expiry: string;
  scopes: Scope[];
}
export const KEY_FIELDS = ['name', 'scopes'] as const;
export const keySchema = apiKeyCreate.pick({ name: true, scopes: true });

const NEVER = 'never';
const DAY_MS = 24 * 60 * 60 * 1000;

export const EXPIRY_CHOICES = EXPIRY_DAYS.map((days) =>
  days === null ? { value: NEVER, label: 'Never' } : { value: String(days), label: `${days} days` },
);

export const INITIAL_VALUES: KeyValues = { name: '', expiry: NEVER, scopes: [...scope.options] };

/** When a key made at `nowMs` ends by this choice; null: never. */
function expiryOf(choice: string, nowMs: number): Date | null {
  return choice === NEVER ? null : new Date(nowMs + Number(choice) * DAY_MS);
}

/** The choice in words that stay true: the day on which the key ends. */
export function expiryText(choice: string, nowMs: number): string {
  const end = expiryOf(choice, nowMs);
  return end === null ? 'It works until you revoke it.' : `It works until ${dateText(end)}.`;
}

export function createInput({ name, expiry, scopes }: KeyValues, nowMs: number): ApiKeyCreate {
  return { name, expires_at: expiryOf(expiry, nowMs)?.toISOString() ?? null, scopes };
}
