import { classicWorkflow, simplifiedWorkflow } from '@winnow/emulators/jira/seed';
import { describe, expect, test } from 'vitest';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

describe('closing as a duplicate', () => {
  test('resolves as duplicate and links in the classic workflow, and reopening restores the status', async () => {
    const jira = await start(backlog(3), {
      deployment: 'data_center',
      project: { workflow: classicWorkflow },
    });
    const [loser, original] = [targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1')];
    const closed = await jira.provider.closeAsDuplicate(loser, original, never());
    expect(closed).toMatchObject({ state: 'closed', status: 'Closed', duplicateOf: 'WIN-1' });
    expect(jira.emulator.issue('WIN-2')).toMatchObject({
      resolution: 'Duplicate',
      links: ['duplicates WIN-1'],
    });
    expect(jira.emulator.issue('WIN-1').links).toEqual(['is duplicated by WIN-2']);
    const reopened = await jira.provider.reopen(loser, never());
    expect(reopened).toMatchObject({
      state: 'opened',
      status: 'Reopened',
      duplicateOf: null,
      closedAt: null,
    });
    expect(jira.emulator.issue('WIN-2')).toMatchObject({ resolution: null, links: [] });
  });

  test('leaves links created by others, or by the same user long before', async () => {
    const jira = await start(backlog(4));
    const [loser, original] = [targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1')];
    jira.emulator.linkAs('ada', 'Duplicate', 'WIN-2', 'WIN-4');
    jira.clock.pass(3_600_000);
    jira.emulator.linkAs('bob', 'Duplicate', 'WIN-2', 'WIN-3');
    await jira.provider.closeAsDuplicate(loser, original, never());
    await jira.provider.reopen(loser, never());
    expect(jira.emulator.issue('WIN-2').links).toEqual(['duplicates WIN-4', 'duplicates WIN-3']);
  });

  test('reports a missing transition to a done status before writing anything', async () => {
    const workflow = { ...simplifiedWorkflow, transitions: simplifiedWorkflow.transitions.slice(0, 2) };
    const jira = await start(backlog(2), { project: { workflow } });
    const closing = jira.provider.closeAsDuplicate(targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1'), never());
    const error = await expectFailure(closing, 'invalid');
    expect(error.message).toContain('no transition from the current status of WIN-2 to a done status');
    expect(jira.emulator.issue('WIN-2').links).toEqual([]);
    expect(jira.emulator.requests.all().every(({ method }) => method === 'GET')).toBe(true);
  });

  test('reports the required field of the screen before writing anything', async () => {
    const fields = [{ key: 'customfield_10001', name: 'Root cause', required: true }];
    const transitions = [{ name: 'Done', to: 'Done', fields }];
    const jira = await start(backlog(2), { project: { workflow: { ...simplifiedWorkflow, transitions } } });
    const closing = jira.provider.closeAsDuplicate(targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1'), never());
    expect((await expectFailure(closing, 'invalid')).message).toContain('Root cause');
    expect(jira.emulator.issue('WIN-2').links).toEqual([]);
  });

  test('continues after a lost response and links once', async () => {
    const jira = await start(backlog(2));
    const close = () =>
      jira.provider.closeAsDuplicate(targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1'), never());
    jira.emulator.faults.add({
      match: { method: 'POST', path: 'issueLink$' },
      times: 1,
      action: { kind: 'status', status: 502, handled: true },
    });
    await expectFailure(close(), 'server_error');
    expect(await close()).toMatchObject({ state: 'closed', duplicateOf: 'WIN-1' });
    expect(jira.emulator.issue('WIN-2').links).toEqual(['duplicates WIN-1']);
  });

  test('names a missing link permission instead of blaming the token', async () => {
    const jira = await start(backlog(2));
    jira.emulator.deny('ada', 'WIN', ['LINK_ISSUES']);
    const closing = jira.provider.closeAsDuplicate(targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1'), never());
    expect((await expectFailure(closing, 'forbidden')).message).toContain('No Link Issue Permission');
    expect(jira.emulator.issue('WIN-2').category).toBe('new');
  });

  test('closes without a link if links are turned off', async () => {
    const jira = await start(backlog(2), { seed: { linkTypes: [] } });
    const closed = await jira.provider.closeAsDuplicate(
      targetOf(jira, 'WIN-2'),
      targetOf(jira, 'WIN-1'),
      never(),
    );
    expect(closed).toMatchObject({ state: 'closed', duplicateOf: null });
  });

  test('uses a link type with swapped descriptions', async () => {
    const linkTypes = [{ name: 'Doubles', inward: 'duplicates', outward: 'is duplicated by' }];
    const jira = await start(backlog(2), { seed: { linkTypes } });
    await jira.provider.closeAsDuplicate(targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-1'), never());
    expect(jira.emulator.issue('WIN-2').links).toEqual(['duplicates WIN-1']);
  });
});
