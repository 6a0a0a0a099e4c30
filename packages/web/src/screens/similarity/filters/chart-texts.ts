import type { DuplicateStats, PairScope } from '@winnow/contract/duplicate';
import { projectSegment } from '../../../features/issues/project-segment.ts';
import type { PairStatus } from '../../../features/pairs/pair-search.ts';
import { thresholdText } from '../../../features/pairs/pair-texts.ts';
import { countText } from '../../../ui/texts/count-text.ts';

const ISSUE_NOUNS: Record<PairStatus, string> = {
  to_decide: 'open issues',
  both_open: 'open issues',
  repeats_closed: 'open issues',
  closed: 'closed issues',
  all: 'issues',
};

/**
 * States what the chart counts, for the projects in the filter or for all projects. `chosen`
 * contains the projects in the filter, by the first segments of their ids.
 */
export function chartSentence(
  { projects, mark }: Pick<DuplicateStats, 'projects' | 'mark'>,
  filter: { status: PairStatus; scope: PairScope; chosen: readonly string[] },
): string {
  const { status, scope, chosen } = filter;
  const counted =
    chosen.length === 0
      ? projects
      : projects.filter(({ project_id }) => chosen.includes(projectSegment(project_id)));
  const similar = counted.reduce((sum, { duplicates }) => sum + duplicates, 0);
  const total = counted.reduce((sum, project) => sum + project.total, 0);
  const [only, ...others] = counted;
  const name = others.length === 0 ? only?.project_name : `${countText(counted.length)} projects`;
  const where = chosen.length === 0 || name === undefined ? '' : ` of ${name}`;
  const verb = similar === 1 ? 'is' : 'are';
  const pair = scope === 'project' ? 'an unresolved pair within one project' : 'an unresolved pair';
  return `${countText(similar)} of ${countText(total)} ${ISSUE_NOUNS[status]}${where} ${verb} in ${pair} with a probability of ${thresholdText(mark)}.`;
}
