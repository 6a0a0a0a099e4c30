import { issue } from '@winnow/contract/issue';
import { AppError } from '../platform/errors.ts';
import { shortened } from './present.ts';
import type { ToolCaller } from './tool.ts';

/** Of a text that somebody else has written meanwhile, so much is told. */
const LONGEST_TOLD = { title: 300, description: 4_000 } as const;
const moved = issue.pick({ title: true, description: true, assignees: true, content_hash: true });

/**
 * What `write` answers. Where it is refused since the issue has changed, the refusal says what the issue is now, to callers
 * who may read, so that they can put both together.
 */
export async function tellingWhatChanged<T>(
  { mayRead }: Pick<ToolCaller, 'mayRead'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'changed_since') throw error;
    const { data: now } = moved.safeParse(error.more?.issue);
    if (!mayRead || !now) throw error;
    const told = JSON.stringify({
      content_hash: now.content_hash,
      title: shortened(now.title, LONGEST_TOLD.title),
      description: shortened(now.description, LONGEST_TOLD.description),
      assignees: now.assignees,
    });
    const { code, status, detail, more } = error;
    throw new AppError({
      code,
      status,
      more,
      detail: `${detail} Put together what you want and what it says now, and call again with this content_hash as base_hash, to assign people with these assignees as base_assignees: ${told}`,
      cause: error,
    });
  }
}
