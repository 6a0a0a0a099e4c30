import { parseArgs } from 'node:util';
import { startGitHubEmulator } from './github/emulator.ts';
import { smallSeed, smallSeedTokens } from './github/small-seed.ts';
import { startGitLabEmulator } from './gitlab/emulator.ts';
import { startJiraEmulator } from './jira/emulator.ts';
import { GITLAB_TOKEN, JIRA_TOKEN, smallGitLab, smallJira } from './small-backlogs.ts';
import { startStripeEmulator } from './stripe/emulator.ts';
import { stripeEnv, WEBHOOK_SECRET } from './stripe/environment.ts';
import { CARDS } from './stripe/model.ts';
import { WINNOW_PRICES } from './stripe/winnow-prices.ts';

const help = `Starts emulated issue trackers, or an emulated Stripe, in memory, for trying the product manually.

  node packages/emulators/src/cli.ts github|gitlab|jira|all|stripe [options]

  --port N          port to listen on; 0 lets the system choose (default 4010); \`all\` also uses the two after it

Options of github and all:
  --enterprise      behave as an Enterprise Server: only under /api/v3, no rate limit
  --rate-limit N    requests per hour and login (default 5000)
  --help            show this

Each has the same small backlog: ladle-app/ladle and ladle-app/ladle-server, in Jira (a Data Center)
LADLE and LADLESERVE.
Faults: POST /_emulator/faults, for instance
  {"match":{"method":"GET","path":"/issues"},"every":2,"action":{"kind":"status","status":500}}
DELETE /_emulator/faults clears them. GET /_emulator/requests and /_emulator/state show what happened.
Actions of users (GitHub and GitLab; branch, message and user are optional):
  POST /_emulator/pushes {"project":"ladle-app/ladle","branch":"main","message":"Fix it","user":"mira-holt"}
  POST /_emulator/merges {"project":"ladle-app/ladle","number":9,"user":"mira-holt"} (1 in GitLab)
A Jira administrator creates a webhook with POST /rest/webhooks/1.0/webhook
  {"name":"Winnow","url":"http://...","events":["jira:issue_created","jira:issue_updated","jira:issue_deleted",
   "comment_created","comment_updated","comment_deleted"]}
Stripe (all does not start it) sends events to one address: POST /_emulator/endpoint {"url":"http://...","secret":"whsec_..."};
  start the next period of a subscription with POST /_emulator/pass-period {"subscription":"sub_..."}
`;

const KINDS = ['github', 'gitlab', 'jira', 'all', 'stripe'] as const;

interface Choice {
  kind: (typeof KINDS)[number];
  port: number;
  enterprise: boolean;
  rateLimit: number | undefined;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Parses a whole number from the command line.
 * @throws {Error} for anything else
 */
function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} requires a whole number, not "${text}".`);
  return Number(text);
}

/**
 * Parses the arguments of the command line.
 * @throws {Error} with a sentence for the user if they are invalid
 */
function readArguments(args: string[]): Choice | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '4010' },
      enterprise: { type: 'boolean', default: false },
      'rate-limit': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help || positionals.length === 0) return 'help';
  const kind = KINDS.find((one) => one === positionals[0]);
  if (kind === undefined) {
    throw new Error(`Unknown emulator "${positionals[0]}". Available: ${KINDS.join(', ')}.`);
  }
  const limit = values['rate-limit'];
  return {
    kind,
    port: whole('port', values.port),
    enterprise: values.enterprise,
    rateLimit: limit === undefined ? undefined : whole('rate-limit', limit),
  };
}

const GITHUB_TOKENS = {
  'all repositories, administrator': smallSeedTokens.admin,
  'ladle only, triage': smallSeedTokens.triage,
  'ladle only, fine-grained, reading': smallSeedTokens.readOnly,
};

/** A running emulator and the port that it listens on. */
interface Started {
  port: number;
  close(): Promise<void>;
}

async function startGitHub(choice: Choice): Promise<Started> {
  const emulator = await startGitHubEmulator({
    seed: smallSeed,
    port: choice.port,
    enterprise: choice.enterprise,
    ...(choice.rateLimit === undefined ? {} : { rateLimit: choice.rateLimit }),
  });
  say(`The GitHub emulator is ready at ${emulator.apiUrl}`);
  for (const repo of smallSeed.repos) say(`  ${repo.owner}/${repo.name}: ${repo.issues.length} issues`);
  for (const [what, token] of Object.entries(GITHUB_TOKENS)) say(`  token (${what}): ${token}`);
  return emulator;
}

async function startGitLab(port: number): Promise<Started> {
  const seed = smallGitLab();
  const emulator = await startGitLabEmulator({ seed, port });
  say(`The GitLab emulator is ready at ${emulator.url}`);
  for (const { path_with_namespace, issues } of seed.projects) {
    say(`  ${path_with_namespace}: ${issues.length} issues`);
  }
  say(`  token: ${GITLAB_TOKEN}`);
  return emulator;
}

async function startJira(port: number): Promise<Started> {
  const seed = smallJira();
  const emulator = await startJiraEmulator({ deployment: 'data_center', seed, port });
  say(`The Jira emulator is ready at ${emulator.siteUrl}`);
  for (const { key, issues } of seed.projects) say(`  ${key}: ${issues.length} issues`);
  say(`  personal access token, without a user name: ${JIRA_TOKEN}`);
  return emulator;
}

async function startStripe(port: number): Promise<Started> {
  const emulator = await startStripeEmulator({ port, prices: WINNOW_PRICES });
  say(`The Stripe emulator is ready at ${emulator.url}`);
  for (const { lookup_key, unit_amount } of WINNOW_PRICES) say(`  ${lookup_key}: $${unit_amount / 100}`);
  for (const [card, number] of Object.entries(CARDS)) say(`  card that ${card}: ${number}`);
  const env = Object.entries(stripeEnv(emulator)).map(([name, value]) => `${name}=${value}`);
  const endpoint = { url: 'http://127.0.0.1:3000/api/v1/billing/webhook', secret: WEBHOOK_SECRET };
  say(`Start Winnow with ${env.join(' ')}`);
  say(`Send its events to Winnow: curl -d '${JSON.stringify(endpoint)}' ${emulator.url}/_emulator/endpoint`);
  return emulator;
}

/**
 * Returns the port that is `places` after the given one. Returns 0 if the system chooses the port.
 */
function after(port: number, places: number): number {
  return port === 0 ? 0 : port + places;
}

async function run(choice: Choice): Promise<void> {
  const { kind, port } = choice;
  const started: Started[] = [];
  if (kind === 'github' || kind === 'all') started.push(await startGitHub(choice));
  if (kind === 'gitlab' || kind === 'all')
    started.push(await startGitLab(kind === 'all' ? after(port, 1) : port));
  if (kind === 'jira' || kind === 'all')
    started.push(await startJira(kind === 'all' ? after(port, 2) : port));
  if (kind === 'stripe') started.push(await startStripe(port));
  const hosts = started.map((emulator) => `127.0.0.1:${emulator.port}`).join(',');
  if (kind !== 'stripe')
    say(`Winnow calls private addresses only when allowed: OUTBOUND_ALLOWED_HOSTS=${hosts}`);
  const stop = () => {
    Promise.all(started.map((emulator) => emulator.close())).catch((error: unknown) => fail(error));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

try {
  const choice = readArguments(process.argv.slice(2));
  if (choice === 'help') process.stdout.write(help);
  else await run(choice);
} catch (error) {
  fail(error);
}
