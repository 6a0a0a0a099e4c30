import { z } from 'zod';
import { openDatabase } from '../database.ts';
import { defineJob, handle } from '../jobs/job.ts';
import { Jobs } from '../jobs/jobs.ts';
import { openLog } from '../log.ts';

// Process for tests that runs jobs like Winnow. The argument contains the database connection as
// JSON. Its only job prints a line of JSON when it starts, and never ends.

const connection = z.looseObject({ host: z.string() }).parse(JSON.parse(process.argv[2] ?? ''));
const log = openLog({ level: 'warn' });
const { db } = openDatabase<unknown>(connection, { log });
const jobs = new Jobs({ db, connection, log, exclusive: false });
const endless = defineJob({ name: 'endless', version: 1, payload: z.object({}) });

await jobs.start({
  concurrency: 1,
  handlers: [
    handle(endless, (_, { attempt }) => {
      process.stdout.write(`${JSON.stringify({ attempt })}\n`);
      return new Promise(() => undefined);
    }),
  ],
});
