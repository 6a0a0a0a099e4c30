import { AI_PROVIDERS, aiProvider } from '@winnow/contract/ai-model';
import { AI_FEATURES, type ApiUsage, type ModelCalls } from '@winnow/contract/usage';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './usage-table.module.css';
import { compactText, costOf } from './usage-texts.ts';

type CallRow = { id: string; head: ReactNode } & ModelCalls;

function CallTable({ label, first, lines }: { label: string; first: string; lines: readonly CallRow[] }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">Calls</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, head, ...line }) => (
            <tr key={id}>
              <th scope="row">{head}</th>
              <td>
                {countText(line.calls)}
                {line.failed === 0 ? null : (
                  <span className={classes.sub}>{countText(line.failed)} failed</span>
                )}
              </td>
              <td title={`${countText(line.input_tokens)} in, ${countText(line.output_tokens)} out`}>
                {compactText(line.tokens)}
              </td>
              <td>{costOf(line)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function providerLabel(provider: string): string {
  const known = aiProvider.safeParse(provider);
  return known.success ? AI_PROVIDERS[known.data].label : provider;
}

/**
 * Number and cost of AI calls, by language model and by feature. Calls to the built-in analyst are
 * free and not counted.
 */
export function ModelUsage({ ai }: { ai: ApiUsage['ai'] }) {
  if (ai.by_model.length === 0) {
    return (
      <Card title="AI models">
        <p className={classes.none}>
          No language model calls in this period. The built-in analyst is free and not counted.
        </p>
      </Card>
    );
  }
  return (
    <>
      <Card title="AI models">
        <CallTable
          label="AI calls by model"
          first="Model"
          lines={ai.by_model.map(({ model, provider, identifier, ...calls }) => ({
            id: `${model} ${provider} ${identifier}`,
            head: (
              <>
                {model}
                <span className={classes.sub}>
                  {providerLabel(provider)}, {identifier}
                </span>
              </>
            ),
            ...calls,
          }))}
        />
      </Card>
      <Card title="AI features">
        <CallTable
          label="AI calls by feature"
          first="Feature"
          lines={ai.by_feature.map(({ feature, ...calls }) => ({
            id: feature,
            head: AI_FEATURES[feature].label,
            ...calls,
          }))}
        />
      </Card>
    </>
  );
}
