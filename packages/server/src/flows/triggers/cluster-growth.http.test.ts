import { clusterList } from '@winnow/contract/cluster';
import { flow, flowExecutionList } from '@winnow/contract/flow';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closeAll } from '../../testing/backlog.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  connect,
  differentIssues,
  minutesAfterStart,
  startGitHub,
  syncAgain,
  whenSynced,
} from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

vi.setConfig({ testTimeout: 90_000 });
let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

test('a new issue that grows a cluster beyond the size of a flow starts the flow once; an old backlog starts none', async () => {
  const [report] = differentIssues(1);
  if (!report) throw new Error('There is no report.');
  const github = await startGitHub([0, 1, 2].map((at) => ({ ...report, created_at: minutesAfterStart(at) })));
  const caller = await winnow.newCaller();
  const listening = {
    ...{ name: 'Pile', builtin_actions: ['report_backlog'], trigger_event_type: 'cluster_grew' },
    trigger_cluster_size: 3,
  };
  await caller.fail('POST', '/flows', 422, { ...listening, trigger_cluster_size: 1 });
  await caller.send('POST', '/flows', listening, flow);
  await caller.send('POST', '/flows', { ...listening, name: 'Small', trigger_cluster_size: 2 }, flow);
  const { id: trackerId } = await connect(caller, github);
  await whenSynced(caller, trackerId);
  const size = async () =>
    (await caller.get('/clusters?probability_threshold=0', clusterList)).clusters[0]?.size ?? 0;
  const whenSize = (wanted: number) =>
    eventually(async () => (await size()) === wanted, { timeoutMs: 30_000, what: `${wanted} issues` });
  const started = () => caller.get('/flows/executions', flowExecutionList);
  await whenSize(3);
  expect(await started()).toEqual([]);

  const { title, body } = report;
  github.createIssue('acme', 'app', { title, body: body ?? null });
  await syncAgain(caller, trackerId);
  await whenSize(4);
  await eventually(async () => (await started()).length > 0, { what: 'the execution' });
  github.createIssue('acme', 'app', { title, body: body ?? null });
  await syncAgain(caller, trackerId);
  await whenSize(5);
  const [{ id: clusterId = '' } = {}] = (await caller.get('/clusters?probability_threshold=0', clusterList))
    .clusters;
  expect(await started()).toMatchObject([
    {
      flow_name: 'Pile',
      trigger_event: {
        type: 'cluster_grew',
        issue_key: 'acme/app#1',
        details: { cluster_id: clusterId, cluster_size: '4' },
      },
    },
  ]);
  await closeAll(github);
});
