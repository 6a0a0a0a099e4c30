import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ModelPrices } from '@winnow/contract/ai-model';
import { useModelPrices } from '../../../features/models/queries.ts';
import { dayText } from '../../../ui/texts/date-text.ts';
import forms from '../form.module.css';
import { listPriceOf, type ModelValues } from './model-form.ts';
import classes from './models.module.css';

type Listed = ModelPrices['models'][number] | undefined;

function priceNote(listed: Listed): string {
  if (listed === undefined) {
    return 'The list has no price for this model. Enter it to see costs and to cap them; all prices are US dollars per million tokens.';
  }
  return `Leave blank to use the list price as of ${dayText(listed.as_of)}. US dollars per million tokens.`;
}

/** Form fields for the price of a model, and for its monthly caps. */
export function PriceFields({ form }: { form: UseFormReturnType<ModelValues> }) {
  const listed = listPriceOf(useModelPrices().data, form.values);
  const money = { prefix: '$', min: 0, decimalScale: 4, clampBehavior: 'none', hideControls: true } as const;
  const placeholder = (value: number | null | undefined) => (value == null ? 'unknown' : `$${value}`);
  return (
    <details className={classes.prices}>
      <summary>Price and caps</summary>
      <p className={forms.note}>{priceNote(listed)}</p>
      <div className={classes.priceFields}>
        <NumberInput
          label="Input"
          placeholder={placeholder(listed?.input)}
          {...money}
          {...form.getInputProps('price_input')}
        />
        <NumberInput
          label="Output"
          placeholder={placeholder(listed?.output)}
          {...money}
          {...form.getInputProps('price_output')}
        />
        <NumberInput
          label="Cached input"
          placeholder={listed === undefined ? 'as input' : placeholder(listed.cached_input ?? listed.input)}
          {...money}
          {...form.getInputProps('price_cached_input')}
        />
      </div>
      <p className={forms.note}>
        Caps apply to each calendar month (UTC). When a cap is reached, the built-in analyst takes over
        reviews and scores. Tests do not count.
      </p>
      <div className={classes.priceFields}>
        <NumberInput
          label="Calls a month"
          placeholder="no cap"
          min={0}
          allowDecimal={false}
          clampBehavior="none"
          hideControls
          {...form.getInputProps('monthly_call_cap')}
        />
        <NumberInput
          label="Cost a month"
          placeholder="no cap"
          {...money}
          {...form.getInputProps('monthly_cost_cap')}
        />
      </div>
    </details>
  );
}
