import { Button, Select } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import {
  AUDIT_DAYS,
  AUDIT_EVENTS,
  type AuditEvent,
  type AuditEventKind,
  auditEventKind,
  auditPage,
} from '@winnow/contract/audit';
import { useState } from 'react';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { download } from '../../../api/session/download.ts';
import { api } from '../../../api/session/session.ts';
import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { PermissionNotice, usePermission } from '../../../features/workspaces/permission.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { pageRange } from '../../../ui/data-list/page-range.ts';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from '../members/members.module.css';

const EVENTS_PER_PAGE = 50;

/** Settings: the audit log of the workspace, filtered by kind and exported. */
export function AuditLogScreen() {
  const { allowed, reason } = usePermission('manage');
  return (
    <SettingsPage width="normal">
      {allowed ? <AuditCard /> : <PermissionNotice reason={reason} />}
    </SettingsPage>
  );
}

function AuditCard() {
  const [kind, setKind] = useState<AuditEventKind | null>(null);
  const [page, setPage] = useState(1);
  const query = {
    limit: EVENTS_PER_PAGE,
    skip: (page - 1) * EVENTS_PER_PAGE,
    ...(kind === null ? {} : { kind }),
  };
  const events = useQuery({
    queryKey: queryKeys.workspace.audit(query),
    queryFn: ({ signal }) => api('GET', '/audit-events', { query, schema: auditPage, signal }),
    placeholderData: keepPreviousData,
  });
  const saving = useMutation({
    mutationFn: () =>
      download({
        path: '/audit-events/export',
        name: 'winnow-audit.jsonl',
        query: kind === null ? {} : { kind },
      }),
  });
  const shown = events.data;
  return (
    <Card
      title="Audit Log"
      actions={
        <Button
          size="xs"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Export JSON Lines
        </Button>
      }
    >
      <div className={classes.bar}>
        <Select
          className={classes.search ?? ''}
          aria-label="Kind of event"
          placeholder="All events"
          clearable
          searchable
          data={auditEventKind.options.map((one) => ({ value: one, label: AUDIT_EVENTS[one].label }))}
          value={kind}
          onChange={(chosen) => {
            setKind(auditEventKind.safeParse(chosen).data ?? null);
            setPage(1);
          }}
        />
      </div>
      <div className={classes.failure} role="status">
        {saving.isError ? <FormMessage tone="danger">{sentenceOf(saving.error)}</FormMessage> : null}
      </div>
      {events.isError ? (
        <ErrorState
          error={events.error}
          title="Failed to load the audit log"
          onRetry={() => void events.refetch()}
          retrying={events.isFetching}
        />
      ) : shown === undefined ? (
        <Loading label="Loading the audit log">
          <RowsSkeleton rows={6} />
        </Loading>
      ) : shown.total === 0 ? (
        <p className={classes.foot}>No such event was recorded.</p>
      ) : (
        <>
          <ul className={classes.list} aria-label="Audit log">
            {shown.events.map((event) => (
              <Row key={event.id} event={event} />
            ))}
          </ul>
          {shown.total <= EVENTS_PER_PAGE ? null : (
            <div className={classes.pages}>
              <span>{pageRange(page, EVENTS_PER_PAGE, shown.total).range}</span>
              <Button size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
                Newer
              </Button>
              <Button
                size="xs"
                disabled={page * EVENTS_PER_PAGE >= shown.total}
                onClick={() => setPage(page + 1)}
              >
                Older
              </Button>
            </div>
          )}
        </>
      )}
      <p className={classes.foot}>Events are deleted after {AUDIT_DAYS} days.</p>
    </Card>
  );
}

function Row({ event }: { event: AuditEvent }) {
  const { actor, address, at, details, kind, subject } = event;
  const facts = Object.entries(details).map(([name, value]) => `${name}: ${value}`);
  return (
    <li className={classes.line}>
      <div className={classes.main}>
        <span>
          <Badge small>{AUDIT_EVENTS[kind].label}</Badge> {subject}
        </span>
        <span className={classes.facts}>
          {actor.name}
          {actor.type === 'api_key' ? ' (API key)' : ''} · <RelativeTime at={at} />
          {address === null ? '' : ` · ${address}`}
          {facts.length === 0 ? '' : ` · ${facts.join(' · ')}`}
        </span>
      </div>
    </li>
  );
}
