import type { SuggestedIssue } from '@winnow/analysis/suggest';
import type { Fence } from '../fence.ts';

/** Two issues for which a model writes a text, with the built-in analyst's suggestion. */
export interface TextsForModel<Suggested> {
  first: SuggestedIssue;
  second: SuggestedIssue;
  builtIn: Suggested;
}

/** Renders both issues of the pair inside the fence. */
export function bothIssues(
  { first, second }: Record<'first' | 'second', Pick<SuggestedIssue, 'key' | 'title' | 'body'>>,
  fence: Fence,
): string[] {
  return [
    fence.line('Key of issue 1', first.key),
    fence.line('Title of issue 1', first.title),
    fence.text('Description of issue 1', first.body),
    fence.line('Key of issue 2', second.key),
    fence.line('Title of issue 2', second.title),
    fence.text('Description of issue 2', second.body),
  ];
}
