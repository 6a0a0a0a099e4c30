import { expect, test } from 'vitest';
import { chartSentence } from './chart-texts.ts';

const SYNC = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const WEB = '0a1b2c3d-8b86-4d01-b42d-00cf4fc964ff';
const statistics = {
  projects: [
    { project_id: SYNC, project_name: 'Sync', duplicates: 1, total: 1_200 },
    { project_id: WEB, project_name: 'Web', duplicates: 3, total: 56 },
  ],
  threshold_used: 0.1,
  mark: 0.3,
};

test('states the number of issues, their status and the minimum probability', () => {
  expect(chartSentence(statistics, { status: 'to_decide', scope: 'account', chosen: [] })).toBe(
    '4 of 1,256 open issues are in an unresolved pair with a probability of 30% or more.',
  );
  expect(chartSentence(statistics, { status: 'closed', scope: 'account', chosen: [] })).toContain(
    'of 1,256 closed issues are',
  );
  expect(chartSentence(statistics, { status: 'all', scope: 'project', chosen: [] })).toContain(
    'of 1,256 issues are',
  );
});

test('counts only projects in the filter, and names the project if it is a single one', () => {
  expect(
    chartSentence(statistics, { status: 'to_decide', scope: 'account', chosen: ['6f9619ff'] }),
  ).toContain('1 of 1,200 open issues of Sync is in');
  expect(
    chartSentence(statistics, { status: 'all', scope: 'project', chosen: ['6f9619ff', '0a1b2c3d'] }),
  ).toContain('4 of 1,256 issues of 2 projects are in');
});

test('ignores a deleted project', () => {
  expect(chartSentence(statistics, { status: 'all', scope: 'project', chosen: ['ffffffff'] })).toContain(
    '0 of 0 issues are',
  );
});
