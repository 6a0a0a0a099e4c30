import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';

const CRUISER = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const SERVER = 'packages/server/src';
const WEB = 'packages/web/src';

/** Imports that a rule must refuse, as pairs of a file and an import. The file need not exist. */
const REFUSED = [
  ['packages/emulators/src/github/emulator.ts', '../../../server/src/trackers/provider.ts'],
  ['packages/emulators/src/github/spec.test.ts', '../../../../tools/data/hadoop.ts'],
  [`${SERVER}/changes/killed.http.test.ts`, '../../../../tools/product/api.ts'],
  [`${SERVER}/trackers/service.ts`, '../../../emulators/src/github/emulator.ts'],
  [`${SERVER}/issues/service.ts`, '../trackers/store.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../../trackers/store.ts'],
  [`${SERVER}/issues/engine/deep/engine.ts`, '../../../trackers/store.ts'],
  [`${SERVER}/issues/service.ts`, '../leads/store.ts'],
  [`${SERVER}/issues/service.ts`, '../billing/usage/usage-store.ts'],
  [`${SERVER}/duplicates/service.ts`, '../changes/store.ts'],
  [`${SERVER}/changes/ledger.ts`, '../sync/store.ts'],
  [`${SERVER}/sync/sync.ts`, '../issues/store.ts'],
  [`${SERVER}/accounts/service.ts`, '../billing/store.ts'],
  [`${SERVER}/accounts/service.ts`, '../trackers/index.ts'],
  [`${SERVER}/billing/usage/counter-store.ts`, '../../accounts/index.ts'],
  [`${SERVER}/leads/service.ts`, '../accounts/index.ts'],
  [`${SERVER}/accounts/service.ts`, '../leads/index.ts'],
  [`${SERVER}/platform/log.ts`, '../leads/index.ts'],
  [`${SERVER}/trackers/service.ts`, '../issues/index.ts'],
  [`${SERVER}/trackers/github/client.ts`, '../../issues/index.ts'],
  [`${SERVER}/trackers/sample/backlog/types.ts`, '../../../duplicates/index.ts'],
  [`${SERVER}/trackers/sample/backlog/types.ts`, '../../../issues/index.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../../sync/index.ts'],
  [`${SERVER}/sync/sync.ts`, '../changes/index.ts'],
  [`${SERVER}/changes/ledger.ts`, '../duplicates/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../ai/store.ts'],
  [`${SERVER}/ai/analyst.ts`, '../duplicates/index.ts'],
  [`${SERVER}/ai/analyst.ts`, '../changes/index.ts'],
  [`${SERVER}/changes/ledger.ts`, '../ai/index.ts'],
  [`${SERVER}/sync/sync.ts`, '../ai/index.ts'],
  [`${SERVER}/platform/log.ts`, '../ai/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../tracker-events/index.ts'],
  [`${SERVER}/tracker-events/service.ts`, '../duplicates/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../compliance/index.ts'],
  [`${SERVER}/compliance/service.ts`, '../dependencies/index.ts'],
  [`${SERVER}/compliance/service.ts`, '../changes/store.ts'],
  [`${SERVER}/dependencies/service.ts`, '../duplicates/index.ts'],
  [`${SERVER}/dependencies/service.ts`, '../issues/store.ts'],
  [`${SERVER}/changes/ledger.ts`, '../dependencies/index.ts'],
  [`${SERVER}/issues/service.ts`, '../compliance/index.ts'],
  [`${SERVER}/tracker-events/service.ts`, '../sync/store.ts'],
  [`${SERVER}/sync/sync.ts`, '../tracker-events/index.ts'],
  [`${SERVER}/trackers/service.ts`, '../tracker-events/index.ts'],
  [`${SERVER}/platform/log.ts`, '../tracker-events/index.ts'],
  [`${SERVER}/mcp/server.ts`, '../duplicates/store.ts'],
  [`${SERVER}/agent-tools/tools/get-issue.ts`, '../../issues/search/store.ts'],
  [`${SERVER}/agent-tools/tools.ts`, '../mcp/index.ts'],
  [`${SERVER}/agent-tools/tools.ts`, '../flows/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../agent-tools/index.ts'],
  [`${SERVER}/mcp-servers/client.ts`, '../agent-tools/index.ts'],
  [`${SERVER}/platform/log.ts`, '../agent-tools/index.ts'],
  [`${SERVER}/flows/runner/toolbox.ts`, '../../mcp/index.ts'],
  [`${SERVER}/mcp/server.ts`, '../tracker-events/index.ts'],
  [`${SERVER}/mcp/server.ts`, '../flows/index.ts'],
  [`${SERVER}/flows/service.ts`, '../dependencies/store.ts'],
  [`${SERVER}/flows/runner/runner.ts`, '../../mcp-servers/store.ts'],
  [`${SERVER}/flows/runner/runner.ts`, '../../compose.ts'],
  [`${SERVER}/flows/runner/runner.ts`, '../../compose/flows.ts'],
  [`${SERVER}/mcp-servers/service.ts`, '../flows/index.ts'],
  [`${SERVER}/mcp-servers/client.ts`, '../mcp/index.ts'],
  [`${SERVER}/tracker-events/stream.ts`, '../flows/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../flows/index.ts'],
  [`${SERVER}/platform/log.ts`, '../flows/index.ts'],
  [`${SERVER}/issue-edits/service.ts`, '../duplicates/index.ts'],
  [`${SERVER}/issue-edits/service.ts`, '../mcp/index.ts'],
  [`${SERVER}/changes/ledger.ts`, '../issue-edits/index.ts'],
  [`${SERVER}/dependencies/present.ts`, '../issues/engine/store.ts'],
  [`${SERVER}/duplicates/service.ts`, '../mcp/index.ts'],
  [`${SERVER}/platform/log.ts`, '../mcp/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../compose.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../../compose.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../../commands/serve.ts'],
  [`${SERVER}/another.ts`, './compose.ts'],
  [`${SERVER}/another.ts`, './compose/issue-edits.ts'],
  [`${SERVER}/another.test.ts`, './compose.ts'],
  [`${SERVER}/issues/service.test.ts`, '../compose.ts'],
  ['tools/bench/pairs.ts', '../../packages/server/src/compose.ts'],
  [`${SERVER}/commands/serve.ts`, '../compose/flows.ts'],
  [`${SERVER}/commands/serve.ts`, '../main.ts'],
  [`${SERVER}/commands/serve.test.ts`, '../compose.ts'],
  [`${SERVER}/testing/running-winnow.ts`, '../compose/flows.ts'],
  [`${SERVER}/trackers/testing/description.ts`, '../../compose.ts'],
  [`${SERVER}/compose.ts`, './testing/caller.ts'],
  [`${SERVER}/compose/flows.ts`, '../testing/caller.ts'],
  [`${SERVER}/compose/flows.ts`, '../commands/serve.ts'],
  [`${SERVER}/commands/serve.ts`, '../testing/running-winnow.ts'],
  [`${SERVER}/main.ts`, './platform/testing/database.ts'],
  [`${SERVER}/accounts/service.ts`, '../platform/testing/database.ts'],
  [`${SERVER}/trackers/github/client.ts`, './testing/per-test.ts'],
  [`${SERVER}/platform/jobs/jobs.ts`, '../testing/database.ts'],
  [`${SERVER}/platform/log.ts`, '../accounts/index.ts'],
  [`${SERVER}/platform/http/app.ts`, '../../billing/usage/counter-store.ts'],
  [`${SERVER}/platform/http/app.ts`, '../../commands/serve.ts'],
  [`${SERVER}/platform/http/app.ts`, '../../compose.ts'],
  [`${SERVER}/platform/http/app.ts`, '../../main.ts'],
  [`${SERVER}/platform/http/app.ts`, '../../schema/tables.ts'],
  [`${SERVER}/platform/testing/database.ts`, '../../accounts/service.ts'],
  [`${SERVER}/schema/tables.ts`, '../trackers/index.ts'],
  [`${SERVER}/schema/migrations/0001-accounts.ts`, '../../trackers/index.ts'],
  [`${SERVER}/a-part-without-a-line/service.ts`, '../platform/log.ts'],
  [`${SERVER}/issues/service.ts`, '../a-part-without-a-line/service.ts'],
  [`${SERVER}/issues/service.ts`, '../../../web/src/app/router.tsx'],
  [`${SERVER}/issues/service.ts`, '../../../../tools/run/setup.mjs'],
  ['packages/contract/src/issue.ts', '@winnow/server/src/compose.ts'],
  ['packages/contract/src/issue.ts', 'kysely'],
  ['packages/contract/src/issue.ts', 'node:fs'],
  ['packages/contract/src/issue.ts', '../../server/src/platform/log.ts'],
  ['packages/analysis/src/clean.ts', '@winnow/contract/issue'],
  ['packages/analysis/src/neighbours/plan.ts', '../../../server/src/platform/log.ts'],
  ['packages/web/src/main.tsx', '@winnow/server/src/compose.ts'],
  ['packages/web/src/main.tsx', '@winnow/analysis/clean'],
  ['packages/web/src/app/router.tsx', '../../../server/src/trackers/scope.ts'],
  ['packages/web/src/app/router.tsx', '../../../analysis/src/clean.ts'],
  [`${WEB}/app/router.tsx`, '../main.tsx'],
  [`${WEB}/app/router.tsx`, '../site/site.tsx'],
  [`${WEB}/screens/overview/metrics.tsx`, '../../app/router.tsx'],
  [`${WEB}/screens/overview/metrics.tsx`, '../similarity/use-review.ts'],
  [`${WEB}/screens/similarity/list/pair-list.tsx`, '../../compliance/search-params.ts'],
  [`${WEB}/features/issues/issue-key.tsx`, '../../app/router.tsx'],
  [`${WEB}/features/issues/issue-key.tsx`, '../../screens/similarity/use-review.ts'],
  [`${WEB}/features/issues/text/lines.ts`, '../../pairs/pair-search.ts'],
  [`${WEB}/features/pairs/pair-search.ts`, '../decisions/queries.ts'],
  [`${WEB}/features/decisions/queries.ts`, '../changes/change-texts.ts'],
  [`${WEB}/features/changes/change-texts.ts`, '../write-dialog/progress.tsx'],
  [`${WEB}/features/compliance/score.ts`, '../verdicts/queries.ts'],
  [`${WEB}/features/trackers/queries.ts`, '../tracker-scope/scope-rules.ts'],
  [`${WEB}/features/plans/texts.ts`, '../plan-cards/queries.ts'],
  [`${WEB}/features/plans/texts.ts`, '../../ui/card.tsx'],
  [`${WEB}/features/passwords/strength-meter.tsx`, '../../ui/card.tsx'],
  [`${WEB}/features/a-feature-without-a-line/queries.ts`, '../../api/session/session.ts'],
  [`${WEB}/ui/card.tsx`, '../features/issues/issue-key.tsx'],
  [`${WEB}/ui/card.tsx`, '../screens/similarity/use-review.ts'],
  [`${WEB}/ui/card.tsx`, '../app/router.tsx'],
  [`${WEB}/ui/card.tsx`, '@winnow/contract/issue'],
  [`${WEB}/main.tsx`, './site/main.tsx'],
  [`${WEB}/ui/card.tsx`, '@winnow/server/src/compose.ts'],
  [`${WEB}/theme/tones.ts`, '@winnow/contract/issue'],
  [`${WEB}/theme/tones.ts`, '../ui/card.tsx'],
  [`${WEB}/theme/tones.ts`, '../api/session/session.ts'],
  [`${WEB}/api/session/session.ts`, '../../ui/card.tsx'],
  [`${WEB}/api/query/query-keys.ts`, '../../features/issues/issue-key.tsx'],
  [`${WEB}/site/site.tsx`, '../ui/card.tsx'],
  [`${WEB}/site/site.tsx`, '../app/router.tsx'],
  [`${WEB}/site/site.tsx`, '../screens/pricing/screen.tsx'],
  [`${WEB}/site/site.tsx`, '../features/plan-cards/queries.ts'],
  [`${WEB}/screens/pricing/screen.tsx`, '../../site/site.tsx'],
  [`${WEB}/a-part-without-a-line/part.ts`, '../theme/tones.ts'],
];

