import { issue } from '@winnow/contract/issue';
import { AppError } from '../platform/errors.ts';
import { excerptOf } from './present.ts';
import type { ToolCaller } from './tool.ts';

/** Maximum number of characters of a conflicting text that the error quotes. */
const MAX_QUOTED_CHARS = { title: 300, description: 4_000 } as const;
const currentIssue = issue.pick({ title: true, description: true, assignees: true, content_hash: true });

/**
 * Runs `write`. If the write is refused because the issue has changed, adds the issue's current
 * values to the error, so that the caller can merge both. Callers without the read scope get the
 * original error.
 */
export async function withConflictDetails<T>(
  { mayRead }: Pick<ToolCaller, 'mayRead'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'changed_since') throw error;
    const { data: now } = currentIssue.safeParse(error.more?.issue);
    if (!mayRead || !now) throw error;
    const quoted = JSON.stringify({
      content_hash: now.content_hash,
      title: excerptOf(now.title, MAX_QUOTED_CHARS.title),
      description: excerptOf(now.description, MAX_QUOTED_CHARS.description),
      assignees: now.assignees,
    });
    const { code, category, detail, more } = error;
    throw new AppError({
      code,
      category,
      more,
      detail: `${detail} Merge your change with the current values. Then call again with this content_hash as base_hash or, when assigning people, these assignees as base_assignees: ${quoted}`,
      cause: error,
    });
  }
}
