import { ActionIcon, Button, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconCircleCheck,
  IconCircleDashed,
  IconPencil,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { McpServer } from '@winnow/contract/mcp-server';
import { useId, useState } from 'react';
import { Badge } from '../../../theme/parts/badge.tsx';
import type { Tone } from '../../../theme/tones.ts';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import table from '../settings-list.module.css';
import classes from './mcp-servers.module.css';
import { ToolList } from './tool-list.tsx';

const STATUS: Record<McpServer['status'], { label: string; tone: Tone; icon: Icon }> = {
  ok: { label: 'Connected', tone: 'success', icon: IconCircleCheck },
  error: { label: 'Failing', tone: 'danger', icon: IconAlertTriangle },
  unknown: { label: 'Not checked', tone: 'neutral', icon: IconCircleDashed },
};

export type ServerRowProps = {
  server: McpServer;
  checking: boolean;
  onCheck: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

/**
 * Row with an MCP server, its state, and its tools, which can be expanded. Winnow's own server
 * cannot be edited.
 */
export function ServerRow({ server, checking, onCheck, onEdit, onDelete }: ServerRowProps) {
  const [open, setOpen] = useState(false);
  const toolsId = useId();
  const { name, status, status_message: message, checked_at, tools } = server;
  const isOwn = server.id === MCP_SERVER_NAME;
  const { label, tone, icon } = STATUS[status];
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  return (
    <>
      <tr {...TABLE_ROLES.row} className={table.row}>
        <th {...TABLE_ROLES.rowHead} className={table.name}>
          {name}
          <span className={classes.host}>
            {isOwn ? 'Winnow’s own tools, always available' : new URL(server.url).host}
          </span>
        </th>
        <td {...TABLE_ROLES.cell} className={classes.status}>
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
          {checked_at === null ? null : (
            <span className={classes.checked}>
              <RelativeTime at={checked_at} />
            </span>
          )}
        </td>
        <td {...TABLE_ROLES.cell} className={classes.count}>
          {tools.length === 0 ? (
            <span className={classes.none}>No tools</span>
          ) : (
            <Button
              size="xs"
              aria-expanded={open}
              aria-controls={open ? toolsId : undefined}
              aria-label={`${count} of ${name}`}
              leftSection={<Chevron size={14} aria-hidden />}
              onClick={() => setOpen(!open)}
            >
              {count}
            </Button>
          )}
        </td>
        <td {...TABLE_ROLES.cell} className={table.actions}>
          {isOwn ? null : (
            <>
              <Tooltip label="Check">
                <ActionIcon aria-label={`Check ${name}`} loading={checking} onClick={onCheck}>
                  <IconRefresh size={16} stroke={1.75} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Edit">
                <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
                  <IconPencil size={16} stroke={1.75} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Delete">
                <ActionIcon aria-label={`Delete ${name}`} onClick={onDelete}>
                  <IconTrash size={16} stroke={1.75} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </>
          )}
        </td>
      </tr>
      {message === null && !open ? null : (
        <tr {...TABLE_ROLES.row} className={classes.below}>
          <td {...TABLE_ROLES.cell} colSpan={4}>
            {message === null ? null : (
              <p className={status === 'error' ? classes.problem : classes.remark}>{message}</p>
            )}
            {open ? <ToolList id={toolsId} tools={tools} /> : null}
          </td>
        </tr>
      )}
    </>
  );
}
