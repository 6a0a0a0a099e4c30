import { Checkbox, Radio } from '@mantine/core';
import { type ResolutionFilter, resolutionFilter } from '@winnow/contract/duplicate';
import classes from '../../issues/filters/filters-dialog.module.css';
import type { SearchFilters } from '../search-params.ts';
import { RESOLUTION_LABELS } from './filter-bar.tsx';

export type ResolutionValues = Pick<SearchFilters, 'resolution' | 'dismissed'>;

const RESOLUTIONS: readonly ResolutionFilter[] = ['all', 'resolved', 'unresolved'];

export type ResolutionFieldsProps = {
  draft: ResolutionValues;
  onChange: (part: Partial<ResolutionValues>) => void;
};

/** What only pairs can be filtered by: whether they are resolved, or dismissed. */
export function ResolutionFields({ draft, onChange }: ResolutionFieldsProps) {
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
      <Checkbox
        label="Show the dismissed pairs instead"
        checked={draft.dismissed}
        onChange={(event) => onChange({ dismissed: event.currentTarget.checked })}
      />
    </>
  );
}
