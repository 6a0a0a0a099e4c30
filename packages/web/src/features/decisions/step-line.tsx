import { isExternalCall } from '@winnow/contract/change';
import { IssueKey } from '../issues/issue-key.tsx';
import { TrackerMark, useNamesakeLookup } from '../issues/tracker-mark.tsx';
import { type StepLike, stepWords } from './step-text.ts';
import classes from './writes.module.css';

/** One-line description of a step, such as `Close sync#1893 as a duplicate of sync#1840`. */
export function StepLine({
  step,
}: {
  step: Pick<
    StepLike,
    'action' | 'target_key' | 'target_project_id' | 'other_project_id' | 'before' | 'after'
  >;
}) {
  const { before, key, between, otherKey } = stepWords(step);
  const trackerOf = useNamesakeLookup();
  return (
    <span className={classes.words}>
      {before}{' '}
      {isExternalCall(step) ? <code className={classes.tool}>{key}</code> : <IssueKey>{key}</IssueKey>}
      {trackerOf(step.target_project_id) === null ? null : (
        <>
          {' '}
          <TrackerMark projectId={step.target_project_id} />
        </>
      )}
      {between === '' ? null : ` ${between}`}
      {otherKey === null ? null : (
        <>
          {' '}
          <IssueKey>{otherKey}</IssueKey>
          {trackerOf(step.other_project_id) === null ? null : (
            <>
              {' '}
              <TrackerMark projectId={step.other_project_id} />
            </>
          )}
        </>
      )}
    </span>
  );
}
