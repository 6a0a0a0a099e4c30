import { Button, Input, NativeSelect } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { day, type UsageRange } from '@winnow/contract/usage';
import { useId, useState } from 'react';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { sentenceOf } from '../../api/session/api-error.ts';
import { download } from '../../api/session/download.ts';
import { FormMessage } from '../../ui/fields/form-message.tsx';
import { showToast } from '../../ui/toasts/toast.tsx';
import classes from './api-usage.module.css';
import { type problemOf, RANGES, type RangeName, todayOf, type UsageSearch } from './search-params.ts';

const RANGE_OPTIONS = Object.entries(RANGES).map(([value, label]) => ({ value, label }));

async function saveCsv({ from, to }: UsageRange): Promise<void> {
  const name = `winnow-api-usage-${from}-${to}.csv`;
  try {
    await download({ path: '/auth/api-usage/export', query: { from, to }, name });
    showToast({ id: 'export-usage', kind: 'done', text: `Saved ${name}.` });
  } catch (error) {
    showToast({ id: 'export-usage', kind: 'failed', text: `The export stopped. ${sentenceOf(error)}` });
  }
}

type DayFieldProps = {
  label: string;
  /** Date in the URL; null if no date is set. */
  chosen: string | null;
  /** Latest day that can be chosen. */
  max: string;
  /** Id of the element that shows the error of this field; undefined without an error. */
  problemId: string | undefined;
  onDay: (chosen: string) => void;
};

/**
 * Date field for the start or end of the range. Writes each complete date to the URL. On blur,
 * restores the date of the URL if the input is incomplete.
 */
function DayField({ label, chosen, max, problemId, onDay }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      type="date"
      aria-label={label}
      // The error message is below the bar, so the input must reference it explicitly.
      withAria={false}
      aria-invalid={problemId !== undefined}
      aria-describedby={problemId}
      error={problemId !== undefined}
      value={typed ?? chosen ?? ''}
      max={max}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        if (day.safeParse(value).success) onDay(value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

export type RangeBarProps = {
  search: UsageSearch;
  problem: ReturnType<typeof problemOf>;
  /** Range of the CSV export; undefined while loading and if the range has no usage. */
  saved: UsageRange | undefined;
  onRange: (range: RangeName) => void;
  onDays: (days: Partial<UsageRange>) => void;
};

/** Bar that selects the date range and exports it as CSV. */
export function RangeBar({ search, problem, saved, onRange, onDays }: RangeBarProps) {
  const saving = useOneAtATime(useMutation({ mutationFn: saveCsv }));
  const problemId = useId();
  const today = todayOf(new Date());
  const field = (name: keyof UsageRange, label: string) => (
    <DayField
      label={label}
      chosen={search[name]}
      max={today}
      problemId={problem?.field === name ? problemId : undefined}
      onDay={(chosen) => onDays({ [name]: chosen })}
    />
  );
  return (
    <>
      <div className={classes.bar}>
        <NativeSelect
          aria-label="Range"
          data={RANGE_OPTIONS}
          value={search.range}
          onChange={({ currentTarget: { value } }) => onRange(value as RangeName)}
        />
        {search.range === 'custom' ? (
          <>
            {field('from', 'Start date')}
            {field('to', 'End date')}
          </>
        ) : null}
        <span className={classes.grow} />
        <Button
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          disabled={saved === undefined}
          loading={saving.isPending}
          onClick={() => saved !== undefined && saving.mutate(saved)}
        >
          Export CSV
        </Button>
      </div>
      {problem === null ? null : (
        <div id={problemId}>
          <FormMessage tone="danger">{problem.sentence}</FormMessage>
        </div>
      )}
    </>
  );
}
