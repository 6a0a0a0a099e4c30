import { clusterMemory } from '../../clusters/index.ts';
import { AppError, invalid } from '../../platform/errors.ts';
import { findIssue, findIssues } from '../lookups.ts';
import { presentWrite } from '../present.ts';
import type { RunTool } from '../tool.ts';
import { clusterNotFound } from './get-cluster.ts';

/**
 * Maximum number of steps and of reasons returned. Each closed issue of a cluster has two steps.
 */
const MAX_SHOWN = { steps: 10, reasons: 10 } as const;

const ARGUMENT_NAMES: Readonly<Record<string, string>> = { canonical_id: 'canonical', member_ids: 'issues' };

export const proposeClusterResolution: RunTool<'propose_cluster_resolution'> = async (
  { issues, clusterResolutions },
  caller,
  input,
) => {
  const { accountId } = caller;
  const request = await caller.changeRequest();
  const { cluster_id: clusterId, revision, facts, reason } = input;
  const canonical = input.canonical && (await findIssue(issues, caller, input.canonical, 'canonical'));
  const closed = input.issues && (await findIssues(issues, caller, input.issues));
  const proposal = {
    revision,
    facts,
    ...(canonical ? { canonical_id: canonical.id } : {}),
    ...(closed ? { member_ids: closed.map(({ id }) => id) } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
  const record = await clusterResolutions
    .resolve(accountId, request, clusterId, proposal)
    .catch(clusterNotFound)
    .catch(rethrowWithArgumentNames);
  const { left_out: leftOut } = clusterMemory.parse(record.change.payload);
  const { steps = [], summary, ...written } = presentWrite(record);
  // Steps with an error come first, so that the limit never omits them.
  const shown = steps.toSorted((one, other) => Number('error' in other) - Number('error' in one));
  return {
    ...written,
    summary: leftOut.length === 0 ? summary : `${summary} Issues left out: ${leftOut.length}.`,
    steps: shown.slice(0, MAX_SHOWN.steps),
    ...(leftOut.length === 0
      ? {}
      : { left_out: leftOut.slice(0, MAX_SHOWN.reasons).map((one) => one.reason) }),
  };
};

/**
 * Replaces the field names in a validation error by the argument names of this tool. Throws the
 * resulting error.
 */
function rethrowWithArgumentNames(error: unknown): never {
  if (!(error instanceof AppError) || error.category !== 'invalid' || error.fields === undefined) throw error;
  throw invalid(error.fields.map(({ path, message }) => ({ path: ARGUMENT_NAMES[path] ?? path, message })));
}
