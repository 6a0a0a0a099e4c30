import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { AI_PROVIDERS, type AiModel } from '@winnow/contract/ai-model';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { ReactNode } from 'react';
import { Badge } from '../../../theme/parts/badge.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import table from '../settings-list.module.css';
import { ModelHealth } from './model-health.tsx';
import classes from './models.module.css';

export type ModelTableProps = {
  models: readonly AiModel[];
  /**
   * Id of the model that is being made the default. Null stands for the built-in analyst; undefined
   * if none.
   */
  settingDefault: string | null | undefined;
  /** Called with the model to make the default. Null stands for the built-in analyst. */
  onSetDefault: (model: AiModel | null) => void;
  onEdit: (model: AiModel) => void;
  onDelete: (model: AiModel) => void;
  /** Id of the model that is being tested again; undefined if none. */
  retrying: string | undefined;
  onRetry: (model: AiModel) => void;
};

type RowProps = {
  name: string;
  provider: string;
  identifier: ReactNode;
  isDefault: boolean;
  pending: boolean;
  onSetDefault: () => void;
  actions?: ReactNode;
  /** Health of the model. Undefined for the built-in analyst, which has none. */
  health?: ReactNode;
};

function Row({ name, provider, identifier, isDefault, pending, onSetDefault, actions, health }: RowProps) {
  return (
    <tr {...TABLE_ROLES.row} className={table.row}>
      <th {...TABLE_ROLES.rowHead} className={table.name}>
        {name}
      </th>
      <td {...TABLE_ROLES.cell} className={classes.provider}>
        {provider}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.identifier}>
        {identifier}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.default}>
        {isDefault ? (
          <Badge tone="success" icon={IconCheck}>
            Default
          </Badge>
        ) : (
          <Button size="xs" loading={pending} aria-label={`Set as default: ${name}`} onClick={onSetDefault}>
            Set as default
          </Button>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={table.actions}>
        {actions}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.healthRow}>
        {health}
      </td>
    </tr>
  );
}

/** Table of the built-in analyst and the language models. One of them is the default. */
export function ModelTable(props: ModelTableProps) {
  const { models, settingDefault, onSetDefault, onEdit, onDelete, retrying, onRetry } = props;
  const iconButton = (label: string, Glyph: typeof IconPencil, onClick: () => void) => (
    <Tooltip label={label.split(' ', 1)[0]}>
      <ActionIcon aria-label={label} onClick={onClick}>
        <Glyph size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <table {...TABLE_ROLES.table} className={`${table.table} ${classes.columns}`} aria-label="Models">
      <thead {...TABLE_ROLES.group} className={table.head}>
        <tr {...TABLE_ROLES.row} className={table.headRow}>
          <th {...TABLE_ROLES.head}>Name</th>
          <th {...TABLE_ROLES.head}>Provider</th>
          <th {...TABLE_ROLES.head}>Model</th>
          <th {...TABLE_ROLES.head}>Default</th>
          <th {...TABLE_ROLES.head}>
            <span className="vh">Actions</span>
          </th>
          <th {...TABLE_ROLES.head} className={classes.healthRow}>
            <span className="vh">Health</span>
          </th>
        </tr>
      </thead>
      <tbody {...TABLE_ROLES.group} className={table.body}>
        <Row
          name={BUILT_IN_ANALYST}
          provider="Winnow"
          identifier="Rules, no key needed"
          isDefault={!models.some(({ is_default }) => is_default)}
          pending={settingDefault === null}
          onSetDefault={() => onSetDefault(null)}
        />
        {models.map((model) => (
          <Row
            key={model.id}
            name={model.name}
            provider={AI_PROVIDERS[model.provider_name].label}
            identifier={
              <>
                <code>{model.model_identifier}</code>
                <span className={classes.host}>
                  {model.is_offered ? 'Offered by this installation' : new URL(model.api_url).host}
                </span>
              </>
            }
            isDefault={model.is_default}
            pending={settingDefault === model.id}
            onSetDefault={() => onSetDefault(model)}
            health={
              <ModelHealth model={model} retrying={retrying === model.id} onRetry={() => onRetry(model)} />
            }
            actions={
              model.is_offered ? null : (
                <>
                  {iconButton(`Edit ${model.name}`, IconPencil, () => onEdit(model))}
                  {iconButton(`Delete ${model.name}`, IconTrash, () => onDelete(model))}
                </>
              )
            }
          />
        ))}
      </tbody>
    </table>
  );
}
