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
 * Each part of the server, and those it stands on. It may import them, what they stand on in turn, and nothing else of
 * the server.
 */
const STANDS_ON = {
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
};

const UPWARD =
  'Imports go down only: see docs/ARCHITECTURE.md. What must travel up is registered in compose.ts.';
/** For some parts it can be said more exactly. */
const UPWARD_FROM = {
  flows:
    'Flows use the tools of agents from agent-tools/, and know nothing of the server that agents connect to.',
  schema: 'The schema knows no feature.',
  platform: 'The platform knows no feature.',
};
const COMPOSE = 'Only main.ts, commands/ and testing/ know compose.ts, and only that its parts.';

const SERVER = '^packages/server/src/';
const TESTS = ['\\.test\\.\\w+$', '/testing/'];

const at = (part) => SERVER + (part.endsWith('.ts') ? `${part.replace('.', '\\.')}$` : `${part}/`);
const downFrom = (part) => [...new Set([part, ...STANDS_ON[part].flatMap(downFrom)])];
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const FEATURES = downFrom('compose').filter((part) => !['compose', 'schema', 'platform'].includes(part));
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
    ...Object.keys(STANDS_ON).map((part) =>
      forbid(
        `server/${part}`,
        UPWARD_FROM[part] ?? UPWARD,
        { path: at(part), pathNot: TESTS },
        // Who may import the last three is said further down.
        { path: SERVER, pathNot: [...downFrom(part).map(at), ...COMMAND_LINE, ...COMPOSITION, '/testing/'] },
      ),
    ),
    forbid(
      'server/platform/testing',
      UPWARD_FROM.platform,
      { path: at('platform/testing') },
      { path: SERVER, pathNot: [at('platform'), at('schema'), '/testing/'] },
    ),
    forbid(
      'server/another',
      'Every part of the server has its line in .dependency-cruiser.mjs.',
      { path: SERVER, pathNot: [...Object.keys(STANDS_ON).map(at), ...TESTS] },
      {},
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
      'ui',
      'What is under ui/ knows no screen.',
      { path: '^packages/web/src/ui/', pathNot: TESTS },
      { path: '^packages/web/src/(console|site)/' },
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
