import { NumberInput, Radio } from '@mantine/core';
import { FLOW_LIMITS } from '@winnow/contract/flow';
import { Card } from '../../../ui/card.tsx';
import classes from './form.module.css';
import type { FlowForm } from './use-flow-form.ts';

const { iterations, budget, duration } = FLOW_LIMITS;

/** How far the agent may go, and what becomes of its writes. */
export function SettingsCard({ form }: { form: FlowForm }) {
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
          <NumberInput
            label="Max Budget"
            description="Dollars for one execution."
            placeholder={`$${budget.usual.toFixed(2)} unless you say otherwise`}
            prefix="$"
            min={0}
            max={budget.most}
            step={0.25}
            clampBehavior="none"
            decimalScale={4}
            {...form.getInputProps('max_budget')}
          />
        </div>
        <p className={classes.note}>
          Whichever is reached first ends an execution. None takes longer than {duration} minutes, and one
          that makes the same call {FLOW_LIMITS.repetitions} times is ended too. The budget cannot be held for
          a model whose price is not known.
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
              description="Writes in the event’s project are done at once, and can be undone under Changes. Writes anywhere else are proposed."
            />
          </div>
        </Radio.Group>
      </div>
    </Card>
  );
}
