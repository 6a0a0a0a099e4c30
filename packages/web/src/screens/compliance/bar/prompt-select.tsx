import { Select } from '@mantine/core';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import classes from './bar.module.css';

/** The entry that opens the dialog of prompts. */
const MANAGE = 'manage';

function choicesOf(prompts: readonly CompliancePrompt[]) {
  const named = (builtin: boolean) =>
    prompts
      .filter((prompt) => prompt.builtin === builtin)
      .map(({ id, name }) => ({ value: `prompt ${id}`, label: name }));
  const own = named(false);
  return [
    { group: 'Built-in', items: named(true) },
    ...(own.length === 0 ? [] : [{ group: 'Your own', items: own }]),
    { group: ' ', items: [{ value: MANAGE, label: 'Manage prompts…' }] },
  ];
}

export type PromptSelectProps = {
  prompts: readonly CompliancePrompt[] | undefined;
  /** Undefined while it is not known. */
  chosen: CompliancePrompt | undefined;
  onChoose: (promptId: string) => void;
  onManage: () => void;
};

/** What the issues are judged by, and the way to prompts of one's own. */
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
        if (value === MANAGE) onManage();
        else if (value !== null) onChoose(value.replace(/^prompt /, ''));
      }}
    />
  );
}
