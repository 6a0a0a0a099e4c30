import type { PairDetail } from '@winnow/contract/duplicate';
import type { Suggestion } from '@winnow/contract/suggestion';
import { useMemo } from 'react';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { type KnownLines, ownLines } from '../../../features/issues/text-fields/source-runs.ts';
import { SuggestionNote } from '../../../features/issues/text-fields/suggestion-note.tsx';
import { type IssueTexts, plainLines, withTyped } from '../../../features/issues/text-fields/text-edits.ts';
import { TextFields, TITLE_NEEDED } from '../../../features/issues/text-fields/text-fields.tsx';
import { pairKeyOf } from '../../../features/pairs/pair-key.ts';
import { useEditedPreview } from '../../../features/write-dialog/use-edited-preview.ts';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import { deconflictPayload, otherSide, type Side } from '../text-drafts.ts';
import { ConfirmStep } from './confirm-step.tsx';
import type { EditStepProps } from './merge-step.tsx';
import classes from './resolve-dialog.module.css';
import { Originals } from './texts/originals.tsx';
import { useSuggestion } from './texts/queries.ts';

const NOTHING_DIFFERS = 'Change at least one of the texts.';

/**
 * Returns the initial texts of both issues. These are the suggested texts, or the current texts if
 * there is no suggestion.
 */
function initialTexts(
  suggestion: Suggestion | undefined,
  failed: boolean,
  pair: PairDetail | undefined,
): Record<Side, IssueTexts> | null {
  if (pair === undefined || (suggestion === undefined && !failed)) return null;
  const { issue1, issue2 } = pair;
  return {
    issue1: {
      title: suggestion?.deconflicted_title1 ?? issue1.title,
      description: plainLines(suggestion?.deconflicted_description1 ?? issue1.description),
    },
    issue2: {
      title: suggestion?.deconflicted_title2 ?? issue2.title,
      description: plainLines(suggestion?.deconflicted_description2 ?? issue2.description),
    },
  };
}

function knownLines(
  begun: Record<Side, IssueTexts> | null,
  pair: PairDetail | undefined,
): Record<Side, KnownLines> {
  const of = (side: Side) => ownLines(begun?.[side].description ?? '', pair?.[side].description ?? '', side);
  return { issue1: of('issue1'), issue2: of('issue2') };
}

/**
 * Dialog step for editing the texts of both issues to set them apart. Both issues stay open. The
 * resulting writes are displayed beside the fields.
 */
export function DeconflictStep({ pair, detail, drafts, onDrafts, resolving, onBack }: EditStepProps) {
  const lead = useInitialFocus<HTMLParagraphElement>();
  const suggestion = useSuggestion({ ...pairKeyOf(pair), resolution: 'deconflicted' }, detail);
  const { data, error } = suggestion;
  const failed = error !== null;
  const begun = useMemo(() => initialTexts(data, failed, detail), [data, failed, detail]);
  const known = useMemo(() => knownLines(begun, detail), [begun, detail]);
  const texts = begun && {
    issue1: { ...begun.issue1, ...drafts.issue1 },
    issue2: { ...begun.issue2, ...drafts.issue2 },
  };
  const isUntitled = texts !== null && (texts.issue1.title.trim() === '' || texts.issue2.title.trim() === '');
  const payload =
    detail === undefined || texts === null || isUntitled ? null : deconflictPayload(detail, texts);
  const typed = Object.keys({ ...drafts.issue1, ...drafts.issue2 }).length > 0;
  const missing = isUntitled ? TITLE_NEEDED : texts !== null && payload === null ? NOTHING_DIFFERS : null;
  return (
    <ConfirmStep
      pair={pair}
      detail={detail}
      payload={payload}
      missing={missing}
      preview={useEditedPreview(payload && { kind: 'resolution', payload }, typed)}
      writtenTo={pair.issue1.tracker_id}
      refusedTitle="These cannot be deconflicted"
      confirmLabel="Resolve by Deconflicting"
      resolving={resolving}
      onBack={onBack}
    >
      <div className={dialog.fields}>
        <p className={classes.lead} ref={lead} tabIndex={-1} data-autofocus={begun === null || undefined}>
          Both issues stay open. Add to each what sets it apart.
        </p>
        <Originals pair={pair} detail={detail} />
        <SuggestionNote
          suggestion={suggestion}
          typed={typed}
          onReset={() => onDrafts({ ...drafts, issue1: {}, issue2: {} })}
        />
        {begun === null || texts === null
          ? null
          : (['issue1', 'issue2'] as const).map((side) => (
              <TextFields
                key={side}
                startFrom={side === 'issue1' ? lead : undefined}
                of={` of ${keyBeside(pair[side], pair[otherSide(side)])}`}
                texts={texts[side]}
                known={known[side]}
                disabled={resolving.pending}
                onType={(field, text) =>
                  onDrafts({ ...drafts, [side]: withTyped(drafts[side], begun[side], field, text) })
                }
              />
            ))}
      </div>
    </ConfirmStep>
  );
}
