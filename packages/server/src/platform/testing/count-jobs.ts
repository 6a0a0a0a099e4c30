import { type QueryExecutorProvider, sql } from 'kysely';

/** Number of jobs of one kind: waiting, running, and failed without further attempts. */
interface JobCount {
  readonly job: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
}

/** Counts jobs by kind. */
export async function countJobs(db: QueryExecutorProvider): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select task_identifier as job,
      count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed
    from graphile_worker.jobs
    group by task_identifier
    order by task_identifier
  `.execute(db);
  return rows;
}
