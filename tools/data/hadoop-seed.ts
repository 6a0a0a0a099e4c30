import type { GitHubSeed, GitHubSeedIssue, GitHubStateReason } from '@winnow/emulators/github/seed';
import { type HadoopReport, loadHadoop } from './hadoop.ts';

/** The Hadoop reports as a repository. `numberOf` maps reports to issue numbers. */
export interface HadoopSeed {
  seed: GitHubSeed;
  /** Access token of an administrator of the repository. */
  token: string;
  owner: string;
  repo: string;
  /** Maps the id of a report in the data set to the number of its issue. */
  numberOf: Map<string, number>;
  /** Groups of issue numbers labelled as duplicates in the data set. */
  clusters: number[][];
}

export interface HadoopSeedOptions {
  /** True to make all issues open, so that tests can close any of them. Default: false. */
  allOpen?: boolean;
  /** Maximum number of reports. The oldest reports are used. */
  limit?: number;
}

/** Invented authors, assigned by report id. The data set does not contain authors. */
const reporters = [
  'hdfs-operator',
  'yarn-runner',
  'mapred-user',
  's3a-tester',
  'ozone-fan',
  'build-watcher',
  'kms-admin',
];

/**
 * Returns the Hadoop reports of the GitBugs data set as the repository `apache/hadoop`.
 * Issues are numbered from 1 in order of creation, with unchanged texts. Null if the data set is
 * missing.
 *
 * @throws {Error} if the data set is invalid
 */
export async function hadoopSeed(options: HadoopSeedOptions = {}): Promise<HadoopSeed | null> {
  const data = await loadHadoop();
  if (!data) return null;
  const reports = data.reports.slice(0, options.limit);
  const numberOf = new Map(reports.map((report, index) => [report.id, index + 1]));
  const clusters = data.clusters
    .map((ids) => ids.flatMap((id) => numberOf.get(id) ?? []))
    .filter((numbers) => numbers.length > 1);
  const token = 'ghp_hadoop_emulator_admin';
  const seed: GitHubSeed = {
    users: [{ login: 'hadoop-triager', name: 'Hadoop Triager', email: 'triager@example.org' }],
    orgs: [{ login: 'apache', name: 'The Apache Software Foundation', members: ['hadoop-triager'] }],
    repos: [
      {
        owner: 'apache',
        name: 'hadoop',
        description: 'Apache Hadoop',
        issues: reports.map((report) => toIssue(report, options.allOpen ?? false)),
      },
    ],
    tokens: [{ token, login: 'hadoop-triager', scopes: ['repo', 'read:org'], repos: 'all' }],
  };
  return { seed, token, owner: 'apache', repo: 'hadoop', numberOf, clusters };
}

function toIssue(report: HadoopReport, allOpen: boolean): GitHubSeedIssue {
  const user = reporters[Number(report.id) % reporters.length] ?? 'hdfs-operator';
  const resolvedAt = allOpen ? null : report.resolvedAt;
  const closed = resolvedAt !== null && report.status === 'Resolved';
  return {
    title: report.title,
    body: report.body === '' ? null : report.body,
    user,
    labels: [`priority: ${report.priority.toLowerCase()}`],
    created_at: new Date(report.createdAt).toISOString(),
    updated_at: new Date(closed ? Math.max(resolvedAt, report.createdAt) : report.createdAt).toISOString(),
    ...(closed ? { state: 'closed', state_reason: reasonOf(report.resolution) } : {}),
  };
}

function reasonOf(resolution: string): GitHubStateReason {
  if (resolution === 'Duplicate') return 'duplicate';
  return ['Fixed', 'Done', 'Implemented', 'Resolved'].includes(resolution) ? 'completed' : 'not_planned';
}