const ALLOWED = [
  [`${SERVER}/compose/changes.ts`, '../changes/ledger.ts'],
  [`${SERVER}/commands/plan.ts`, '../billing/plans/store.ts'],
  [`${SERVER}/compliance/runs.http.test.ts`, '../changes/ledger.ts'],
  [`${SERVER}/main.ts`, './commands/commands.ts'],
  [`${SERVER}/commands/serve.ts`, '../compose.ts'],
  [`${SERVER}/testing/running-winnow.ts`, '../compose.ts'],
  [`${SERVER}/compose.ts`, './duplicates/service.ts'],
  [`${SERVER}/compose.ts`, './compose/flows.ts'],
  [`${SERVER}/compose/flows.ts`, './analysts.ts'],
  [`${SERVER}/compose/flows.ts`, '../flows/service.ts'],
  [`${SERVER}/issues/service.ts`, './store.ts'],
  [`${SERVER}/tracker-events/read-delivered.ts`, '../sync/index.ts'],
  [`${SERVER}/tracker-events/webhook-receiver.ts`, '../trackers/index.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../store.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../../trackers/index.ts'],
  [`${SERVER}/duplicates/service.ts`, '../changes/index.ts'],
  [`${SERVER}/duplicates/verdicts.ts`, '../ai/index.ts'],
  [`${SERVER}/compliance/service.ts`, '../changes/index.ts'],
  [`${SERVER}/dependencies/routes.ts`, '@winnow/analysis/dependencies/graph'],
  [`${SERVER}/issues/engine/engine.ts`, '@winnow/analysis/dependencies'],
  [`${SERVER}/duplicates/analyze.ts`, '../issues/index.ts'],
  [`${SERVER}/trackers/github/client.ts`, '../../platform/outbound/outbound.ts'],
  [`${SERVER}/trackers/github/client.test.ts`, './testing/per-test.ts'],
  [`${SERVER}/flows/runner/toolbox.ts`, '../../agent-tools/index.ts'],
  [`${SERVER}/flows/runner/toolbox.ts`, '../../mcp-servers/index.ts'],
  [`${SERVER}/mcp/server.ts`, '../agent-tools/index.ts'],
  [`${SERVER}/agent-tools/tools/create-issue.ts`, '../../issue-edits/index.ts'],
  [`${SERVER}/flows/executions/service.ts`, '../service.ts'],
  [`${SERVER}/flows/triggers/event-matcher.ts`, '../store.ts'],
  [`${SERVER}/accounts/store.ts`, '../schema/tables.ts'],
  [`${SERVER}/platform/testing/database.ts`, '../../schema/tables.ts'],
  ['packages/contract/src/issue.ts', 'zod'],
  ['packages/contract/src/issue.ts', './primitives.ts'],
  ['packages/analysis/src/embed.ts', './embed/session.ts'],
  [`${WEB}/main.tsx`, './app/app.tsx'],
  [`${WEB}/main.tsx`, './api/live/live.ts'],
  [`${WEB}/app/router.tsx`, '../screens/overview/screen.tsx'],
  [`${WEB}/app/shell/sidebar.tsx`, '../../features/pairs/queries.ts'],
  [`${WEB}/screens/overview/metrics.tsx`, '@winnow/contract/issue'],
  [`${WEB}/screens/overview/metrics.tsx`, './numbers.ts'],
  [`${WEB}/screens/similarity/list/pair-list.tsx`, '../use-review.ts'],
  [`${WEB}/screens/similarity/use-review.ts`, '../../features/plans/subscription.ts'],
  [`${WEB}/features/changes/change-texts.ts`, '../trackers/queries.ts'],
  [`${WEB}/features/issues/issue-key.tsx`, '../../ui/button.tsx'],
  [`${WEB}/features/issues/issue-key.tsx`, '../issue-status/status-icon.tsx'],
  [`${WEB}/ui/button.tsx`, '../theme/tones.ts'],
  [`${WEB}/ui/button.tsx`, '../api/session/api-error.ts'],
  [`${WEB}/ui/button.tsx`, '@mantine/core'],
  [`${WEB}/site/frame.tsx`, '../features/plans/subscription.ts'],
  [`${WEB}/site/frame.tsx`, '../theme/tones.ts'],
];

