import { acceptCurrentKey } from './accept-key.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { deleteAccount } from './delete-account.ts';
import { doctor } from './doctor.ts';
import { invite } from './invite.ts';
import { printLeads } from './leads.ts';
import { migrateDatabase } from './migrate.ts';
import { addPlan, listPlans, removePlan } from './plan.ts';
import { removeSecondFactor } from './remove-second-factor.ts';
import { restoreBackup } from './restore.ts';
import { rotateKey } from './rotate-key.ts';
import { api, start, worker } from './serve.ts';

/** All commands, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  start,
  api,
  worker,
  migrateDatabase,
  invite,
  removeSecondFactor,
  printLeads,
  addPlan,
  listPlans,
  removePlan,
  backup,
  restoreBackup,
  rotateKey,
  deleteAccount,
  acceptCurrentKey,
  doctor,
];
