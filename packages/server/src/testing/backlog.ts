import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeed, GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import type { Caller } from './caller.ts';
import { connect, differentIssues, type GitHubOptions, startGitHub, whenSynced } from './github.ts';
import { type RunningWinnow, startWinnow } from './running-winnow.ts';

/** A new user with their own GitHub, fully synced. */
export interface Backlog {
  github: GitHubEmulator;
  caller: Caller;
  trackerId: string;
}

/** A backlog on its own server, with emulated language models. */
export interface ServedBacklog extends Backlog {
  winnow: RunningWinnow;
  models: ModelsEmulator;
}

/**
 * Starts a server, GitHub and language models for an end-to-end test. `acme/app` contains `issues`;
 * `seed` adds more data to GitHub. Close it with {@link closeAll}.
 */
export async function startBacklog({
  issues = differentIssues(2),
  seed = {},
  env = {},
}: {
  issues?: GitHubSeedIssue[];
  seed?: Partial<GitHubSeed>;
  env?: Record<string, string>;
} = {}): Promise<ServedBacklog> {
  const [winnow, models] = await Promise.all([startWinnow({ env }), startModels()]);
  return { winnow, models, ...(await newBacklog(winnow, issues, { seed })) };
}

/**
 * Registers a user, or uses the given one, and connects a new GitHub with these issues. The caller
 * must close that GitHub.
 */
export async function newBacklog(
  winnow: RunningWinnow,
  issues: GitHubSeedIssue[],
  options: GitHubOptions = {},
  newCaller: () => Promise<Caller> = winnow.newCaller,
): Promise<Backlog> {
  const [caller, github] = await Promise.all([newCaller(), startGitHub(issues, options)]);
  const { id: trackerId } = await connect(caller, github);
  await whenSynced(caller, trackerId);
  return { github, caller, trackerId };
}

/**
 * Closes all of these, even if some were never opened or fail to close.
 * @throws afterwards, with the errors of all that failed
 */
export async function closeAll(...opened: { close(): Promise<unknown> }[]): Promise<void> {
  const closed = await Promise.allSettled(opened.map(async (one) => one.close()));
  const failures = closed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be closed.');
}
