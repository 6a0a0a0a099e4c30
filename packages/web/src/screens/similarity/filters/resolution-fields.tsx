import { Checkbox, Radio } from '@mantine/core';
import { LIKELIHOOD, type ResolutionFilter, resolutionFilter } from '@winnow/contract/duplicate';
import classes from '../../../features/issues/filters/filters-dialog.module.css';
import type { SearchFilters } from '../../../features/pairs/pair-search.ts';
import { markText, thresholdText } from '../../../features/pairs/pair-texts.ts';
import { useMark } from '../../../features/pairs/queries.ts';
import { RESOLUTION_LABELS } from './filter-bar.tsx';
import { MarkField } from './mark-field.tsx';

type ResolutionValues = Pick<SearchFilters, 'resolution' | 'probability' | 'dismissed'>;

/**
 * Minimum probabilities that the user can select, besides the account's threshold for the queue.
 */
const MINIMUM_PROBABILITIES = [0, LIKELIHOOD.reworded, LIKELIHOOD.sure] as const;
/** Value of the option that selects the account's threshold for the queue. */
const QUEUE_MARK = 'mark';

const RESOLUTIONS: readonly ResolutionFilter[] = ['all', 'resolved', 'unresolved'];

export type ResolutionFieldsProps = {
  draft: ResolutionValues;
  onChange: (part: Partial<ResolutionValues>) => void;
};

/** Filters that exist only for pairs: resolution, minimum probability, and dismissed pairs. */
export function ResolutionFields({ draft, onChange }: ResolutionFieldsProps) {
  const mark = useMark();
  return (
    <>
      <Radio.Group
        label="Resolution Status"
        value={draft.resolution}
        onChange={(value) => onChange({ resolution: resolutionFilter.parse(value) })}
      >
        <div className={classes.radios}>
          {RESOLUTIONS.map((value) => (
            <Radio key={value} value={value} label={RESOLUTION_LABELS[value]} />
          ))}
        </div>
      </Radio.Group>
      <Radio.Group
        label="Probability"
        value={draft.probability === null ? QUEUE_MARK : String(draft.probability)}
        onChange={(value) => onChange({ probability: value === QUEUE_MARK ? null : Number(value) })}
      >
        <div className={classes.radios}>
          <Radio value={QUEUE_MARK} label={`Same as the queue (${thresholdText(mark)})`} />
          {MINIMUM_PROBABILITIES.map((value) => (
            <Radio key={value} value={String(value)} label={markText(value)} />
          ))}
        </div>
      </Radio.Group>
      <MarkField />
      <Checkbox
        label="Show dismissed pairs only"
        checked={draft.dismissed}
        onChange={(event) => onChange({ dismissed: event.currentTarget.checked })}
      />
    </>
  );
}
