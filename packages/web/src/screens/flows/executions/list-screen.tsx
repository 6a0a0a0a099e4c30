import { Alert, Button, NativeSelect } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { EXECUTION_STATUSES, executionStatus } from '@winnow/contract/flow';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useFlows } from '../../../features/flows/queries.ts';
import { useScreenSearch } from '../../../ui/address/use-screen-search.ts';
import { useListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { KeyHints } from '../../../ui/keyboard/key-hints.tsx';
import { useScreenKeys } from '../../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../../ui/keyboard/shortcuts.ts';
import { Page } from '../../../ui/page.tsx';
import { SHORTCUT_SECTION, SHORTCUTS } from '../shortcuts.ts';
import { ExecutionList } from './execution-list.tsx';
import classes from './executions.module.css';
import { useExecutions } from './queries.ts';
import {
  type ExecutionsSearch,
  executionAddress,
  hasInvalidFilter,
  PAGE_SIZE,
  parseSearch,
  serializeSearch,
} from './search-params.ts';

const ANY_OPTION = '';
const STATUSES = [
  { value: ANY_OPTION, label: 'Any status' },
  ...executionStatus.options.map((value) => ({ value, label: EXECUTION_STATUSES[value].label })),
];

/** Flow Executions screen: lists the executions of all flows, newest first. */
export function ExecutionsScreen() {
  const navigation = useScreenSearch(parseSearch, serializeSearch);
  const { search, go } = navigation;
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const list = useExecutions(search);
  const executions = list.data?.executions ?? [];
  const filter = (changed: Partial<ExecutionsSearch>) => go({ ...search, ...changed, page: 1 });
  const walk = useListWalk({
    ids: executions.map(({ id }) => id),
    page: search.page,
    pageSize: PAGE_SIZE,
    total: list.data?.total ?? 0,
    selectedId: null,
    go: ({ selectedId }) => {
      if (selectedId !== null) void navigate(executionAddress(selectedId));
    },
  });
  useListedShortcuts(SHORTCUT_SECTION);
  useScreenKeys({
    j: () => walk.next?.(),
    k: () => walk.previous?.(),
    Enter: () => {
      if (walk.currentId !== null) walk.open(walk.currentId);
    },
  });
  return (
    <Page width="full" footer={<KeyHints shortcuts={SHORTCUTS} />}>
      <div className={classes.filters}>
        <FlowFilter chosen={search.flow} onChoose={(flow) => filter({ flow })} />
        <NativeSelect
          aria-label="Status"
          data={STATUSES}
          value={search.status ?? ANY_OPTION}
          onChange={({ currentTarget: { value } }) =>
            filter({ status: value === ANY_OPTION ? null : executionStatus.parse(value) })
          }
        />
        {search.flow === null && search.status === null ? null : (
          <Button
            size="xs"
            variant="subtle"
            color="neutral"
            onClick={() => filter({ flow: null, status: null })}
          >
            Clear all
          </Button>
        )}
        <span className={classes.grow} />
        <Button
          component={Link}
          to="/console/flows"
          leftSection={<IconArrowsSplit2 size={16} stroke={1.75} aria-hidden />}
        >
          All flows
        </Button>
      </div>
      {hasInvalidFilter(parameters) ? (
        <Alert color="warning" role="note">
          The address contains an unknown flow or status, which was ignored.
        </Alert>
      ) : null}
      <ExecutionList list={list} navigation={navigation} walk={walk} />
    </Page>
  );
}

function FlowFilter({
  chosen,
  onChoose,
}: {
  chosen: string | null;
  onChoose: (flow: string | null) => void;
}) {
  const flows = useFlows().data ?? [];
  const choices = flows.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = chosen === null || flows.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      aria-label="Flow"
      className={classes.flowFilter ?? ''}
      data={[
        { value: ANY_OPTION, label: 'Any flow' },
        ...choices,
        ...(isKnown ? [] : [{ value: chosen, label: 'Another flow' }]),
      ]}
      value={chosen ?? ANY_OPTION}
      onChange={({ currentTarget: { value } }) => onChoose(value === ANY_OPTION ? null : value)}
    />
  );
}
