import { Button } from '@mantine/core';
import { PAIR_JUDGMENTS, type PairDetail, type PairJudgment } from '@winnow/contract/duplicate';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { JUDGMENT_KEYS } from '../shortcuts.ts';
import classes from './panel.module.css';

/** Buttons for judging how both issues of a pair relate. */
export function JudgmentButtons({
  pair,
  onChoose,
}: {
  pair: PairDetail;
  onChoose: (of: PairJudgment) => void;
}) {
  return (
    <section className={classes.section} aria-label="Your judgment">
      <h3 className={classes.judgmentTitle}>Your judgment</h3>
      <div className={classes.judgments}>
        <PermissionGate needs="triage">
          {JUDGMENT_KEYS.map(([key, judgment]) => (
            <Button
              key={key}
              size="compact-sm"
              variant={pair.judgment === judgment ? 'filled' : 'default'}
              aria-pressed={pair.judgment === judgment}
              title={PAIR_JUDGMENTS[judgment].description}
              rightSection={<KeyCap>{key}</KeyCap>}
              onClick={() => onChoose(judgment)}
            >
              {PAIR_JUDGMENTS[judgment].label}
            </Button>
          ))}
        </PermissionGate>
      </div>
      <p className={classes.weights}>
        Nothing is written to a tracker. From 30 judged pairs on, the probabilities are adjusted to them if
        that predicts your judgments better.
      </p>
    </section>
  );
}
