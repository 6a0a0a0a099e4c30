// Which part may import which, types included. `npm run check` refuses every other import with the sentence given here.

/** Each package, the others of this repository that it knows, and that in a sentence. */
const PACKAGES = [
  ['web', ['contract', 'passwords'], 'The web knows the contract and the rating of passwords only.'],
  [
    'server',
    ['contract', 'analysis', 'passwords'],
    'The server knows the contract, the analysis and the rating of passwords only.',
  ],
  ['contract', [], 'The contract depends on zod only.'],
  ['analysis', [], 'The analysis package knows nobody.'],
  ['passwords', [], 'The rating of passwords knows no other package.'],
];

/**
 * Each part of the server and of the web, and the parts it stands on. A part may import those, the parts that they
 * stand on, and nothing else of its package.
 */
const STANDS_ON = {
  server: {
    'main.ts': ['commands'],
    commands: ['compose.ts'],
    'compose.ts': ['compose'],
    compose: ['flows', 'mcp'],
    flows: ['agent-tools', 'mcp-servers', 'tracker-events'],
    mcp: ['agent-tools'],
    'agent-tools': ['duplicates', 'compliance', 'dependencies', 'issue-edits'],
    'mcp-servers': ['changes', 'ai'],
    duplicates: ['changes', 'ai'],
    compliance: ['changes', 'ai'],
    dependencies: ['changes', 'ai'],
    'issue-edits': ['changes', 'ai'],
    'tracker-events': ['changes'],
    changes: ['sync'],
    ai: ['sync'],
    sync: ['issues'],
    issues: ['trackers'],
    trackers: ['accounts', 'billing', 'leads'],
    accounts: ['schema'],
    billing: ['schema'],
    leads: ['schema'],
    schema: ['platform'],
    platform: [],
  },
  web: {
    'main.tsx': ['app'],
    app: ['screens'],
    screens: [
      'features/write-dialog',
      'features/compliance',
      'features/mcp-servers',
      'features/passwords',
      'features/coding-tools',
      'features/plan-cards',
      'features/settings',
      'features/tracker-scope',
      'features/verdicts',
    ],
    'features/write-dialog': ['features/changes'],
    'features/changes': ['features/decisions'],
    'features/decisions': ['features/pairs', 'features/account'],
    'features/pairs': ['features/issues'],
    'features/issues': ['features/trackers', 'features/issue-status'],
    'features/tracker-scope': ['features/trackers'],
    'features/trackers': ['ui'],
    'features/verdicts': ['features/models'],
    'features/models': ['ui'],
    'features/compliance': ['ui'],
    'features/mcp-servers': ['features/flows'],
    'features/flows': ['ui'],
    'features/plan-cards': ['features/plans', 'features/usage'],
    'features/usage': ['ui'],
    'features/settings': ['ui'],
    'features/account': ['ui'],
    ui: ['api', 'theme'],
    site: ['features/plans', 'features/passwords', 'features/coding-tools', 'features/issue-status'],
    'features/plans': ['api', 'theme'],
    'features/passwords': ['api', 'theme'],
    'features/coding-tools': ['api', 'theme'],
    'features/issue-status': ['api', 'theme'],
    api: ['zod-without-eval.ts'],
    theme: [],
    'zod-without-eval.ts': [],
  },
};

/** The sentence for an import that goes up. */
const UPWARD = {
  server: 'Imports go down only: see docs/ARCHITECTURE.md. What must travel up is registered in compose.ts.',
  web: 'Imports go down only: app, screens, features, ui, then api and theme. See docs/ARCHITECTURE.md.',
};
/** A more exact sentence for some parts. */
const UPWARD_FROM = {
  'server/flows':
    'Flows use the tools of agents from agent-tools/, and know nothing of the server that agents connect to.',
  'server/schema': 'The schema knows no feature.',
  'server/platform': 'The platform knows no feature.',
  'web/site':
    'The public site imports api/, theme/ and the features that do without the console library: see docs/ARCHITECTURE.md.',
  'web/ui': 'Parts under ui/ know no feature, no screen and no app.',
  'web/api': 'The client of the API knows nothing of what is displayed.',
  'web/theme': 'The theme knows no other part of the web.',
};
const COMPOSE = 'Only main.ts, commands/ and testing/ know compose.ts, and only that its parts.';

const SERVER = '^packages/server/src/';
const WEB = '^packages/web/src/';
const TESTS = ['\\.test\\.\\w+$', '/testing/'];

