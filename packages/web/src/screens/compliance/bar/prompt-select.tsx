import { Select } from '@mantine/core';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import classes from './bar.module.css';

/** Value of the option that opens the prompts dialog. */
const MANAGE_PROMPTS = 'manage';

function choicesOf(prompts: readonly CompliancePrompt[]) {
  const named = (builtin: boolean) =>
    prompts
      .filter((prompt) => prompt.builtin === builtin)
      .map(({ id, name }) => ({ value: `prompt ${id}`, label: name }));
  const custom = named(false);
  return [
    { group: 'Built-in', items: named(true) },
    ...(custom.length === 0 ? [] : [{ group: 'Your own', items: custom }]),
    { group: ' ', items: [{ value: MANAGE_PROMPTS, label: 'Manage prompts…' }] },
  ];
}

export type PromptSelectProps = {
  prompts: readonly CompliancePrompt[] | undefined;
  /** The selected prompt; undefined while prompts are loading. */
  chosen: CompliancePrompt | undefined;
  onChoose: (promptId: string) => void;
  onManage: () => void;
};

/**
 * Field that selects the prompt for scoring issues. The last option opens the dialog of custom
 * prompts.
 */
export function PromptSelect({ prompts, chosen, onChoose, onManage }: PromptSelectProps) {
  return (
    <Select
      className={classes.prompt ?? ''}
      aria-label="Compliance type"
      placeholder="Compliance type"
      data={prompts === undefined ? [] : choicesOf(prompts)}
      disabled={prompts === undefined}
      value={chosen === undefined ? null : `prompt ${chosen.id}`}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      maxDropdownHeight={360}
      onChange={(value) => {
        if (value === MANAGE_PROMPTS) onManage();
        else if (value !== null) onChoose(value.replace(/^prompt /, ''));
      }}
    />
  );
}
