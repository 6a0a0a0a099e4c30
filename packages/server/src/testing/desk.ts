import type { GitHubEmulator } from '../../../../tools/emulators/github/emulator.ts';
import type { GitHubSeed, GitHubSeedIssue } from '../../../../tools/emulators/github/seed.ts';
import { type ModelsEmulator, startModels } from '../../../../tools/emulators/models/emulator.ts';
import type { Caller } from './caller.ts';
import { connect, differentIssues, type GitHubOptions, startGitHub, whenSynced } from './github.ts';
import { type RunningWinnow, startWinnow } from './running-winnow.ts';

/** Somebody new with a GitHub of their own, all of which is read. */
export interface Backlog {
  github: GitHubEmulator;
  caller: Caller;
  trackerId: string;
}

/** The same at a server of their own, with language models beside it. */
export interface Desk extends Backlog {
  winnow: RunningWinnow;
  models: ModelsEmulator;
}

/** Starts all that a test of a whole way needs. `acme/app` holds `issues`, and GitHub more by `seed`. {@link closeAll} of it. */
export async function startDesk({
  issues = differentIssues(2),
  seed = {},
  env = {},
}: {
  issues?: GitHubSeedIssue[];
  seed?: Partial<GitHubSeed>;
  env?: Record<string, string>;
} = {}): Promise<Desk> {
  const [winnow, models] = await Promise.all([startWinnow({ env }), startModels()]);
  return { winnow, models, ...(await newBacklog(winnow, issues, { seed })) };
}

/** Registers a user, or takes the given one, and connects a GitHub of these issues. Close the GitHub. */
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

/** Closes all of them, also when one was never opened or does not close. @throws what went wrong, after that. */
export async function closeAll(...opened: { close(): Promise<unknown> }[]): Promise<void> {
  const closed = await Promise.allSettled(opened.map(async (one) => one.close()));
  const failures = closed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything was closed.');
}
