import { SegmentedControl } from '@mantine/core';
import type { CompliancePrompt, ComplianceSuggestion } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { EditedTexts } from '../../../features/decisions/edited-texts.tsx';
import { openQuestions } from '../../../features/issues/text-fields/open-questions.ts';
import { SuggestionNote } from '../../../features/issues/text-fields/suggestion-note.tsx';
import { withTyped } from '../../../features/issues/text-fields/text-edits.ts';
import { TextFields, TITLE_NEEDED } from '../../../features/issues/text-fields/text-fields.tsx';
import { useTrackerNames } from '../../../features/trackers/use-tracker-names.ts';
import { ConfirmForm, PreviewPane, previewState } from '../../../features/write-dialog/confirm-form.tsx';
import { Refusal } from '../../../features/write-dialog/refusal.tsx';
import { useEditedPreview } from '../../../features/write-dialog/use-edited-preview.ts';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import { useImprovement, useTrial } from '../queries.ts';
import { ApplyFooter, type OpenQuestions } from './apply-footer.tsx';
import { ChangesField } from './changes-field.tsx';
import classes from './improve.module.css';
import { insertText } from './insert-text.ts';
import { MovedNote } from './moved-note.tsx';
import type { Insertion } from './questions.ts';
import { ScoreMove } from './score-move.tsx';
import { type Improved, initialTexts, knownLines, questionsIn, updateOf } from './update.ts';
import type { Improving } from './use-improve.ts';
import { Writes } from './writes.tsx';

const NOTHING_DIFFERS = 'Change the title or the description.';
const NOTHING_SUGGESTED =
  'No suggestions for this issue. Insert the open questions, or edit the title and description yourself.';
const VIEWS = ['Edit', 'Diff'];

/** Explains why there is nothing to write. */
function missingText(state: { isUntitled: boolean; isTyped: boolean; isSuggested: boolean }): string {
  if (state.isUntitled) return TITLE_NEEDED;
  return state.isTyped || !state.isSuggested ? NOTHING_DIFFERS : NOTHING_SUGGESTED;
}

/** States who suggested the texts, and why the suggestion may be limited. */
function noteOf(suggested: ComplianceSuggestion | undefined) {
  if (suggested === undefined) return undefined;
  const { ai_model_name, notice } = suggested;
  return notice === null ? { ai_model_name } : { ai_model_name, explanation: notice };
}

export type ImproveStepProps = {
  issue: Issue;
  /** The issue as it was when the dialog opened. */
  opened: Issue;
  prompt: CompliancePrompt;
  typed: Partial<Improved>;
  onType: (typed: Partial<Improved>) => void;
  improving: Improving;
  onCancel: () => void;
};

/**
 * Editor for the title and description of an issue. The expected score and a preview of the writes
 * are displayed beside it.
 */
export function ImproveStep(props: ImproveStepProps) {
  const { issue, opened, prompt, typed, onType, improving, onCancel } = props;
  const lead = useInitialFocus<HTMLParagraphElement>();
  const field = useRef<HTMLTextAreaElement>(null);
  const [view, setView] = useState('Edit');
  const [inserted, setInserted] = useState(false);
  const [questions, setQuestions] = useState<OpenQuestions>('not_asked');
  const trackerName = useTrackerNames();
  const suggestion = useImprovement(prompt.id, issue.id);
  const { data: suggested, errorUpdateCount, refetch } = suggestion;
  // If loading the suggestion failed, show the text fields without it. They stay visible while the
  // suggestion is requested again.
  const isReady = suggested !== undefined || errorUpdateCount > 0;
  const initial = useMemo(() => initialTexts(suggested, issue), [suggested, issue]);
  const known = useMemo(() => knownLines(suggested, initial), [suggested, initial]);
  const improved = { ...initial, ...typed };
  const { changes, ...texts } = improved;
  const isTyped = Object.keys(typed).length > 0;
  const isUntitled = texts.title.trim() === '';
  const update = isReady && !isUntitled ? updateOf(issue, improved) : null;
  const preview = useEditedPreview(
    update && { kind: 'compliance', payload: { ...update, issue_id: issue.id } },
    isTyped,
  );
  const trial = useTrial(prompt.id, issue.id, isReady ? texts : null, isTyped);
  const state = previewState(preview, update !== null, improving.pending);
  const { confirmable } = state;
  const missing =
    isReady && update === null
      ? missingText({ isUntitled, isTyped, isSuggested: suggested !== undefined })
      : null;
  const tracker = trackerName(issue.tracker_id).inSentence;
  const type = (field: keyof Improved, text: string) => onType(withTyped(typed, initial, field, text));
  const insert = (insertion: Insertion) => {
    // Switch to the Edit view first, since the text field exists only there.
    flushSync(() => setView('Edit'));
    if (field.current !== null) insertText(field.current, insertion);
    setInserted(true);
  };
  const write = () => {
    if (update !== null && confirmable !== null)
      improving.write({ issueId: issue.id, update: { ...update, base_hashes: confirmable } });
  };
  const confirm = () => {
    if (update === null || confirmable === null) return;
    if (questions === 'accepted' || questionsIn(update) === 0) write();
    else setQuestions('asking');
  };
  return (
    <ConfirmForm
      wide="form"
      onConfirm={confirm}
      form={
        <div className={dialog.fields}>
          <p className={classes.lead} ref={lead} tabIndex={-1} data-autofocus={!isReady || undefined}>
            New lines are marked +, questions for you to answer are marked ?. You can edit the text before you
            apply it.
          </p>
          <SuggestionNote
            suggestion={{ ...suggestion, data: noteOf(suggested) }}
            typed={isTyped}
            onReset={() => onType({})}
          />
          {isReady ? (
            <>
              <SegmentedControl
                className={classes.views ?? ''}
                aria-label="View of the texts"
                data={VIEWS}
                value={view}
                onChange={setView}
              />
              {view === 'Edit' ? (
                <TextFields
                  startFrom={lead}
                  descriptionField={field}
                  texts={texts}
                  known={known}
                  disabled={improving.pending}
                  onType={type}
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
            moved={<MovedNote opened={opened} issue={issue} onSuggestAnew={() => void refetch()} />}
          />
          <ScoreMove
            prompt={prompt}
            issue={issue}
            trial={trial}
            questions={openQuestions(texts.description)}
            description={texts.description}
            disabled={!isReady || improving.pending}
            onInsert={insert}
          />
          <p className="vh" role="status">
            {inserted ? 'Inserted into the description. Undo removes it.' : ''}
          </p>
          {isReady ? (
            <ChangesField
              value={changes}
              disabled={improving.pending}
              onType={(text) => type('changes', text)}
            />
          ) : null}
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
                  onToggleDiff={() => setView(view === 'Edit' ? 'Diff' : 'Edit')}
                  inDiff={view === 'Diff'}
                />
              )}
            </PreviewPane>
          </section>
        </div>
      }
      footer={
        <ApplyFooter
          update={update}
          state={state}
          improving={improving}
          questions={questions}
          onQuestions={setQuestions}
          onWrite={write}
          onCancel={onCancel}
        />
      }
    />
  );
}
