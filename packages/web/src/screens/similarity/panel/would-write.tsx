import type { PairDetail } from '@winnow/contract/duplicate';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { StepLine } from '../../../features/decisions/step-line.tsx';
import { writesText, writesToTracker } from '../../../features/decisions/step-text.ts';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { pairKeyOf } from '../../../features/pairs/pair-key.ts';
import { useTrackerNames } from '../../../features/trackers/use-tracker-names.ts';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { usePreview } from '../queries.ts';
import { type CloseChoice, suggestedClose } from '../suggestion.ts';
import { canMerge } from '../text-drafts.ts';
import classes from './panel.module.css';

function CloseWrites({ pair, choice }: { pair: PairDetail; choice: CloseChoice }) {
  const preview = usePreview({ ...pairKeyOf(pair), resolution: choice });
  const { data, error } = preview;
  const steps = data?.steps.filter((step) => writesToTracker(step.action)) ?? [];
  const numbered = steps.map((step, index) => ({ step, number: index + 1 }));
  return (
    <li className={classes.resolution}>
      <div className={classes.resolutionHead}>
        <KeyCap>d</KeyCap>
        <b>Close as Duplicate</b>
        <span className={classes.writes}>{data === undefined ? null : writesText(steps.length)}</span>
      </div>
      {error === null ? null : <p className={classes.refusal}>{sentenceOf(error)}</p>}
      {data === undefined && error === null ? (
        <div className={classes.steps}>
          <TextSkeleton width="72%" />
          <TextSkeleton width="84%" />
          <TextSkeleton width="48%" />
        </div>
      ) : null}
      {data === undefined ? null : (
        <ol className={classes.steps}>
          {numbered.map(({ step, number }) => (
            <li key={number}>
              <span className={classes.stepNumber}>{number}</span>
              <span>
                <StepLine step={step} />
                {step.after.comment === undefined ? null : (
                  <>
                    : <span className={classes.quote}>{step.after.comment}</span>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

/** One line about a resolution whose writes are not previewed in the panel. */
function OtherWay({ keyCap, name, children }: { keyCap: string; name: string; children: ReactNode }) {
  return (
    <li className={classes.resolution}>
      <div className={classes.resolutionHead}>
        <KeyCap>{keyCap}</KeyCap>
        <b>{name}</b>
        <span className={classes.kept}>{children}</span>
      </div>
    </li>
  );
}

/** Previews what each possible resolution of the pair would write. */
export function WouldWrite({ pair }: { pair: PairDetail }) {
  const trackerName = useTrackerNames();
  const choice = suggestedClose(pair);
  const { issue1, issue2 } = pair;
  const trackers = new Set([issue1.tracker_id, issue2.tracker_id]);
  const names = [...new Set([...trackers].map((id) => trackerName(id).inSentence))].join(' and ');
  return (
    <section className={classes.section} aria-labelledby="would-write">
      <h3 className={classes.heading} id="would-write">
        Writes of each resolution to {names}
      </h3>
      <ul className={classes.resolutions}>
        {choice === null ? (
          <li className={classes.resolution}>
            <p className={classes.refusal}>Both issues are already closed, so neither can be closed.</p>
          </li>
        ) : (
          <CloseWrites pair={pair} choice={choice} />
        )}
        {canMerge(pair) ? (
          <OtherWay keyCap="m" name="Merge Issues">
            Rewrites <IssueKey>{issue1.key}</IssueKey> <TrackerMark projectId={issue1.project_id} />, closes{' '}
            <IssueKey>{issue2.key}</IssueKey> <TrackerMark projectId={issue2.project_id} />
          </OtherWay>
        ) : null}
        <OtherWay keyCap="x" name="Deconflict Issues">
          Rewrites both, both stay open
        </OtherWay>
        <OtherWay keyCap="u" name="Mark as Unrelated">
          In Winnow only
        </OtherWay>
      </ul>
    </section>
  );
}
