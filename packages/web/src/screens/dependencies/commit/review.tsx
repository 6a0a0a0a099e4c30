import { Button, Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type CommitResult, type Dependency, MAX_SCANNED_ISSUES } from '@winnow/contract/dependency';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { scoreText } from '../../../features/compliance/score.ts';
import { commitDependencies } from '../../../features/decisions/decision-requests.ts';
import { StepLine } from '../../../features/decisions/step-line.tsx';
import { foldLines } from '../../../features/issues/text/fold.ts';
import { layoutText } from '../../../features/issues/text/lines.ts';
import { TextLines } from '../../../features/issues/text/text-lines.tsx';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import type { CommitScope, DependencyActions } from '../badges/dependency-details.tsx';
import { dependencyIds, dependencyKey, type HeldBack } from '../dependency-state.ts';
import { dependenciesText, HELD_BACK_TEXTS, sentenceOf } from '../dependency-texts.ts';
import classes from './commit.module.css';
import { Titles } from './titles.tsx';
import { type PlannedCommit, usePreviews } from './use-previews.ts';

/** Writes for one dependency, with the text of the comment and when it is posted. */
function Writes({ preview }: Pick<PlannedCommit, 'preview'>) {
  if (preview === null) return <TextSkeleton width="70%" />;
  const steps = preview.steps.map((step, index) => ({ step, number: index + 1 }));
  return (
    <ol className={frame.writes}>
      {steps.map(({ step, number }) => (
        <li key={number}>
          <StepLine step={step} />
          {step.after.condition === undefined ? null : (
            <span className={classes.condition}>{step.after.condition}</span>
          )}
          {step.after.comment === undefined ? null : (
            <div className={classes.comment}>
              <TextLines rows={foldLines(layoutText(step.after.comment, [])).rows} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

type ItemProps = {
  planned: PlannedCommit;
  issueOf: DependencyActions['issueOf'];
  /** Reason why the dependency is not selected by default; null if it is selected by default. */
  held: HeldBack | null;
  /** True if the dependency is selected. Null if the user cannot choose. */
  chosen: boolean | null;
  onToggle: () => void;
};

function Item({ planned, issueOf, held, chosen, onToggle }: ItemProps) {
  const { dependency, preview, refusal } = planned;
  const sentence = sentenceOf(dependency);
  return (
    <li className={frame.item}>
      <div className={frame.itemHead}>
        {chosen === null ? (
          <span className={frame.itemName}>{sentence}</span>
        ) : (
          <Checkbox
            className={frame.itemName ?? ''}
            label={sentence}
            checked={chosen && refusal === null}
            disabled={refusal !== null}
            onChange={onToggle}
          />
        )}
        <span className={frame.fate}>{`${scoreText(dependency.confidence_score)} confidence`}</span>
      </div>
      <Titles dependency={dependency} issueOf={issueOf} />
      {held === null ? null : <p className={classes.reason}>{HELD_BACK_TEXTS[held]}</p>}
      <div className={classes.itemBody} data-chosen={chosen !== false}>
        <p className={classes.reason} dir="auto">
          {dependency.reason}
        </p>
        {refusal === null ? <Writes preview={preview} /> : <p className={frame.refusal}>{refusal}</p>}
      </div>
    </li>
  );
}

const SCOPE_TEXTS: Record<CommitScope, string> = {
  issue: 'The dependencies of one issue.',
  page: 'The dependencies of the listed issues and those found by expanding the scan.',
  project: 'The dependencies of the whole project.',
};

export type ReviewProps = {
  dependencies: readonly Dependency[];
  scope: CommitScope;
  actions: DependencyActions;
  onWritten: (asked: readonly Dependency[], result: CommitResult) => void;
  /** Called with true while the change is being written, otherwise with false. */
  onBusy: (busy: boolean) => void;
  onClose: () => void;
};

/** Lists the writes for each dependency, with checkboxes that select the dependencies to commit. */
export function Review({ dependencies, scope, actions, onWritten, onBusy, onClose }: ReviewProps) {
  const asked = dependencies.slice(0, MAX_SCANNED_ISSUES);
  const beyond = dependencies.length - asked.length;
  const { items, loading, askAgain } = usePreviews(asked);
  // A single dependency needs no checkbox if the user commits it from its issue, or if it is
  // selected by default.
  const isOne =
    asked.length === 1 && (scope === 'issue' || asked.every((one) => actions.heldBack(one) === null));
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(
    () => new Set(isOne ? [] : asked.filter((one) => actions.heldBack(one) !== null).map(dependencyKey)),
  );
  const committing = useOneAtATime(
    useMutation({
      mutationFn: (chosen: readonly PlannedCommit[]) =>
        commitDependencies(
          chosen.map(({ dependency, preview }) => ({
            ...dependencyIds(dependency),
            base_hashes: preview?.base_hashes,
          })),
        ),
      onMutate: () => onBusy(true),
      onSuccess: (result, chosen) =>
        onWritten(
          chosen.map(({ dependency }) => dependency),
          result,
        ),
      onSettled: () => onBusy(false),
    }),
  );
  const toggle = (key: string) =>
    setLeftOut((held) => new Set(held.has(key) ? [...held].filter((one) => one !== key) : [...held, key]));
  const chosen = items.filter(
    ({ dependency, refusal }) => refusal === null && !leftOut.has(dependencyKey(dependency)),
  );
  const ready = loading === 0 && chosen.length > 0;
  return (
    <>
      <section className={frame.body} aria-label="What will be written" {...FOCUSABLE}>
        {committing.error === null ? null : (
          <ErrorState error={committing.error} title="Nothing was committed" />
        )}
        <p className={frame.intro}>
          {isOne
            ? 'This is written to the tracker. You can undo it.'
            : `${SCOPE_TEXTS[scope]} Each is written to its tracker as a separate change, which can be undone.`}
        </p>
        {beyond > 0 ? (
          <p className={frame.intro}>
            {`The first ${asked.length} are listed; ${dependenciesText(beyond)} can be committed after that.`}
          </p>
        ) : null}
        <ul className={frame.items} aria-label="Dependencies">
          {items.map((planned) => {
            const key = dependencyKey(planned.dependency);
            return (
              <Item
                key={key}
                planned={planned}
                issueOf={actions.issueOf}
                held={actions.heldBack(planned.dependency)}
                chosen={isOne ? null : !leftOut.has(key)}
                onToggle={() => toggle(key)}
              />
            );
          })}
        </ul>
      </section>
      <div className={frame.footer}>
        <Button onClick={onClose} data-autofocus>
          {committing.isPending ? 'Close' : 'Cancel'}
        </Button>
        <span className={frame.state} role="status">
          {committing.isPending ? 'Applying. You can close this dialog.' : null}
          {loading > 0 ? `Preparing the preview: ${loading} left` : null}
          {loading === 0 && !isOne && !committing.isPending
            ? `${chosen.length} of ${items.length} chosen`
            : null}
        </span>
        {askAgain === null ? null : (
          <Button onClick={askAgain} disabled={committing.isPending}>
            Check again
          </Button>
        )}
        <Button
          variant="filled"
          disabled={!ready && !committing.isPending}
          loading={committing.isPending}
          onClick={() => committing.mutate(chosen)}
        >
          {isOne ? 'Commit' : `Commit ${dependenciesText(chosen.length)}`}
        </Button>
      </div>
    </>
  );
}
