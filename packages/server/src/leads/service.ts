import { randomUUID } from 'node:crypto';
import type { Lead, LeadRequest } from '@winnow/contract/lead';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Db } from '../schema/tables.ts';
import { leadLetter } from './letter.ts';
import { presentLead } from './present.ts';
import * as store from './store.ts';

export interface LeadsOptions {
  db: Db;
  mails: MailQueue;
  /** Email address that is notified of each request; null to send no email. */
  mailTo: string | null;
}

/** Stores demo requests of visitors and notifies the operator. */
export class Leads {
  readonly #options: LeadsOptions;

  constructor(options: LeadsOptions) {
    this.#options = options;
  }

  /** Stores a request and enqueues an email to the operator. Returns the id of the request. */
  async add(request: LeadRequest): Promise<string> {
    const { db, mails, mailTo } = this.#options;
    const id = randomUUID();
    await db.transaction().execute(async (transaction) => {
      const comments = request.comments || null;
      await store.insertLead(transaction, { id, ...request, comments });
      if (mailTo === null) return;
      await mails.add({ to: mailTo, kind: 'lead', ...leadLetter(request) }, { db: transaction });
    });
    return id;
  }
}

/** Returns all demo requests, newest first. */
export async function listLeads(db: Db): Promise<Lead[]> {
  return (await store.findLeads(db)).map(presentLead);
}
