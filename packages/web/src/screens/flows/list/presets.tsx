import { Button } from '@mantine/core';
import type { FlowPreset } from '@winnow/contract/flow';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFlowPresets, useRemovePreset } from '../../../features/flows/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { RemovalDialog } from '../../../ui/dialogs/removal-dialog.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { PresetBrief } from '../preset-brief.tsx';
import classes from './list.module.css';

/** Grid of preset cards, from which the user can create a flow. */
export function Presets() {
  const presets = useFlowPresets();
  const [removal, setRemoval] = useState<{ opened: boolean; item: FlowPreset | null }>({
    opened: false,
    item: null,
  });
  const { data, error } = presets;
  return (
    <Card title="Presets" inset>
      {error === null ? null : (
        <ErrorState
          error={error}
          title="Presets could not be loaded"
          onRetry={() => void presets.refetch()}
          retrying={presets.isFetching}
        />
      )}
      {data === undefined ? (
        error === null ? (
          <Loading label="Loading presets">
            <RowsSkeleton rows={3} />
          </Loading>
        ) : null
      ) : (
        <ul className={classes.grid} aria-label="Presets">
          {data.map((preset) => (
            <li className={classes.preset} key={preset.id}>
              <PresetBrief preset={preset} />
              <div className={classes.buttons}>
                <Button
                  component={Link}
                  to={`/console/flows/new?preset_id=${encodeURIComponent(preset.id)}`}
                  size="xs"
                  aria-label={`Clone ${preset.name}`}
                >
                  Clone
                </Button>
                {preset.account_id === null ? null : (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="danger"
                    aria-label={`Remove ${preset.name}`}
                    onClick={() => setRemoval({ opened: true, item: preset })}
                  >
                    Remove
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <RemovalDialog
        {...removal}
        title="Remove preset"
        confirmLabel="Remove"
        removal={useRemovePreset()}
        onClose={() => setRemoval({ ...removal, opened: false })}
        onRemoved={({ id, name }) => showToast({ id, kind: 'done', text: `Removed ${name}.` })}
      >
        <p>Are you sure you want to remove the preset "{removal.item?.name}"? Flows created from it stay.</p>
      </RemovalDialog>
    </Card>
  );
}
