import { createHash, randomUUID } from 'node:crypto';
import { textForEmbedding } from '@winnow/analysis/clean';
import { Corpus } from '@winnow/analysis/corpus';
import { openMiniLm } from '@winnow/analysis/embed';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { encodeSnapshot, type Snapshot } from '@winnow/analysis/snapshot';
import { currentUser } from '@winnow/contract/account';
import { sql } from 'kysely';
import { encodeVector } from '../../packages/server/src/issues/engine/vector.ts';
import { vectorFingerprint } from '../../packages/server/src/issues/engine/vector-fingerprint.ts';
import { indexStale } from '../../packages/server/src/issues/search-index/stale-item-store.ts';
import type { Db } from '../../packages/server/src/schema/tables.ts';
import type { Api } from '../product/api.ts';
import { type HadoopReport, loadHadoop } from './hadoop.ts';

/** The labelled Hadoop reports with their vectors, and a snapshot of the word statistics. */
export interface Reports {
  reports: HadoopReport[];
  clusters: string[][];
  vectors: Float32Array[];
  fingerprint: string;
  snapshot: Snapshot;
}

export interface SearchBench {
  db: Db;
  reports: Reports;
}

const BATCH = 1_000;
/**
 * Noise added to each component of a copied vector. Two copies are then about as similar as two
 * reports of the same fault.
 */
const NOISE = 0.06;

/** Reads and embeds the labelled Hadoop reports. Returns null if the data set is missing. */
export async function openReports(): Promise<Reports | null> {
  const data = await loadHadoop();
  if (data === null) return null;
  const embedder = await openMiniLm({ threads: 2 });
  const vectors = await embedder.embed(data.reports.map(({ title, body }) => textForEmbedding(title, body)));
  const neighbours = new NeighbourPool();
  const corpus = new Corpus({ neighbours, dimensions: embedder.dimensions });
  corpus.put(data.reports.map((report, index) => ({ ...report, group: '', vector: vectors[index] ?? null })));
  const snapshot = corpus.takeSnapshot(1);
  const fingerprint = vectorFingerprint(embedder);
  await Promise.all([embedder.close(), neighbours.close()]);
  return { ...data, vectors, fingerprint, snapshot };
}

/**
 * Stores issues as if they had been synced, embedded and analyzed, and indexes their words. Stores
 * no pairs.
 * The first issues are the reports themselves. `idOf` maps a report to the id of its issue.
 */
export async function fillAccount(
  { db, reports }: SearchBench,
  api: Api,
  count: number,
  projects: number,
): Promise<{ accountId: string; projectIds: string[]; indexMs: number; idOf: Map<string, string> }> {
  const accountId = await ownerOf(api);
  const place = await insertProjects(db, accountId, projects);
  await storeSnapshot(db, accountId, reports, count);
  const idOf = new Map<string, string>();
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => from + index);
    const issues = numbers.map((number) => issueOf(number, reports, accountId, place));
    for (const { id, reportId } of issues) if (reportId !== null) idOf.set(reportId, id);
    await insertIssues(db, issues);
    await insertVectors(db, accountId, reports, issues);
  }
  const began = performance.now();
  while ((await indexStale(db, accountId)) > 0);
  const indexMs = performance.now() - began;
  await sql`vacuum analyze issue, issue_vector, search_document, search_stale, project`.execute(db);
  return { accountId, projectIds: place.projectIds, indexMs, idOf };
}

/** Returns the id of the signed-in user's account. */
export async function ownerOf(api: Api): Promise<string> {
  return (await api.get('/auth/users/me', currentUser)).account_id;
}

/** Adds projects to an account. Their tracker is not synced. */
export async function insertProjects(db: Db, accountId: string, projects: number) {
  const owner = { account_id: accountId };
  // `is_active` is false, because a sync would not find these issues in the tracker.
  const tracker = {
    ...owner,
    id: randomUUID(),
    name: 'Bench',
    tracker_type: 'sample' as const,
    url: '',
    is_active: false,
  };
  await db.insertInto('tracker').values(tracker).execute();
  const names = { identifier: 'bench', name: 'Bench' };
  const organization = { ...owner, id: randomUUID(), tracker_id: tracker.id, ...names };
  await db.insertInto('organization').values(organization).execute();
  const projectIds = Array.from({ length: projects }, () => randomUUID());
  const rows = projectIds.map((id, index) => ({
    ...owner,
    id,
    tracker_id: tracker.id,
    organization_id: organization.id,
    external_id: `bench/project-${index}`,
    identifier: `bench/project-${index}`,
    name: `project-${index}`,
  }));
  await db.insertInto('project').values(rows).execute();
  return { trackerId: tracker.id, projectIds };
}

