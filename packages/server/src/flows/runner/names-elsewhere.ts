import type { ToolServices } from '../../agent-tools/tool.ts';

/** What stands between the identifier of a project and the number in an issue's key. */
const NUMBER = /^[#-]\d+$/;

/** Whether an answer names an issue of another project than this one, so that it may hold what stands there. */
export async function namesElsewhere(
  { issues }: Pick<ToolServices, 'issues'>,
  accountId: string,
  projectId: string,
  answer: unknown,
): Promise<boolean> {
  const others = (await issues.projectNames(accountId)).filter(({ id }) => id !== projectId);
  if (others.length === 0) return false;
  return textsIn(answer).some((text) =>
    others.some(
      ({ identifier }) => text.startsWith(identifier) && NUMBER.test(text.slice(identifier.length)),
    ),
  );
}

/** Every text that is a value by itself, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