const within = (folder, part) =>
  folder + (/\.tsx?$/.test(part) ? `${part.replace('.', '\\.')}$` : `${part}/`);
const at = (part) => within(SERVER, part);
const downFrom = (table, part) => [
  ...new Set([part, ...table[part].flatMap((under) => downFrom(table, under))]),
];
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const FEATURES = downFrom(STANDS_ON.server, 'compose').filter(
  (part) => !['compose', 'schema', 'platform'].includes(part),
);
const COMMAND_LINE = [at('main.ts'), at('commands')];
const COMPOSITION = [at('compose.ts'), at('compose')];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...PACKAGES.map(([name, knows, sentence]) =>
      forbid(
        name,
        sentence,
        { path: `^packages/${name}/`, pathNot: TESTS },
        name === 'contract'
          ? { pathNot: ['^packages/contract/', '^node_modules/zod/'] }
          : {
              path: '^(packages|tools|e2e)/',
              pathNot: [name, ...knows].map((known) => `^packages/${known}/`),
            },
      ),
    ),
    ...Object.entries(STANDS_ON).flatMap(([name, table]) => {
      const folder = `^packages/${name}/src/`;
      const parts = Object.keys(table).map((part) => within(folder, part));
      return [
        ...Object.keys(table).map((part) =>
          forbid(
            `${name}/${part}`,
            UPWARD_FROM[`${name}/${part}`] ?? UPWARD[name],
            { path: within(folder, part), pathNot: TESTS },
            {
              path: folder,
              pathNot: [
                ...downFrom(table, part).map((under) => within(folder, under)),
                // Rules further down say who may import these.
                ...(name === 'server' ? [...COMMAND_LINE, ...COMPOSITION] : []),
                '/testing/',
              ],
            },
          ),
        ),
        forbid(
          `${name}/another`,
          `Every part of the ${name} has its line in .dependency-cruiser.mjs.`,
          { path: folder, pathNot: [...parts, ...TESTS] },
          {},
        ),
      ];
    }),
    forbid(
      'server/platform/testing',
      UPWARD_FROM.platform,
      { path: at('platform/testing') },
      { path: SERVER, pathNot: [at('platform'), at('schema'), '/testing/'] },
    ),
    forbid(
      'store',
      "Use the feature's service.ts; its store.ts is its own.",
      { path: `${SERVER}(${FEATURES.join('|')})/`, pathNot: TESTS },
      { path: `${SERVER}(?:${FEATURES.join('|')})/.*store\\.ts$`, pathNot: at('$1') },
    ),
    forbid(
      'command-line',
      'Nothing imports the command line.',
      { path: `${SERVER}([^/]+)`, pathNot: [at('main.ts'), ...TESTS] },
      { path: COMMAND_LINE, pathNot: at('$1') },
    ),
    forbid(
      'compose',
      COMPOSE,
      { pathNot: [...COMMAND_LINE, ...COMPOSITION, ...TESTS] },
      { path: at('compose.ts') },
    ),
    forbid('compose/by-tests', COMPOSE, { path: TESTS, pathNot: at('testing') }, { path: at('compose.ts') }),
    forbid('compose/parts', COMPOSE, { pathNot: COMPOSITION }, { path: at('compose') }),
    forbid(
      'web/screens/each-other',
      'A screen imports no other screen. Move what two screens share to features/.',
      { path: `${WEB}screens/([^/]+)/`, pathNot: TESTS },
      { path: `${WEB}screens/`, pathNot: `${WEB}screens/$1/` },
    ),
    forbid(
      'web/ui/domain',
      'Parts under ui/ know nothing of issues, changes or accounts: pass in what they display.',
      { path: `${WEB}(ui|theme)/`, pathNot: TESTS },
      { path: '^packages/contract/' },
    ),
    forbid(
      'web/site/library',
      'The public pages load without the library of the console.',
      { path: `${WEB}site/`, pathNot: TESTS },
      { path: '^node_modules/@mantine/', reachable: true },
    ),
    forbid(
      'testing',
      'What is under testing/ is for tests only.',
      { path: '^packages/', pathNot: TESTS },
      { path: '^packages/.*/testing/' },
    ),
    forbid(
      'circle',
      'Of files that import each other in a circle, one runs before what it needs is there.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid('nowhere', 'There is no such file or package.', {}, { couldNotResolve: true }),
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    exclude: { path: '^packages/web/dist/' },
    doNotFollow: { path: '(^|/)node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
