import type { JiraSeedIssue } from '@winnow/emulators/jira/seed';
import { describe, expect, test } from 'vitest';
import { readToEnd } from '../testing/provider-suite/context.ts';
import type { EmulatedJira } from './testing/emulated-jira.ts';
import { itemsOf, never, readIssues, startPerTest } from './testing/per-test.ts';

const start = startPerTest();

function titlesOf(jira: EmulatedJira): Map<string, string> {
  return new Map(jira.emulator.issues('WIN').map(({ id, summary }) => [id, summary]));
}

describe.each(['cloud', 'data_center'] as const)('a thousand updates within a minute (%s)', (deployment) => {
  const at = '2024-05-01T11:00:30Z';
  const imported: JiraSeedIssue[] = Array.from({ length: 450 }, (_, index) => {
    return { summary: `imported ${index}`, created: at };
  });

  test('are all read, even if issues are edited and deleted meanwhile', async () => {
    const jira = await start(imported, { deployment, isChecked: false });
    let step = 0;
    const pages = await readToEnd(
      (cursor) => jira.provider.issues(jira.project, cursor, never()),
      null,
      async (page) => {
        step += 1;
        const last = page.items.at(-1)?.externalId;
        if (step === 3 && last !== undefined) jira.emulator.deleteIssue(last);
        if (step === 4 && last !== undefined) jira.emulator.editAs('bob', last, { summary: 'edited' });
        jira.clock.pass(1000);
      },
    );
    const read = new Map(itemsOf(pages).map(({ externalId, title }) => [externalId, title]));
    for (const [id, title] of titlesOf(jira)) expect(read.get(id)).toBe(title);
    expect(pages.length).toBeLessThan(15);
  });

  test('are read again if they continue during reading', async () => {
    const jira = await start(imported, {
      deployment,
      isChecked: false,
      start: new Date('2024-05-01T11:00:31Z'),
    });
    const pages = await readIssues(jira);
    const first = jira.emulator.issues('WIN')[0];
    jira.emulator.editAs('bob', first?.id ?? '', { summary: 'edited in the same minute' });
    const later = itemsOf(await readIssues(jira, pages.at(-1)?.cursor));
    expect(later.find(({ externalId }) => externalId === first?.id)?.title).toBe('edited in the same minute');
    jira.clock.pass(600_000);
    const settled = await readIssues(jira, pages.at(-1)?.cursor);
    const again = await readIssues(jira, settled.at(-1)?.cursor);
    expect(itemsOf(again)).toEqual([]);
    expect(again).toHaveLength(1);
  });
});

describe('when the clock changes', () => {
  // New York changes its clocks in spring at 07:00Z (2:00 becomes 3:00) and in autumn at 06:00Z
  // (2:00 becomes 1:00).
  const edges: [string, string, 'earlier' | 'later'][] = [
    ['forward', '2024-03-10T07:00:00Z', 'later'],
    ['back, read as the later time', '2024-11-03T06:00:00Z', 'later'],
    ['back, read as the earlier time', '2024-11-03T06:00:00Z', 'earlier'],
  ];

  test.each(edges)('%s, nothing is skipped at any position of the walk', async (_, edge, ambiguousTime) => {
    const edgeMs = Date.parse(edge);
    const issues = Array.from({ length: 360 }, (_, index): JiraSeedIssue => {
      return { summary: `issue ${index}`, created: new Date(edgeMs + (index - 180) * 40_000).toISOString() };
    });
    const options = {
      ambiguousTime,
      timeZone: 'America/New_York',
      isChecked: false,
      start: new Date(edgeMs + 4 * 3_600_000),
    };
    const jira = await start(issues, options);
    const pages = await readIssues(jira);
    const all = new Set(titlesOf(jira).keys());
    expect(new Set(itemsOf(pages).map(({ externalId }) => externalId))).toEqual(all);
    for (const [index, page] of pages.entries()) {
      if (page.done) continue;
      const rest = await readIssues(jira, page.cursor);
      const read = [...pages.slice(0, index + 1), ...rest].flatMap(({ items }) => items);
      expect(new Set(read.map(({ externalId }) => externalId))).toEqual(all);
    }
  });

  test.each(edges)('%s, new issues are found, minute by minute', async (_, edge, ambiguousTime) => {
    const edgeMs = Date.parse(edge);
    const begin = new Date(edgeMs - 100 * 60_000);
    const options = { ambiguousTime, timeZone: 'America/New_York', isChecked: false, start: begin };
    const jira = await start([{ summary: 'first' }], options);
    let cursor = (await readIssues(jira)).at(-1)?.cursor ?? null;
    const read = new Set<string>();
    for (let minute = 0; minute < 200; minute += 10) {
      jira.clock.pass(600_000);
      const added = Array.from({ length: 30 }, (_, n) =>
        jira.emulator.createIssue('WIN', { summary: `${minute} ${n}` }),
      );
      const pages = await readIssues(jira, cursor);
      for (const { externalId } of itemsOf(pages)) read.add(externalId);
      for (const { id } of added) expect(read).toContain(id);
      cursor = pages.at(-1)?.cursor ?? null;
    }
  });

  test('because the owner changes the time zone, nothing is skipped', async () => {
    const jira = await start([{ summary: 'first' }], { timeZone: 'Asia/Tokyo' });
    const issue = (n: number) => jira.emulator.createIssue('WIN', { summary: `issue ${n}` });
    for (let n = 0; n < 120; n += 1) {
      jira.clock.pass(60_000);
      issue(n);
    }
    const pages = await readIssues(jira);
    jira.emulator.setTimeZone('ada', 'America/Los_Angeles');
    jira.clock.pass(120_000);
    const { id } = issue(999);
    expect(
      itemsOf(await readIssues(jira, pages.at(-1)?.cursor)).map(({ externalId }) => externalId),
    ).toContain(id);
  });
});
