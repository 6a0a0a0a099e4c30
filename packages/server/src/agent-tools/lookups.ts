import type { CompliancePrompt } from '@winnow/contract/compliance';
import { DEFAULT_PROMPT } from '@winnow/contract/compliance';
import type { Prompts } from '../compliance/index.ts';
import {
  ANY_TRACKER,
  type Issues,
  type IssueView,
  type KeyScope,
  type ProjectNames,
  trackerLabel,
  within,
} from '../issues/index.ts';
import { AppError, invalid } from '../platform/errors.ts';

/** Account and trackers in which names are looked up. */
export interface LookupContext {
  accountId: string;
  /**
   * Trackers in which names are looked up. Needed if several trackers have the same issue key or
   * project. Default: any tracker.
   */
  scope?: KeyScope;
}

/**
 * Finds an issue by the key or id that an agent gives.
 * @throws {AppError} `invalid` with a message for the agent if the issue does not exist or the key
 * is ambiguous
 */
export async function findIssue(
  issues: Issues,
  { accountId, scope }: LookupContext,
  name: string,
  path = 'issue',
): Promise<IssueView> {
  try {
    return await issues.findByIdOrKey(accountId, name, scope);
  } catch (error) {
    if (!(error instanceof AppError) || error.category !== 'not_found') throw error;
    const where = scope?.type === 'only' ? 'in that tracker' : 'here';
    throw invalid([{ path, message: `Issue ${name} not found ${where}. Find its key with search_issues.` }]);
  }
}

/** Finds issues by the keys or ids that an agent gives. Returns them in the given order. */
export function findIssues(
  issues: Issues,
  naming: LookupContext,
  names: readonly string[],
): Promise<IssueView[]> {
  return Promise.all(names.map((name, index) => findIssue(issues, naming, name, `issues.${index}`)));
}

/**
 * Returns the ids of the projects that an agent names. A project can be named by its identifier,
 * its name, its id, or the first segment of its id.
 */
export async function findProjectIds(
  issues: Issues,
  naming: LookupContext,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const projects = await issues.projectNames(naming.accountId);
  return names.map((name, index) => projectNamed(projects, naming, name, `projects.${index}`).id);
}

/** Finds a project by any of the forms that {@link findProjectIds} accepts. */
export async function findProject(
  issues: Issues,
  naming: LookupContext,
  name: string,
): Promise<ProjectNames> {
  return projectNamed(await issues.projectNames(naming.accountId), naming, name, 'project');
}

/**
 * Returns the id of the tracker that an agent names. A tracker can be named by id, by name, or by
 * name and type.
 * @throws {AppError} `invalid` if there is none
 */
export async function findTrackerId(issues: Issues, accountId: string, name: string): Promise<string> {
  const projects = await issues.projectNames(accountId);
  const isCalled = (text: string) => text.toLowerCase() === name.toLowerCase();
  const found =
    projects.find(({ tracker_id: trackerId }) => isCalled(trackerId)) ??
    projects.find((project) => isCalled(project.tracker_name) || isCalled(trackerLabel(project)));
  if (found) return found.tracker_id;
  const known = [...new Set(projects.map(trackerLabel))].join(', ');
  throw invalid([{ path: 'tracker', message: `Tracker ${name} not found. Available: ${known}.` }]);
}

function projectNamed(
  projects: readonly ProjectNames[],
  { scope = ANY_TRACKER }: LookupContext,
  name: string,
  path: string,
): ProjectNames {
  const isCalled = (text: string) => text.toLowerCase() === name.toLowerCase();
  const byId = projects.filter(({ id }) => isCalled(id) || isCalled(id.split('-', 1)[0] ?? ''));
  const byIdentifier = projects.filter(({ identifier }) => isCalled(identifier));
  const byName = projects.filter((project) => isCalled(project.name));
  const ways = [byId, byIdentifier, byName].map((found) => within(scope, found));
  const where = scope.type === 'only' ? 'in that tracker' : 'here';
  const otherwise = ` ${where}. list_projects lists the projects.`;
  const labelOf = (project: ProjectNames) => `${project.id} in ${trackerLabel(project)}`;
  return onlyOne(ways, { what: 'project', name, path, otherwise, labelOf });
}

/**
 * Finds a prompt by id, name or short name. Without a name, returns the prompt "Definition of
 * Ready".
 */
export async function findPrompt(
  prompts: Prompts,
  accountId: string,
  name = DEFAULT_PROMPT,
): Promise<CompliancePrompt> {
  const all = await prompts.list(accountId);
  const isCalled = (text: string) => text.toLowerCase() === name.trim().toLowerCase();
  const byId = all.filter(({ id }) => isCalled(id));
  const byName = all.filter((prompt) => isCalled(prompt.name));
  const byShortName = all.filter((prompt) => isCalled(prompt.short_name));
  const otherwise = ` found. Available: ${all.map((prompt) => prompt.name).join(', ')}.`;
  const labelOf = ({ id }: CompliancePrompt) => id;
  return onlyOne([byId, byName, byShortName], { what: 'prompt', name, path: 'prompt', otherwise, labelOf });
}

/**
 * Finds the item with a given name. Compares one kind of name after another, such as first ids,
 * then titles. Uses the first kind with a match.
 * @throws {AppError} `invalid` if nothing matches, or if several items match
 */
function onlyOne<T>(
  ways: readonly (readonly T[])[],
  asked: { what: string; name: string; path: string; otherwise: string; labelOf: (one: T) => string },
): T {
  const { what, name, path, otherwise, labelOf } = asked;
  const found = ways.find(({ length }) => length > 0) ?? [];
  const [only, other] = found;
  if (!only) throw invalid([{ path, message: `No ${what} ${name}${otherwise}` }]);
  if (!other) return only;
  const message = `Several ${what}s are called ${name}. Use the id: ${found.map(labelOf).join(' or ')}.`;
  throw invalid([{ path, message }]);
}
