import type { Config } from '../platform/config.ts';
import { acceptPresentKey } from './accept-key.ts';
import { backup } from './backup.ts';
import { deleteAccount } from './delete-account.ts';
import { doctor } from './doctor.ts';
import { invite } from './invite.ts';
import { printLeads } from './leads.ts';
import { migrateDatabase } from './migrate.ts';
import { PLAN_DETAILS, plan } from './plan.ts';
import { restoreBackup } from './restore.ts';
import { rotateKey } from './rotate-key.ts';
import { serve } from './serve.ts';

/** Something the operator can tell Winnow to do; `run` answers the exit code. */
export interface Command {
  name: string;
  synopsis: string;
  summary: string;
  /** What its help says beside. */
  details?: string;
  run: (config: Config, args: readonly string[]) => Promise<number>;
}

export const commands: readonly Command[] = [
  {
    name: 'start',
    synopsis: 'start',
    summary: 'Serve the console and the API, and work off jobs (the default)',
    run: (config) => serve(config, { http: true, work: true }),
  },
  {
    name: 'api',
    synopsis: 'api',
    summary: 'Serve only; needs DATABASE_URL',
    run: (config) => serve(config, { http: true, work: false }),
  },
  {
    name: 'worker',
    synopsis: 'worker',
    summary: 'Work off jobs only; needs DATABASE_URL',
    run: (config) => serve(config, { http: false, work: true }),
  },
  {
    name: 'migrate',
    synopsis: 'migrate',
    summary: 'Bring the database up to this version',
    run: (config) => migrateDatabase(config),
  },
  {
    name: 'invite',
    synopsis: 'invite EMAIL',
    summary: 'Make an account for somebody, print the link to it and mail it to them',
    run: (config, args) => invite(config, args),
  },
  {
    name: 'leads',
    synopsis: 'leads [--json]',
    summary: 'List who asked for a demo, the newest first, as a table or as JSON',
    run: (config, args) => printLeads(config, args),
  },
  {
    name: 'plan',
    synopsis: 'plan add|list|remove',
    summary: 'Make a plan that is sold to one account alone, list or remove them; see plan --help',
    details: PLAN_DETAILS,
    run: (config, args) => plan(config, args),
  },
  {
    name: 'backup',
    synopsis: 'backup FILE [--with-key] [--force]',
    summary: 'Write all of the database into one file, beside a running Winnow',
    run: (config, args) => backup(config, args),
  },
  {
    name: 'restore',
    synopsis: 'restore FILE [--replace [--yes]]',
    summary: 'Make an empty database, or with --replace any, what a backup says',
    run: (config, args) => restoreBackup(config, args),
  },
  {
    name: 'rotate-key',
    synopsis: 'rotate-key [--file FILE]',
    summary: 'Seal everything under another key: NEW_SECRET_KEY, one in a file, or a new key file',
    run: (config, args) => rotateKey(config, args),
  },
  {
    name: 'delete-account',
    synopsis: 'delete-account EMAIL [--yes]',
    summary: 'Lock the account of somebody and have all of it removed',
    run: (config, args) => deleteAccount(config, args),
  },
  {
    name: 'accept-key',
    synopsis: 'accept-key',
    summary: 'Use this key from now on, when the one the database was first used with is lost',
    run: (config) => acceptPresentKey(config),
  },
  {
    name: 'doctor',
    synopsis: 'doctor',
    summary: 'Check this installation and say what to do',
    run: (config) => doctor(config),
  },
];
