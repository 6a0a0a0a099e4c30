import { complianceRuns } from '@winnow/contract/compliance';
import type { Emit } from '../run.ts';
import { ISSUES, openWholeProject } from './open.ts';

/**
 * Measures the time to score a whole project, and the time to detect that all its issues have
 * scores.
 */
export async function measureWholeProject(emit: Emit): Promise<void> {
  const project = await openWholeProject('readiness');
  if (project === null) return;
  const { api, projectId } = project;
  const begin = () =>
    api.send('POST', '/issue_compliance_runs', { project_ids: [projectId], status: 'all' }, complianceRuns);
  const isDone = async () => {
    const { runs } = await api.get('/issue_compliance_runs', complianceRuns);
    const failed = runs.find(({ state }) => state === 'failed');
    if (failed) throw new Error(`Scoring failed: ${failed.reason}`);
    return runs.every(({ state }) => state === 'done');
  };
  try {
    for (const name of ['whole project scored', 'whole project scored again, nothing to do']) {
      const { tookMs, longestWaitMs } = await project.timed(begin, isDone);
      emit({ name, value: tookMs, unit: 'ms', detail: { issues: ISSUES, longestWaitMs } });
    }
  } finally {
    await project.close();
  }
}
