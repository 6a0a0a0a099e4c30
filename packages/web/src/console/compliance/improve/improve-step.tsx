import { Button, SegmentedControl } from '@mantine/core';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useId, useMemo, useState } from 'react';
import { SuggestionNote } from '../../issues/texts/suggestion-note.tsx';
import { TextFields, TITLE_NEEDED } from '../../issues/texts/text-fields.tsx';
import { type TypedTexts, withTyped } from '../../issues/texts/typed.ts';
import {
  ConfirmButton,
  ConfirmForm,
  PreviewPane,
  previewState,
} from '../../issues/write-dialog/confirm-form.tsx';
import { hasMoved, Refusal } from '../../issues/write-dialog/refusal.tsx';
import { useEditedPreview } from '../../issues/write-dialog/use-edited-preview.ts';
import { useInitialFocus } from '../../issues/write-dialog/use-initial-focus.ts';
import dialog from '../../issues/write-dialog/write-dialog.module.css';
import { EditedTexts } from '../../similarity/decide/edited-texts.tsx';
import { useTrackerNames } from '../../similarity/use-tracker-names.ts';
import { useImprovement, useTrial } from '../queries.ts';
import classes from './improve.module.css';
import { MovedNote } from './moved-note.tsx';
import { ScoreMove } from './score-move.tsx';
import { begunTexts, knownLines, updateOf } from './update.ts';
import type { Improving } from './use-improve.ts';
import { Writes } from './writes.tsx';

const NOTHING_DIFFERS = 'Change the title or the description.';
const NOTHING_SUGGESTED =
  'Nothing was suggested that the issue does not say. Change the title or the description yourself.';
const VIEWS = ['Edit', 'Diff'];

/** Why there is nothing to write, in a sentence. */
function missingText(state: { isUntitled: boolean; isTyped: boolean; isSuggested: boolean }): string {
  if (state.isUntitled) return TITLE_NEEDED;
  return state.isTyped || !state.isSuggested ? NOTHING_DIFFERS : NOTHING_SUGGESTED;
}

export type ImproveStepProps = {
  issue: Issue;
  /** As it was when the dialog opened. */
  seen: Issue;
  prompt: CompliancePrompt;
  typed: TypedTexts;
  onType: (typed: TypedTexts) => void;
  improving: Improving;
  onCancel: () => void;
};

/** The suggested texts, to edit, beside the score that they would get and every write that follows. */
export function ImproveStep(props: ImproveStepProps) {
  const { issue, seen, prompt, typed, onType, improving, onCancel } = props;
  const lead = useInitialFocus<HTMLParagraphElement>();
  const changesId = useId();
  const [view, setView] = useState('Edit');
  const trackerName = useTrackerNames();
  const suggestion = useImprovement(prompt.id, issue.id);
  const { data: suggested, errorUpdateCount, refetch } = suggestion;
  // Once a suggestion could not be had the fields are there, also while it is asked for again.
  const isBegun = suggested !== undefined || errorUpdateCount > 0;
  const begun = useMemo(() => begunTexts(suggested, issue), [suggested, issue]);
  const known = useMemo(() => knownLines(suggested, begun), [suggested, begun]);
  const texts = { ...begun, ...typed };
  const isTyped = Object.keys(typed).length > 0;
  const isUntitled = texts.title.trim() === '';
  const update = isBegun && !isUntitled ? updateOf(issue, texts, suggested?.changes ?? []) : null;
  const preview = useEditedPreview(
    update && { kind: 'compliance', payload: { ...update, issue_id: issue.id } },
    isTyped,
  );
  const trial = useTrial(prompt.id, issue.id, isBegun ? texts : null, isTyped);
  const state = previewState(preview, update !== null, improving.pending);
  const { confirmable } = state;
  const missing =
    isBegun && update === null
      ? missingText({ isUntitled, isTyped, isSuggested: suggested !== undefined })
      : null;
  const tracker = trackerName(issue.tracker_id).inSentence;
  return (
    <ConfirmForm
      wide="form"
      onConfirm={() => {
        if (update !== null && confirmable !== null)
          improving.write({ issueId: issue.id, update: { ...update, base_hashes: confirmable } });
      }}
      form={
        <div className={dialog.fields}>
          <p className={classes.lead} ref={lead} tabIndex={-1} data-autofocus={!isBegun || undefined}>
            Lines that are new have a plus sign. Edit whatever you like; it is written when you apply it.
          </p>
          <SuggestionNote suggestion={suggestion} typed={isTyped} onReset={() => onType({})} />
          {isBegun ? (
            <>
              <SegmentedControl
                className={classes.views ?? ''}
                aria-label="How the texts are shown"
                data={VIEWS}
                value={view}
                onChange={setView}
              />
              {view === 'Edit' ? (
                <TextFields
                  startFrom={lead}
                  texts={texts}
                  known={known}
                  disabled={improving.pending}
                  onType={(field, text) => onType(withTyped(typed, begun, field, text))}
                />
              ) : (
                <PreviewPane
                  preview={preview}
                  state={state}
                  missing={missing}
                  refusedTitle="This cannot be written"
                >
                  {({ steps }) => (
                    <div className={classes.diff}>
                      {steps.map(({ action, before, after }) => (
                        <EditedTexts key={action} before={before} after={after} />
                      ))}
                    </div>
                  )}
                </PreviewPane>
              )}
            </>
          ) : null}
        </div>
      }
      writes={
        <div className={classes.side}>
          <Refusal
            error={improving.error}
            moved={<MovedNote seen={seen} issue={issue} onSuggestAnew={() => void refetch()} />}
          />
          <ScoreMove metric={prompt.name} trial={trial} />
          {suggested === undefined || suggested.changes.length === 0 ? null : (
            <section className={classes.part} aria-labelledby={changesId}>
              <h3 className={classes.heading} id={changesId}>
                What was suggested
              </h3>
              <ul className={classes.changes}>
                {suggested.changes.map((change) => (
                  <li key={change} dir="auto">
                    {change}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section className={classes.part} aria-label="What will be written">
            <PreviewPane
              preview={preview}
              state={state}
              missing={missing}
              refusedTitle="This cannot be written"
            >
              {(shown) => (
                <Writes
                  preview={shown}
                  tracker={tracker}
                  onShowDiff={() => setView('Diff')}
                  inDiff={view === 'Diff'}
                />
              )}
            </PreviewPane>
          </section>
        </div>
      }
      footer={
        <div className={dialog.footer}>
          <Button onClick={onCancel} disabled={improving.pending}>
            Cancel
          </Button>
          <span className={dialog.state} role="status">
            {state.outdated && update !== null
              ? 'Working out what would be written'
              : hasMoved(improving.error)
                ? null
                : 'Nothing is written yet'}
          </span>
          <ConfirmButton
            label="Apply"
            ready={update !== null && confirmable !== null}
            pending={improving.pending}
          />
        </div>
      }
    />
  );
}
