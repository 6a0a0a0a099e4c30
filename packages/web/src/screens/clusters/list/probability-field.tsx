import { NativeSelect } from '@mantine/core';
import { CLUSTER_PROBABILITY } from '@winnow/contract/cluster';
import { markText } from '../../../features/pairs/pair-texts.ts';

/** Minimum probabilities that the user can select. */
const MINIMUM_PROBABILITIES = [0, 0.2, CLUSTER_PROBABILITY, 0.5, 0.7, 0.9] as const;

export type ProbabilityFieldProps = {
  /** Selected minimum probability; null for the default. */
  probability: number | null;
  onChange: (probability: number | null) => void;
};

/** Field that selects the minimum probability of the listed clusters. */
export function ProbabilityField({ probability, onChange }: ProbabilityFieldProps) {
  const shown = probability ?? CLUSTER_PROBABILITY;
  const offered = [...new Set([...MINIMUM_PROBABILITIES, shown])].sort((a, b) => a - b);
  return (
    <NativeSelect
      label="Probability"
      value={String(shown)}
      data={offered.map((value) => ({
        value: String(value),
        label: value === CLUSTER_PROBABILITY ? `${markText(value)} (default)` : markText(value),
      }))}
      onChange={({ currentTarget }) => {
        const chosen = Number(currentTarget.value);
        onChange(chosen === CLUSTER_PROBABILITY ? null : chosen);
      }}
    />
  );
}
