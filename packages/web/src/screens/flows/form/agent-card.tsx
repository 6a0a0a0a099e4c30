import { Alert, Checkbox, Select } from '@mantine/core';
import { BUILTIN_ACTIONS, builtinAction, needsModel } from '@winnow/contract/flow';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { Link } from 'react-router';
import { useAiModels } from '../../../features/models/queries.ts';
import { Card } from '../../../ui/card.tsx';
import classes from './form.module.css';
import { Preview } from './preview.tsx';
import { PromptField } from './prompt-field.tsx';
import type { FlowForm } from './use-flow-form.ts';

const BUILT_IN = 'built-in';

/**
 * Fields that select the agent of a flow: a language model with a prompt, or actions of the
 * built-in analyst.
 */
export function AgentCard({ form }: { form: FlowForm }) {
  const models = useAiModels().data ?? [];
  const { ai_model_id: modelId, prompt_template: prompt } = form.values;
  // The prompt field is hidden while the built-in analyst is selected. Show it if it has an error.
  const isPromptWrong = Boolean(form.errors.prompt_template);
  return (
    <Card title="Agent Configuration" inset>
      <div className={classes.fields}>
        <Select
          label="AI Model"
          data={[
            { value: BUILT_IN, label: BUILT_IN_ANALYST },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={modelId ?? BUILT_IN}
          onChange={(chosen) => form.setFieldValue('ai_model_id', chosen === BUILT_IN ? null : chosen)}
          error={form.errors.ai_model_id}
        />
        {modelId === null && prompt !== '' && needsModel(form.values) ? (
          <Alert color="warning" role="note">
            These instructions need a language model.{' '}
            {models.length > 0 ? 'Choose one as AI Model,' : <AddModel />} or choose actions of the built-in
            analyst.
          </Alert>
        ) : null}
        {modelId === null ? (
          <>
            <p className={classes.note}>
              {models.some(({ is_default }) => is_default)
                ? 'The built-in analyst follows rules. It compares and scores issues with your default model, within the budget of this flow.'
                : 'The built-in analyst follows rules, without a key and without cost.'}
              {models.length > 0 ? null : (
                <>
                  {' '}
                  To use a language model with your own prompt,{' '}
                  <Link className="link" to="/console/settings/ai-models">
                    add one
                  </Link>
                  .
                </>
              )}
            </p>
            <Checkbox.Group label="Actions" {...form.getInputProps('builtin_actions')}>
              <div className={classes.actions}>
                {builtinAction.options.map((action) => (
                  <Checkbox
                    key={action}
                    value={action}
                    label={BUILTIN_ACTIONS[action].label}
                    description={BUILTIN_ACTIONS[action].description}
                  />
                ))}
              </div>
            </Checkbox.Group>
          </>
        ) : null}
        {modelId === null && !isPromptWrong ? null : (
          <PromptField
            value={prompt}
            onChange={(text) => form.setFieldValue('prompt_template', text)}
            error={form.errors.prompt_template}
          />
        )}
        <Preview form={form} />
      </div>
    </Card>
  );
}

function AddModel() {
  return (
    <>
      <Link className="link" to="/console/settings/ai-models">
        Add one
      </Link>
      ,
    </>
  );
}
