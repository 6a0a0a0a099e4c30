import { NumberInput, Radio } from '@mantine/core';
import { FLOW_LIMITS } from '@winnow/contract/flow';
import { useState } from 'react';
import { ConfirmFirst, useMustConfirmEmail } from '../../../features/account/confirm-first.tsx';
import { Card } from '../../../ui/card.tsx';
import classes from './form.module.css';
import type { FlowForm } from './use-flow-form.ts';

const { iterations, budget, tokens, duration } = FLOW_LIMITS;
/** A budget may be less than a cent. */
const BUDGET_DIGITS = 4;

/** Cents are always shown, as money is written; while it is being typed, nothing is added to it. */
function BudgetInput({ form }: { form: FlowForm }) {
  const [isTyped, setTyped] = useState(false);
  const { onFocus, onBlur, ...input } = form.getInputProps('max_budget');
  const [, decimals = ''] = String(form.values.max_budget).split('.');
  return (
    <NumberInput
      label="Max Budget"
      description="Dollars for one execution. With 0, no model is asked."
      placeholder={`$${budget.usual.toFixed(2)} unless you say otherwise`}
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

/** How far the agent may go, and what becomes of its writes. */
export function SettingsCard({ form }: { form: FlowForm }) {
  const mustConfirm = useMustConfirmEmail();
  return (
    <Card title="Settings" inset>
      <div className={classes.fields}>
        <div className={classes.places}>
          <NumberInput
            label="Max Iterations"
            description={`Turns of the model, at most ${iterations.most}.`}
            placeholder={`${iterations.usual} unless you say otherwise`}
            min={1}
            max={iterations.most}
            clampBehavior="none"
            allowDecimal={false}
            {...form.getInputProps('max_iterations')}
          />
          <BudgetInput form={form} />
          <NumberInput
            label="Max Tokens"
            description="In and out, for one execution."
            placeholder={`${tokens.usual.toLocaleString('en')} without a price, else no limit`}
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
          Whichever is reached first ends an execution. None takes longer than {duration} minutes, and one
          that makes the same call {FLOW_LIMITS.repetitions} times is ended too. For a model whose price is
          not known, the limit of tokens takes the place of the budget. You can enter its price under
          Settings, Models.
        </p>
        <Radio.Group label="Write mode" {...form.getInputProps('write_mode')}>
          <div className={classes.actions}>
            <Radio
              value="propose"
              label="Propose"
              description="Every write waits under Changes until somebody approves it."
            />
            <Radio
              value="apply"
              label="Apply"
              disabled={mustConfirm && form.values.write_mode !== 'apply'}
              description="Writes in the event’s project are done at once, and can be undone under Changes. Writes anywhere else are proposed."
            />
          </div>
        </Radio.Group>
        <ConfirmFirst what="let a flow write" />
      </div>
    </Card>
  );
}
