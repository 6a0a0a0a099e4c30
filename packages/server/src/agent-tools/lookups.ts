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

/** The account in which names are looked up, and its trackers that count. */
export interface LookupContext {
  accountId: string;
  /**
   * Selects the tracker if several have the same key or project identifier. Any tracker if omitted.
   */
  scope?: KeyScope;
}

/**
 * Finds an issue by the key or id that an agent gives.
 * @throws {AppError} `invalid` with a message for the agent, also if the issue does not exist
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

/** Finds issues by the keys or ids that an agent gives. Returns them in that order. */
export function findIssues(
  issues: Issues,
  naming: LookupContext,
  names: readonly string[],
): Promise<IssueView[]> {
  return Promise.all(names.map((name, index) => findIssue(issues, naming, name, `issues.${index}`)));
}

/**
 * Returns the ids of the projects that an agent names. A name is a project's identifier, name, id,
 * or the first segment of its id.
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

/** Finds a project by any of the names that {@link findProjectIds} accepts. */
export async function findProject(
  issues: Issues,
  naming: LookupContext,
  name: string,
): Promise<ProjectNames> {
  return projectNamed(await issues.projectNames(naming.accountId), naming, name, 'project');
}

/**
 * Returns the id of the tracker that an agent names by id, name, or name and type.
 * @throws {AppError} `invalid` if it does not exist
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

/** Finds a prompt by id, name or short name. Without a name, returns the Definition of Ready. */
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
 * Compares a name with each kind of name in order, such as id, then title. Returns the match of the
 * first kind that has one.
 * @throws {AppError} `invalid` if nothing matches or if several do
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
