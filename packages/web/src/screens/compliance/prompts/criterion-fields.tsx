import { ActionIcon, NumberInput, Select, Textarea, TextInput, Tooltip } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { CRITERION_CHECKS, criterionCheck } from '@winnow/contract/compliance';
import { checkForName } from './check-for-name.ts';
import { type PromptValues, shareText } from './prompt-values.ts';
import classes from './prompts.module.css';

/** Value of the option for criteria that only a language model can judge. */
const NO_CHECK = 'none';
const CHECKS = [
  { value: NO_CHECK, label: 'Only a language model can judge this' },
  ...criterionCheck.options.map((value) => ({ value, label: CRITERION_CHECKS[value].label })),
];

const NO_CHECK_DESCRIPTION =
  'Without a language model, it is not judged, and scores are based on the other criteria.';

export type CriterionFieldsProps = {
  form: UseFormReturnType<PromptValues>;
  index: number;
  /**
   * Called to remove the criterion. Undefined if it is the only criterion of the prompt, which
   * cannot be removed.
   */
  onRemove: (() => void) | undefined;
};

/**
 * Form fields of a criterion: name, weight, description, and the check that the built-in analyst
 * uses.
 */
export function CriterionFields({ form, index, onRemove }: CriterionFieldsProps) {
  const at = `criteria.${index}`;
  const number = index + 1;
  const share = shareText(form.values, index);
  const { check, name } = form.values.criteria[index] ?? { check: null, name: '' };
  const rename = (text: string) => {
    // Update the check only if it was derived from the previous name, not if the user selected it.
    if (check === checkForName(name)) form.setFieldValue(`${at}.check`, checkForName(text));
    form.setFieldValue(`${at}.name`, text);
  };
  return (
    <fieldset className={classes.criterion}>
      <legend className={classes.legend}>Criterion {number}</legend>
      <div className={classes.criterionHead}>
        <TextInput
          label="Name"
          maxLength={80}
          autoComplete="off"
          {...form.getInputProps(`${at}.name`)}
          onChange={(event) => rename(event.currentTarget.value)}
        />
        <NumberInput
          label={share === '' ? 'Weight' : `Weight (${share})`}
          min={0}
          max={1_000}
          decimalScale={6}
          hideControls
          {...form.getInputProps(`${at}.weight`)}
        />
        {onRemove === undefined ? null : (
          <Tooltip label="Remove">
            <ActionIcon
              className={classes.remove ?? ''}
              aria-label={`Remove criterion ${number}`}
              onClick={onRemove}
            >
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <Textarea
        label="What a full score requires"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1_000}
        {...form.getInputProps(`${at}.description`)}
      />
      <Select
        label="What the built-in analyst looks for"
        {...(check === null ? { description: NO_CHECK_DESCRIPTION } : {})}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={CHECKS}
        value={check ?? NO_CHECK}
        onChange={(value) => {
          const chosen = criterionCheck.safeParse(value);
          form.setFieldValue(`${at}.check`, chosen.success ? chosen.data : null);
        }}
      />
    </fieldset>
  );
}
