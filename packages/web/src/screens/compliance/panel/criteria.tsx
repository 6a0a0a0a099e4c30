import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { CriterionResult } from '@winnow/contract/compliance';
import { useId } from 'react';
import { isFullyMet, scoreText, scoreTone } from '../../../features/compliance/score.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import classes from './criteria.module.css';

type CriterionProps = {
  criterion: CriterionResult;
  /**
   * Number of the criterion, starting at 1. Its evidence in the text is marked with the same
   * number.
   */
  number: number;
  opened: boolean;
  onToggle: () => void;
  /**
   * Called with true when the pointer or the focus enters the criterion, and with false when it
   * leaves.
   */
  onLook: (looking: boolean) => void;
};

function Details({ criterion }: { criterion: CriterionResult }) {
  const { note, fix, evidence, score } = criterion;
  const quotes = evidence.map(({ quote, field, start }) => ({ quote, field, at: `${field} ${start}` }));
  return (
    <>
      <p dir="auto">{note}</p>
      {fix === null ? null : (
        <p className={classes.fix} dir="auto">
          <b>{isFullyMet(score) ? 'To improve:' : 'To do:'}</b> {fix}
        </p>
      )}
      {quotes.map(({ quote, field, at }) => (
        <blockquote className={classes.quote} key={at} dir="auto">
          {quote}
          {field === 'title' ? <cite>in the title</cite> : null}
        </blockquote>
      ))}
      {quotes.length === 0 ? <p className={classes.none}>Not based on any wording in the issue.</p> : null}
    </>
  );
}

function Criterion({ criterion, number, opened, onToggle, onLook }: CriterionProps) {
  const detailsId = useId();
  const { name, weight, score, note, fix } = criterion;
  const Chevron = opened ? IconChevronUp : IconChevronDown;
  return (
    <li
      className={classes.criterion}
      onMouseEnter={() => onLook(true)}
      onMouseLeave={() => onLook(false)}
      data-opened={opened || undefined}
    >
      <button
        type="button"
        className={classes.head}
        aria-expanded={opened}
        aria-controls={detailsId}
        onClick={onToggle}
        onFocus={() => onLook(true)}
        onBlur={() => onLook(false)}
      >
        <span className={classes.place} aria-hidden="true">
          {number}
        </span>
        <span className={classes.name}>
          {name} <small>weight {scoreText(weight)}</small>
        </span>
        {score === null ? (
          <span className={classes.unjudged}>Not judged</span>
        ) : (
          <>
            <span className={classes.share}>{scoreText(score)}</span>
            <Meter value={score} tone={scoreTone(score)} thin />
          </>
        )}
        {opened ? null : (
          <span className={classes.gist} dir="auto">
            {isFullyMet(score) ? note : (fix ?? note)}
          </span>
        )}
        <Chevron className={classes.chevron} size={14} stroke={1.75} aria-hidden />
      </button>
      <div className={classes.details} id={detailsId} hidden={!opened}>
        {opened ? <Details criterion={criterion} /> : null}
      </div>
    </li>
  );
}

export type CriteriaProps = {
  criteria: readonly CriterionResult[];
  /** Id of the expanded criterion; null if all are collapsed. */
  openId: string | null;
  onOpen: (criterionId: string | null) => void;
  /**
   * Called with the id of the criterion that the pointer or the focus enters. Called with null when
   * it leaves.
   */
  onLook: (criterionId: string | null) => void;
};

/** Lists the criteria of a score, each with its weight, score, reason, suggestion and evidence. */
export function Criteria({ criteria, openId, onOpen, onLook }: CriteriaProps) {
  const numbered = criteria.map((criterion, index) => ({ criterion, number: index + 1 }));
  return (
    <ol className={classes.list} aria-label="Criteria">
      {numbered.map(({ criterion, number }) => (
        <Criterion
          key={criterion.id}
          criterion={criterion}
          number={number}
          opened={criterion.id === openId}
          onToggle={() => onOpen(criterion.id === openId ? null : criterion.id)}
          onLook={(looking) => onLook(looking ? criterion.id : null)}
        />
      ))}
    </ol>
  );
}
