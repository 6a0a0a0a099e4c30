import { Button } from '@mantine/core';
import type { ComplianceUpdate } from '@winnow/contract/compliance';
import { useRef } from 'react';
import { ConfirmButton, type PreviewState } from '../../../features/write-dialog/confirm-form.tsx';
import { hasIssueChanged } from '../../../features/write-dialog/refusal.tsx';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { ConfirmOpenQuestions } from './confirm-open-questions.tsx';
import { questionsIn } from './update.ts';
import type { Improving } from './use-improve.ts';

/** State of the confirmation to write a text with unanswered questions. */
export type OpenQuestions = 'not_asked' | 'asking' | 'accepted';

function stateText({ update, state, improving }: ApplyFooterProps): string | null {
  if (state.outdated && update !== null) return 'Preparing the preview…';
  return improving.pending || hasIssueChanged(improving.error) ? null : 'Nothing is written yet';
}

export type ApplyFooterProps = {
  /** The update to write; null if no text differs. */
  update: ComplianceUpdate | null;
  state: PreviewState;
  improving: Improving;
  questions: OpenQuestions;
  onQuestions: (questions: OpenQuestions) => void;
  onWrite: () => void;
  onCancel: () => void;
};

/**
 * Footer of the dialog, with Cancel and Apply. If the text contains unanswered questions, Apply
 * asks for confirmation.
 */
export function ApplyFooter(props: ApplyFooterProps) {
  const { update, state, improving, questions, onQuestions, onWrite, onCancel } = props;
  const apply = useRef<HTMLButtonElement>(null);
  const open = update === null ? 0 : questionsIn(update);
  return (
    <>
      <div className={dialog.footer}>
        <Button onClick={onCancel} disabled={improving.pending}>
          Cancel
        </Button>
        <span className={dialog.state} role="status">
          {stateText(props)}
        </span>
        <ConfirmButton
          ref={apply}
          label="Apply"
          ready={update !== null && state.confirmable !== null}
          pending={improving.pending}
        />
      </div>
      {questions === 'asking' && open > 0 ? (
        <ConfirmOpenQuestions
          questions={open}
          onBack={() => {
            onQuestions('not_asked');
            apply.current?.focus();
          }}
          onApply={() => {
            onQuestions('accepted');
            onWrite();
          }}
        />
      ) : null}
    </>
  );
}
