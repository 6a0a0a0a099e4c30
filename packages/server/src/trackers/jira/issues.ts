import { type IssueTarget, type ProviderIssue, TrackerError } from '../provider.ts';
import { ISSUE_FIELDS, toIssue, type WireIssue, wireIssue } from './map.ts';
import { get, issuePath, type Site, subjectOf } from './site.ts';

/** Reads single issues. */
export interface Issues {
  site: Site;
  /**
   * Returns the issue as Jira's API describes it.
   * @throws {TrackerError} `not_found` if the issue was deleted or moved to another project
   */
  get(target: IssueTarget, signal: AbortSignal): Promise<WireIssue>;
  /** Like `get`, but returns the issue as a `ProviderIssue`. */
  now(target: IssueTarget, signal: AbortSignal): Promise<ProviderIssue>;
  mapped(wire: WireIssue): ProviderIssue;
}

export function createIssues(site: Site): Issues {
  const { address, dialect } = site;
  const mapped = (wire: WireIssue) => toIssue(address.siteUrl, dialect, wire);

  async function getIssue(target: IssueTarget, signal: AbortSignal): Promise<WireIssue> {
    const query = { fields: ISSUE_FIELDS.join(',') };
    const call = { path: issuePath(target), query, subject: subjectOf(target) };
    const wire = await get(site, wireIssue, call, signal);
    if (wire.fields.project.id === target.project.externalId) return wire;
    throw new TrackerError('not_found', `${address.name} has moved ${subjectOf(target)} to another project.`);
  }

  return {
    site,
    get: getIssue,
    now: async (target, signal) => mapped(await getIssue(target, signal)),
    mapped,
  };
}