/**
 * Stores the snapshot of word statistics. Every term frequency is scaled to the number of issues.
 */
async function storeSnapshot(db: Db, accountId: string, reports: Reports, count: number): Promise<void> {
  const { snapshot, fingerprint } = reports;
  const times = count / snapshot.documents;
  const bytes = encodeSnapshot({
    ...snapshot,
    documents: count,
    vectors: count,
    frequencies: snapshot.frequencies.map((frequency) => Math.round(frequency * times)),
  });
  const state = { revision: 1, snapshot_version: 1, snapshot: Buffer.from(bytes), fingerprint };
  await db
    .insertInto('analysis_state')
    .values({ account_id: accountId, ...state, notice: null })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(state))
    .execute();
}

/**
 * Creates an issue from the title of one report and the description of another. The first issues
 * are the unchanged reports.
 */
export function issueOf(
  number: number,
  { reports, vectors }: Pick<Reports, 'reports' | 'vectors'>,
  accountId: string,
  { trackerId, projectIds }: { trackerId: string; projectIds: string[] },
) {
  const round = Math.floor(number / reports.length);
  const titled = number % reports.length;
  const described = round === 0 ? titled : (number * (2 * round + 1) + round * 97) % reports.length;
  const vector = vectors[titled] ?? new Float32Array(0);
  const hash = createHash('sha256').update(String(number)).digest();
  const title = reports[titled]?.title ?? '';
  const description = reports[described]?.body ?? '';
  const textHash = createHash('sha256')
    .update(JSON.stringify([title, description]))
    .digest();
  const project = number % projectIds.length;
  return {
    reportId: round === 0 ? (reports[titled]?.id ?? null) : null,
    id: randomUUID(),
    textHash,
    vector: round === 0 ? vector : unit(vector.map((value, at) => value + NOISE * noiseOf(hash, at, number))),
    row: {
      account_id: accountId,
      tracker_id: trackerId,
      project_id: projectIds[project] ?? '',
      external_id: String(number),
      key: `bench/project-${project}#${number}`,
      title,
      description,
      status: 'open',
      state: number % 3 === 0 ? 'closed' : 'opened',
      issue_type: 'issue',
      labels: [],
      assignees: [],
      url: '',
      is_duplicate: false,
      comments_count: 0,
      created_at: new Date(reports[titled]?.createdAt ?? 0),
      updated_at: new Date(reports[titled]?.createdAt ?? 0),
      content_hash: hash.toString('hex'),
      analyzed_hash: hash.toString('hex'),
      revision: 1,
    },
  };
}

/** Stores issues like a sync would. Columns that `issueOf` does not set get their defaults. */
export async function insertIssues(db: Db, issues: ReturnType<typeof issueOf>[]): Promise<void> {
  const rows = issues.map(({ id, row }) => ({ id, ...row }));
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`
    insert into issue (${columns})
    select ${columns} from json_populate_recordset(null::issue, ${JSON.stringify(rows)})
  `.execute(db);
}

async function insertVectors(
  db: Db,
  accountId: string,
  { fingerprint }: Reports,
  issues: ReturnType<typeof issueOf>[],
): Promise<void> {
  await db
    .insertInto('issue_vector')
    .values(
      issues.map(({ id, textHash, vector }) => ({
        account_id: accountId,
        issue_id: id,
        fingerprint,
        text_hash: textHash,
        vector: encodeVector(vector),
      })),
    )
    .execute();
}

/** Returns noise between -0.5 and 0.5. The same arguments always return the same value. */
function noiseOf(hash: Buffer, at: number, number: number): number {
  const mixed = Math.imul((hash[at % hash.length] ?? 0) + 256 * at + 1, 0x9e3779b1 + 2 * number);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000 - 0.5;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
