import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeed, GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import type { Caller } from './caller.ts';
import { connect, differentIssues, type GitHubOptions, startGitHub, whenSynced } from './github.ts';
import { type RunningWinnow, startWinnow } from './running-winnow.ts';

/** A new user with an emulated GitHub, whose issues are all synced. */
export interface Backlog {
  github: GitHubEmulator;
  caller: Caller;
  trackerId: string;
}

/** A backlog with its own server and emulated language models. */
export interface ServedBacklog extends Backlog {
  winnow: RunningWinnow;
  models: ModelsEmulator;
}

/**
 * Starts a server, an emulated GitHub and emulated language models for an end-to-end test. The
 * repository `acme/app` contains `issues`; `seed` adds more data. Close everything with {@link
 * closeAll}.
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
 * Connects a new emulated GitHub with these issues. Registers a user for it, unless one is given.
 * The caller must close the emulator.
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
 * Closes all arguments, even if some are undefined or fail to close.
 * @throws after closing, with all errors that occurred
 */
export async function closeAll(...opened: { close(): Promise<unknown> }[]): Promise<void> {
  const closed = await Promise.allSettled(opened.map(async (one) => one.close()));
  const failures = closed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be closed.');
}
