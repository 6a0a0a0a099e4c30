// Import rules between parts, including types. `npm run check` reports violations with the sentence
// given here.

/** Packages, their permitted imports of other packages, and the message. */
const PACKAGES = [
  ['web', ['contract', 'passwords'], 'The web may import only the contract and the password rating.'],
  [
    'server',
    ['contract', 'analysis', 'passwords'],
    'The server may import only the contract, the analysis and the password rating.',
  ],
  ['contract', [], 'The contract may import only zod.'],
  ['analysis', [], 'The analysis may not import other packages.'],
  ['passwords', [], 'The password rating may not import other packages.'],
  ['emulators', ['contract'], 'Emulators may import only the contract, so that every test can use them.'],
];

/**
 * Dependencies of each part of the server and of the web. A part may import them and their
 * dependencies, and nothing else of its package.
 */
const DEPENDENCIES = {
  server: {
    'main.ts': ['commands'],
    commands: ['compose.ts'],
    'compose.ts': ['compose'],
    compose: ['flows', 'mcp'],
    flows: ['agent-tools', 'mcp-servers', 'tracker-events'],
    mcp: ['agent-tools'],
    'agent-tools': ['duplicates', 'clusters', 'compliance', 'dependencies', 'issue-edits'],
    'mcp-servers': ['changes', 'ai'],
    duplicates: ['changes', 'ai'],
    clusters: ['changes'],
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
      'features/clusters',
      'features/workspaces',
    ],
    'features/write-dialog': ['features/changes'],
    'features/changes': ['features/decisions'],
    'features/decisions': ['features/pairs', 'features/account'],
    'features/pairs': ['features/issues'],
    'features/issues': ['features/trackers', 'features/issue-status'],
    'features/tracker-scope': ['features/trackers'],
    'features/trackers': ['ui'],
    'features/verdicts': ['features/models'],
    'features/clusters': ['features/pairs'],
    'features/models': ['ui'],
    'features/compliance': ['ui'],
    'features/mcp-servers': ['features/flows'],
    'features/flows': ['ui'],
    'features/plan-cards': ['features/plans', 'features/usage'],
    'features/usage': ['ui'],
    'features/settings': ['ui'],
    'features/workspaces': ['ui'],
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

/** Message for an upward import. */
const UPWARD_MESSAGE = {
  server: 'Imports go down only: see docs/ARCHITECTURE.md. Register callbacks to higher parts in compose.ts.',
  web: 'Imports go down only: app, screens, features, ui, then api and theme. See docs/ARCHITECTURE.md.',
};
/** More specific messages for some parts. */
const UPWARD_MESSAGES = {
  'server/flows': 'Flows use the tools in agent-tools/ and may not import the MCP server.',
  'server/schema': 'The schema may not import features.',
  'server/platform': 'The platform may not import features.',
  'web/site':
    'The public site may import api/, theme/ and the features without the console library: see docs/ARCHITECTURE.md.',
  'web/ui': 'Parts in ui/ may not import features, screens or the app.',
  'web/api': 'The API client may not import anything that is displayed.',
  'web/theme': 'The theme may not import other parts of the web.',
};
const COMPOSE_MESSAGE =
  'Only main.ts, commands/ and testing/ may import compose.ts, and only compose.ts its parts.';

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

const FEATURES = downFrom(DEPENDENCIES.server, 'compose').filter(
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
    forbid(
      'packages/tools',
      'Packages may not import tools, even in tests: tools/ and e2e/ stand on packages/.',
      { path: '^packages/' },
      { path: '^(tools|e2e)/' },
    ),
    ...Object.entries(DEPENDENCIES).flatMap(([name, table]) => {
      const folder = `^packages/${name}/src/`;
      const parts = Object.keys(table).map((part) => within(folder, part));
      return [
        ...Object.keys(table).map((part) =>
          forbid(
            `${name}/${part}`,
            UPWARD_MESSAGES[`${name}/${part}`] ?? UPWARD_MESSAGE[name],
            { path: within(folder, part), pathNot: TESTS },
            {
              path: folder,
              pathNot: [
                ...downFrom(table, part).map((under) => within(folder, under)),
                // Rules further down restrict imports of these.
                ...(name === 'server' ? [...COMMAND_LINE, ...COMPOSITION] : []),
                '/testing/',
              ],
            },
          ),
        ),
        forbid(
          `${name}/another`,
          `Add every part of the ${name} to DEPENDENCIES in .dependency-cruiser.mjs.`,
          { path: folder, pathNot: [...parts, ...TESTS] },
          {},
        ),
      ];
    }),
    forbid(
      'server/platform/testing',
      UPWARD_MESSAGES.platform,
      { path: at('platform/testing') },
      { path: SERVER, pathNot: [at('platform'), at('schema'), '/testing/'] },
    ),
    forbid(
      'face',
      "Import the feature's index.ts; its other files are private.",
      { path: `${SERVER}(${FEATURES.join('|')})/`, pathNot: TESTS },
      {
        path: `${SERVER}(?:${FEATURES.join('|')})/`,
        pathNot: [at('$1'), `${SERVER}[^/]+/index\\.ts$`, '/testing/'],
      },
    ),
    forbid(
      'face/own',
      'index.ts is for other features. Import the file itself.',
      { path: `${SERVER}([^/]+)/`, pathNot: TESTS },
      { path: `${SERVER}$1/index\\.ts$` },
    ),
    forbid(
      'command-line',
      'No other part may import the command line.',
      { path: `${SERVER}([^/]+)`, pathNot: [at('main.ts'), ...TESTS] },
      { path: COMMAND_LINE, pathNot: at('$1') },
    ),
    forbid(
      'compose',
      COMPOSE_MESSAGE,
      { pathNot: [...COMMAND_LINE, ...COMPOSITION, ...TESTS] },
      { path: at('compose.ts') },
    ),
    forbid(
      'compose/by-tests',
      COMPOSE_MESSAGE,
      { path: TESTS, pathNot: at('testing') },
      { path: at('compose.ts') },
    ),
    forbid('compose/parts', COMPOSE_MESSAGE, { pathNot: COMPOSITION }, { path: at('compose') }),
    forbid(
      'web/screens/each-other',
      'Screens may not import each other. Move shared code to features/.',
      { path: `${WEB}screens/([^/]+)/`, pathNot: TESTS },
      { path: `${WEB}screens/`, pathNot: `${WEB}screens/$1/` },
    ),
    forbid(
      'web/ui/domain',
      'Parts in ui/ may not import issues, changes or accounts: pass in what they display.',
      { path: `${WEB}(ui|theme)/`, pathNot: TESTS },
      { path: '^packages/contract/' },
    ),
    forbid(
      'web/site/library',
      'Public pages may not load the console library.',
      { path: `${WEB}site/`, pathNot: TESTS },
      { path: '^node_modules/@mantine/', reachable: true },
    ),
    forbid(
      'testing',
      'Code in testing/ is for tests only.',
      { path: '^packages/', pathNot: TESTS },
      { path: '^packages/.*/testing/' },
    ),
    forbid(
      'circle',
      'In an import cycle, one file runs before its imports are initialized.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid('nowhere', 'The file or package does not exist.', {}, { couldNotResolve: true }),
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
