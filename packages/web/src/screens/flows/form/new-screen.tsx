import { Alert, Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { FlowPreset } from '@winnow/contract/flow';
import { useSearchParams } from 'react-router';
import { useFlowPresets } from '../../../features/flows/queries.ts';
import { useAiModels } from '../../../features/models/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { PresetBrief } from '../preset-brief.tsx';
import { FlowForm } from './flow-form.tsx';
import classes from './form.module.css';

/** Value of the URL parameter for a flow without a preset. */
const NO_PRESET = 'none';

/**
 * Create Flow screen. The user first selects a preset and then edits the form. The selection is
 * stored in the URL, so Back returns to it.
 */
export function NewFlowScreen() {
  const presets = useFlowPresets();
  const models = useAiModels();
  const [parameters] = useSearchParams();
  const asked = parameters.get('preset_id');
  const { data, error } = presets;
  const preset = data?.find(({ id }) => id === asked) ?? null;
  const isChosen = asked === NO_PRESET || preset !== null;
  const defaultModelId = models.data?.find(({ is_default }) => is_default)?.id ?? null;
  return (
    <Page width="normal">
      {error === null ? null : (
        <ErrorState
          error={error}
          title="Presets could not be loaded"
          onRetry={() => void presets.refetch()}
          retrying={presets.isFetching}
        />
      )}
      {isChosen && !models.isPending ? (
        <FlowForm key={asked} flow={null} preset={preset} defaultModelId={defaultModelId} />
      ) : isChosen || (data === undefined && error === null) ? (
        <Card>
          <Loading label="Loading presets">
            <RowsSkeleton rows={4} />
          </Loading>
        </Card>
      ) : (
        <>
          {asked === null || data === undefined ? null : (
            <Alert color="warning" role="note">
              This preset was deleted. Choose another one.
            </Alert>
          )}
          <PresetChoice presets={data ?? []} />
        </>
      )}
    </Page>
  );
}

function PresetChoice({ presets }: { presets: readonly FlowPreset[] }) {
  const [, setParameters] = useSearchParams();
  return (
    <Card
      title="Select a Preset"
      inset
      actions={
        <Button
          size="xs"
          leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
          onClick={() => setParameters({ preset_id: NO_PRESET })}
        >
          Create from Scratch
        </Button>
      }
    >
      <ul className={classes.presets} aria-label="Presets">
        {presets.map((preset) => (
          <li key={preset.id}>
            <UnstyledButton
              className={classes.preset ?? ''}
              onClick={() => setParameters({ preset_id: preset.id })}
            >
              <PresetBrief preset={preset} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
