import { UnstyledButton } from '@mantine/core';
import { type Icon, IconArrowMerge, IconArrowsDiff, IconArrowsSplit2, IconCopyX } from '@tabler/icons-react';
import type { Pair } from '@winnow/contract/duplicate';
import type { Ref } from 'react';
import { pairKeyOf } from '../../../features/pairs/pair-key.ts';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { ProposalNote } from '../proposal-note.tsx';
import { suggestedClose } from '../suggestion.ts';
import { canMerge } from '../text-drafts.ts';
import { IssueBrief } from './issue-brief.tsx';
import classes from './resolve-dialog.module.css';
import type { ResolveStep } from './resolve-dialog.tsx';
import type { Resolving } from './use-resolve.ts';

type OptionProps = {
  icon: Icon;
  title: string;
  text: string;
  disabled: boolean;
  onClick: () => void;
  ref?: Ref<HTMLButtonElement>;
  /** Marks the element that is focused when the dialog opens. */
  'data-autofocus'?: boolean;
};

function Option({ icon: Glyph, title, text, ...button }: OptionProps) {
  return (
    <UnstyledButton className={classes.option ?? ''} {...button}>
      <Glyph size={20} stroke={1.75} aria-hidden />
      <span className={classes.optionTitle}>{title}</span>
      <span className={classes.optionText}>{text}</span>
    </UnstyledButton>
  );
}

export type ChooseStepProps = { pair: Pair; resolving: Resolving; onStep: (step: ResolveStep) => void };

/**
 * First step of the dialog: shows both issues, and lets the user select how to resolve the pair.
 */
export function ChooseStep({ pair, resolving, onStep }: ChooseStepProps) {
  const { resolve, pending, error } = resolving;
  const closable = suggestedClose(pair) !== null;
  const mergeable = canMerge(pair);
  const first = useInitialFocus<HTMLButtonElement>();
  return (
    <div className={classes.choose}>
      <div className={classes.both}>
        <IssueBrief issue={pair.issue1} />
        <IssueBrief issue={pair.issue2} />
      </div>
      <ProposalNote pair={pair} />
      {error === null ? null : <ErrorState error={error} title="Nothing was written" />}
      <div className={classes.options}>
        <Option
          ref={first}
          data-autofocus
          icon={IconCopyX}
          title="Close as Duplicate"
          text={
            closable
              ? 'One issue is closed, the other stays. In the next step, you choose which.'
              : 'Both issues are already closed.'
          }
          disabled={pending || !closable}
          onClick={() => onStep('close')}
        />
        <Option
          icon={IconArrowMerge}
          title="Merge Issues"
          text={
            mergeable
              ? 'Combine both into one. You edit the new title and description next.'
              : 'Only two open issues can be merged.'
          }
          disabled={pending || !mergeable}
          onClick={() => onStep('merge')}
        />
        <Option
          icon={IconArrowsDiff}
          title="Deconflict Issues"
          text="Make the two distinct. You edit both titles and descriptions next. Both stay open."
          disabled={pending}
          onClick={() => onStep('deconflict')}
        />
        <Option
          icon={IconArrowsSplit2}
          title="Mark as Unrelated"
          text="The issues are about different things. This takes effect immediately; nothing is written to the tracker."
          disabled={pending}
          onClick={() => resolve({ ...pairKeyOf(pair), resolution: 'unrelated' })}
        />
      </div>
    </div>
  );
}
