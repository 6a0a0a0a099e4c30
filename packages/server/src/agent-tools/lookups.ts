import type { CompliancePrompt } from '@winnow/contract/compliance';
import { DEFAULT_PROMPT } from '@winnow/contract/compliance';
import type { Prompts } from '../compliance/prompts.ts';
import type { Issues, IssueView } from '../issues/service.ts';
import { AppError, invalid } from '../platform/errors.ts';

/** The issue that an agent names. @throws {AppError} 422 with a sentence that names it, also when it is not there. */
export async function findIssue(
  issues: Issues,
  accountId: string,
  name: string,
  path = 'issue',
): Promise<IssueView> {
  try {
    return await issues.find(accountId, name);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    throw invalid([{ path, message: `There is no issue ${name} here. Find its key with search_issues.` }]);
  }
}

/** The issues that an agent names, in its order. */
export function findIssues(
  issues: Issues,
  accountId: string,
  names: readonly string[],
): Promise<IssueView[]> {
  return Promise.all(names.map((name, index) => findIssue(issues, accountId, name, `issues.${index}`)));
}

/** The ids of the projects that an agent names by identifier, name, id or its first segment. */
export async function findProjectIds(
  issues: Issues,
  accountId: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const projects = await issues.projectNames(accountId);
  return names.map((name, index) => idOfProject(projects, name, `projects.${index}`));
}

/** The id of the one project that an agent names, in the same ways. */
export async function findProjectId(issues: Issues, accountId: string, name: string): Promise<string> {
  return idOfProject(await issues.projectNames(accountId), name, 'project');
}

function idOfProject(
  projects: Awaited<ReturnType<Issues['projectNames']>>,
  name: string,
  path: string,
): string {
  const isCalled = (text: string) => text.toLowerCase() === name.toLowerCase();
  const byId = projects.filter(({ id }) => isCalled(id) || isCalled(id.split('-', 1)[0] ?? ''));
  const byIdentifier = projects.filter(({ identifier }) => isCalled(identifier));
  const byName = projects.filter((project) => isCalled(project.name));
  const otherwise = ' here. list_projects names those there are.';
  return onlyOne([byId, byIdentifier, byName], { what: 'project', name, path, otherwise }).id;
}

/** The prompt that an agent names by id, name or short name; the Definition of Ready when it names none. */
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
  const otherwise = `. There are: ${all.map((prompt) => prompt.name).join(', ')}.`;
  return onlyOne([byId, byName, byShortName], { what: 'prompt', name, path: 'prompt', otherwise });
}

/** What the first of these ways finds that finds something. 422 when none does, or when it finds more than one. */
function onlyOne<T extends { id: string }>(
  ways: readonly (readonly T[])[],
  { what, name, path, otherwise }: { what: string; name: string; path: string; otherwise: string },
): T {
  const [found, other] = ways.find(({ length }) => length > 0) ?? [];
  if (!found) throw invalid([{ path, message: `There is no ${what} ${name}${otherwise}` }]);
  if (!other) return found;
  const message = `${name} is more than one ${what}: name it by id, ${found.id} or ${other.id}.`;
  throw invalid([{ path, message }]);
}
