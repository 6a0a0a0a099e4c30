import { NumberInput, Radio } from '@mantine/core';
import { FLOW_LIMITS } from '@winnow/contract/flow';
import { useState } from 'react';
import { ConfirmFirst, useMustConfirmEmail } from '../../../features/account/confirm-first.tsx';
import { Card } from '../../../ui/card.tsx';
import classes from './form.module.css';
import type { FlowForm } from './use-flow-form.ts';

const { iterations, budget, tokens, duration } = FLOW_LIMITS;
/** Maximum number of decimals of a budget. A budget can be less than a cent. */
const BUDGET_DIGITS = 4;

/**
 * Field for the budget. Formats the amount with at least two decimals, except while the user types.
 */
function BudgetInput({ form }: { form: FlowForm }) {
  const [isTyped, setTyped] = useState(false);
  const { onFocus, onBlur, ...input } = form.getInputProps('max_budget');
  const [, decimals = ''] = String(form.values.max_budget).split('.');
  return (
    <NumberInput
      label="Max Budget"
      description="Maximum cost per run, in US dollars. With 0, no model is used."
      placeholder={`Default: $${budget.usual.toFixed(2)}`}
      prefix="$"
      min={0}
      max={budget.most}
      step={0.25}
      clampBehavior="none"
      decimalScale={isTyped ? BUDGET_DIGITS : Math.min(Math.max(2, decimals.length), BUDGET_DIGITS)}
      fixedDecimalScale={!isTyped}
      {...input}
      onFocus={() => {
        setTyped(true);
        onFocus();
      }}
      onBlur={() => {
        setTyped(false);
        onBlur();
      }}
    />
  );
}

/** Form fields for the limits of an execution, and for whether writes need approval. */
export function SettingsCard({ form }: { form: FlowForm }) {
  const mustConfirm = useMustConfirmEmail();
  return (
    <Card title="Settings" inset>
      <div className={classes.fields}>
        <div className={classes.places}>
          <NumberInput
            label="Max Iterations"
            description={`Maximum model turns (up to ${iterations.most}).`}
            placeholder={`Default: ${iterations.usual}`}
            min={1}
            max={iterations.most}
            clampBehavior="none"
            allowDecimal={false}
            {...form.getInputProps('max_iterations')}
          />
          <BudgetInput form={form} />
          <NumberInput
            label="Max Tokens"
            description="Maximum input and output tokens per run."
            placeholder={`${tokens.usual.toLocaleString('en')} without a price, otherwise unlimited`}
            min={0}
            max={tokens.most}
            step={10_000}
            clampBehavior="none"
            allowDecimal={false}
            thousandSeparator=","
            {...form.getInputProps('max_tokens')}
          />
        </div>
        <p className={classes.note}>
          A run stops at whichever limit it reaches first, after {duration} minutes, or when it repeats a call{' '}
          {FLOW_LIMITS.repetitions} times. For models without a known price, the token limit replaces the
          budget. You can enter prices under Settings, Models.
        </p>
        <Radio.Group label="Write mode" {...form.getInputProps('write_mode')}>
          <div className={classes.actions}>
            <Radio
              value="propose"
              label="Propose"
              description="Every write waits under Changes for approval."
            />
            <Radio
              value="apply"
              label="Apply"
              disabled={mustConfirm && form.values.write_mode !== 'apply'}
              description="Writes to the project of the event take effect immediately and can be undone under Changes. Other writes are proposed."
            />
          </div>
        </Radio.Group>
        <ConfirmFirst what="let a flow write" />
      </div>
    </Card>
  );
}
