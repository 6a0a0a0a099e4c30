import { secretContext as authenticatorContext } from '../accounts/second-factors/factor-checks.ts';
import { keyContext as modelContext } from '../ai/service.ts';
import { contextOf as serverContext } from '../mcp-servers/stored-secret.ts';
import { mailContextOf, sendMail } from '../platform/mail/mail-queue.ts';
import type { Tables } from '../schema/tables.ts';
import { removeWebhooks } from '../tracker-events/job.ts';
import { contextOf as webhookContext } from '../tracker-events/webhook-secret.ts';
import { keyContext as trackerContext } from '../trackers/connections.ts';

/** A column with sealed values. The key of its table is the account id and an id. */
export interface SealedColumn {
  readonly table: keyof Tables & string;
  readonly column: string;
  /** Returns the encryption context to which a value is bound. */
  readonly context: (accountId: string, id: string) => string;
}

/** Field in the payload of a waiting job. It contains a sealed value in base64. */
export interface SealedField {
  readonly job: string;
  readonly field: string;
  readonly context: (payload: Readonly<Record<string, unknown>>) => string;
}

/** All columns with sealed values. Values in a column that is missing here are not resealed. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'tracker', column: 'sealed_key', context: trackerContext },
  { table: 'tracker', column: 'sealed_webhook_secret', context: webhookContext },
  { table: 'tracker', column: 'sealed_former_webhook_secret', context: webhookContext },
  { table: 'ai_model', column: 'sealed_key', context: modelContext },
  { table: 'mcp_server', column: 'sealed_secret', context: serverContext },
  { table: 'authenticator', column: 'sealed_secret', context: authenticatorContext },
];

export const SEALED_FIELDS: readonly SealedField[] = [
  { job: sendMail.identifier, field: 'sealed', context: ({ id }) => mailContextOf(String(id)) },
  {
    job: removeWebhooks.identifier,
    field: 'sealed_key',
    context: ({ account_id, tracker_id }) => trackerContext(String(account_id), String(tracker_id)),
  },
];