/** Imports that are refused only because the imported file is private to its folder. */
const PRIVATE = [
  [`${SERVER}/duplicates/verdicts.ts`, '../changes/ledger.ts'],
  [`${SERVER}/flows/runner/toolbox.ts`, '../../agent-tools/present.ts'],
  [`${SERVER}/issues/engine/engine.ts`, '../../trackers/rest/client.ts'],
  [`${SERVER}/mcp/server.ts`, '../agent-tools/tools/index.ts'],
];
const OWN_FACE = [`${SERVER}/issues/intake.ts`, './index.ts'];

/** Forms of import statements. */
const FORMS = {
  import: (from) => `import { a } from '${from}';`,
  'import of a type': (from) => `import type { A } from '${from}';`,
  'import in a type': (from) => `export let a: import('${from}').A;`,
  're-export': (from) => `export { a } from '${from}';`,
  'dynamic import': (from) => `await import('${from}');`,
};
const fileOf = (form) => `${SERVER}/issues/${form.replaceAll(' ', '-')}.ts`;

/** Names of the violated rules. The key is "file, import". */
const refusals = new Map();
/** Files that import forbidden modules indirectly, as "rule: file". */
let reached = [];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-import-rules-'));
  const plant = (path, line) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    appendFileSync(join(folder, path), `${line}\n`);
  };
  for (const [path, from] of [...REFUSED, ...PRIVATE, OWN_FACE, ...ALLOWED]) {
    plant(path, FORMS['import of a type'](from));
    const ours = /^@winnow\/(\w+)\/(src\/)?([^.]+)/.exec(from);
    if (ours !== null) plant(`packages/${ours[1]}/src/${ours[3]}.ts`, '');
    else if (from.startsWith('.')) plant(join(dirname(path), from), '');
    else if (!from.startsWith('node:')) plant(`node_modules/${from}/index.js`, '');
  }
  for (const [form, line] of Object.entries(FORMS)) plant(fileOf(form), line('../sync/index.ts'));
  plant(`${SERVER}/issues/hen.ts`, FORMS.import('./egg.ts'));
  plant(`${SERVER}/issues/egg.ts`, FORMS.import('./hen.ts'));
  plant(`${SERVER}/issues/lost.ts`, FORMS.import('./nowhere.ts'));
  plant(`${WEB}/site/page.tsx`, FORMS.import('../features/plans/table.tsx'));
  plant(`${WEB}/features/plans/table.tsx`, FORMS.import('@mantine/core'));
  plant(`${WEB}/site/plain.tsx`, FORMS.import('../features/plans/plain.ts'));
  plant(`${WEB}/features/plans/plain.ts`, '');
  mkdirSync(join(folder, 'node_modules/@winnow'));
  for (const name of ['analysis', 'contract', 'server', 'web']) {
    copyFileSync(
      join(root, 'packages', name, 'package.json'),
      join(folder, 'packages', name, 'package.json'),
    );
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@winnow', name), 'junction');
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      CRUISER,
      '--config',
      join(root, '.dependency-cruiser.mjs'),
      '--output-type',
      'json',
      'packages',
      'tools',
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
  );
  if (!stdout.startsWith('{')) throw new Error(`Dependency-cruiser returned no result: ${stderr}`);
  const { modules, summary } = JSON.parse(stdout);
  reached = summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  for (const { source, dependencies } of modules) {
    for (const { protocol = '', module, rules = [] } of dependencies) {
      refusals.set(
        `${source}, ${protocol}${module}`,
        rules.map(({ name }) => name),
      );
    }
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns the names of the rules that refuse an import. Rules about circular and unreachable files
 * are excluded.
 */
const refusedBy = (path, from) =>
  refusals.get(`${path}, ${from}`).filter((rule) => rule !== 'circle' && rule !== 'nowhere');

describe('the import rules refuse', () => {
  test.each(REFUSED)('%s importing %s', (path, from) => {
    expect(refusedBy(path, from)).not.toEqual([]);
  });

  test.each(Object.keys(FORMS))('an %s', (form) => {
    expect(refusedBy(fileOf(form), '../sync/index.ts')).toEqual(['server/issues']);
  });

  test('files that import each other', () => {
    expect(refusals.get(`${SERVER}/issues/hen.ts, ./egg.ts`)).toEqual(['circle']);
  });

  test('a public page that reaches the console library', () => {
    expect(reached).toContain(`web/site/library: ${WEB}/site/page.tsx`);
    expect(reached).not.toContain(`web/site/library: ${WEB}/site/plain.tsx`);
  });

  test('an import of a missing file', () => {
    expect(refusals.get(`${SERVER}/issues/lost.ts, ./nowhere.ts`)).toEqual(['nowhere']);
  });
});

describe('of a feature of the server, the import rules refuse', () => {
  test.each(PRIVATE)('%s importing %s', (path, from) => {
    expect(refusedBy(path, from)).toEqual(['face']);
  });

  test('a file importing its own index.ts', () => {
    expect(refusedBy(...OWN_FACE)).toEqual(['face/own']);
  });
});

describe('the import rules allow', () => {
  test.each(ALLOWED)('%s importing %s', (path, from) => {
    expect(refusedBy(path, from)).toEqual([]);
  });
});
