import { Radio } from '@mantine/core';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import type { Suggestion } from '@winnow/contract/suggestion';
import { useMemo } from 'react';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { type KnownLines, ownLines, swapped } from '../../../features/issues/text-fields/source-runs.ts';
import { SuggestionNote } from '../../../features/issues/text-fields/suggestion-note.tsx';
import { type IssueTexts, plainLines, withTyped } from '../../../features/issues/text-fields/text-edits.ts';
import { TextFields, TITLE_NEEDED } from '../../../features/issues/text-fields/text-fields.tsx';
import { useEditedPreview } from '../../../features/write-dialog/use-edited-preview.ts';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import { type Drafts, mergePayload, otherSide, type Side } from '../text-drafts.ts';
import { ConfirmStep } from './confirm-step.tsx';
import classes from './resolve-dialog.module.css';
import { Originals } from './texts/originals.tsx';
import { useSuggestion } from './texts/queries.ts';
import type { Resolving } from './use-resolve.ts';

const SIDES: readonly Side[] = ['issue1', 'issue2'];

export type EditStepProps = {
  pair: Pair;
  /** The pair with the texts of both issues; undefined while loading. */
  detail: PairDetail | undefined;
  drafts: Drafts;
  onDrafts: (drafts: Drafts) => void;
  resolving: Resolving;
  onBack: () => void;
};

/**
 * Returns the initial texts of the merged issue. These are the suggested texts, or those of the
 * target if there is no suggestion.
 */
function initialTexts(
  suggestion: Suggestion | undefined,
  failed: boolean,
  target: PairDetail['issue1'] | undefined,
): IssueTexts | null {
  if (target === undefined || (suggestion === undefined && !failed)) return null;
  return {
    title: suggestion?.merged_title ?? target.title,
    description: plainLines(suggestion?.merged_description ?? target.description),
  };
}

/**
 * Dialog step for merging two issues. It has fields for the direction, title and description. The
 * resulting writes are displayed beside the fields.
 */
export function MergeStep({ pair, detail, drafts, onDrafts, resolving, onBack }: EditStepProps) {
  const { target, merged, comments } = drafts;
  const source = otherSide(target);
  const first = useInitialFocus<HTMLButtonElement>();
  const request = { issue1_id: pair[target].id, issue2_id: pair[source].id, resolution: 'merged' } as const;
  const suggestion = useSuggestion(request, detail);
  const suggested = suggestion.data;
  const begun = initialTexts(suggested, suggestion.error !== null, detail?.[target]);
  const own = detail?.[target].description ?? '';
  const known = useMemo((): KnownLines => {
    if (suggested === undefined) return ownLines(own, own, target);
    const { merged_description, merged_sources } = suggested;
    const sources = target === 'issue1' ? merged_sources : swapped(merged_sources);
    return { text: merged_description ?? '', sources };
  }, [suggested, own, target]);
  const texts = begun && { ...begun, ...merged };
  const payload =
    detail === undefined || texts === null || texts.title.trim() === ''
      ? null
      : mergePayload(detail, target, texts, comments);
  const typed = Object.keys(merged).length > 0;
  return (
    <ConfirmStep
      pair={pair}
      detail={detail}
      payload={payload}
      missing={texts !== null && texts.title.trim() === '' ? TITLE_NEEDED : null}
      preview={useEditedPreview(
        payload && { kind: 'resolution', payload },
        typed || Object.keys(comments).length > 0,
      )}
      comments={comments}
      onComments={(edited) => onDrafts({ ...drafts, comments: edited })}
      writtenTo={pair[target].tracker_id}
      refusedTitle="These cannot be merged"
      confirmLabel="Resolve by Merging"
      resolving={resolving}
      onBack={onBack}
    >
      <div className={dialog.fields}>
        <Originals pair={pair} detail={detail} />
        <Radio.Group
          label="Direction"
          value={target}
          onChange={(value) => {
            // Discard edited comments, because they refer to the issue that was to be closed
            // before.
            onDrafts({ ...drafts, comments: {}, target: value === 'issue2' ? 'issue2' : 'issue1' });
          }}
        >
          <div className={classes.directions}>
            {SIDES.map((side) => (
              <Radio.Card
                className={classes.card ?? ''}
                value={side}
                key={side}
                data-autofocus={side === target || undefined}
                ref={side === target ? first : undefined}
              >
                <Radio.Indicator className={classes.indicator ?? ''} />
                <span className={classes.cardBody}>
                  <span className={classes.direction}>
                    Merge into {keyBeside(pair[side], pair[otherSide(side)])}
                  </span>
                  <span className={classes.cardText}>
                    Closes {keyBeside(pair[otherSide(side)], pair[side])}.
                  </span>
                </span>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        <SuggestionNote
          suggestion={suggestion}
          typed={typed}
          onReset={() => onDrafts({ ...drafts, merged: {} })}
        />
        {begun === null || texts === null ? null : (
          <TextFields
            texts={texts}
            known={known}
            disabled={resolving.pending}
            onType={(field, text) => onDrafts({ ...drafts, merged: withTyped(merged, begun, field, text) })}
          />
        )}
      </div>
    </ConfirmStep>
  );
}
