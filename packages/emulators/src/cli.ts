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

const help = `Starts emulated issue trackers or an emulated Stripe in memory, to try Winnow manually.

  node packages/emulators/src/cli.ts github|gitlab|jira|all|stripe [options]

"all" starts GitHub, GitLab and Jira, but not Stripe.

Options:
  --port N          Port to listen on (default 4010). With 0, the system chooses a port.
                    "all" also uses the two ports after it.
  --enterprise      GitHub only: emulate an Enterprise Server, with the API below /api/v3
                    and no rate limit.
  --rate-limit N    GitHub only: maximum requests per hour and login (default 5000).
  --help            Show this text.

All trackers contain the same small backlog. Its projects are ladle-app/ladle and
ladle-app/ladle-server. In Jira (Data Center), they are LADLE and LADLESERVE.

Faults:
  POST /_emulator/faults adds a fault, for example
    {"match":{"method":"GET","path":"/issues"},"every":2,"action":{"kind":"status","status":500}}
  DELETE /_emulator/faults removes all faults.
  GET /_emulator/requests returns the received requests.
  GET /_emulator/state returns all data.

User actions in GitHub and GitLab (branch, message and user are optional):
  POST /_emulator/pushes pushes a commit:
    {"project":"ladle-app/ladle","branch":"main","message":"Fix it","user":"mira-holt"}
  POST /_emulator/merges merges a pull request (number 9 in GitHub, 1 in GitLab):
    {"project":"ladle-app/ladle","number":9,"user":"mira-holt"}

Webhooks in Jira: POST /rest/webhooks/1.0/webhook with the token of an administrator:
  {"name":"Winnow","url":"http://...","events":["jira:issue_created","jira:issue_updated",
   "jira:issue_deleted","comment_created","comment_updated","comment_deleted"]}

Stripe:
  POST /_emulator/endpoint sets the URL that gets all events:
    {"url":"http://...","secret":"whsec_..."}
  POST /_emulator/pass-period starts the next period of a subscription:
    {"subscription":"sub_..."}
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
 * @throws {Error} if the text is not a whole number
 */
function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} requires a whole number, not "${text}".`);
  return Number(text);
}

/**
 * Parses the command-line arguments.
 * @throws {Error} with a sentence for the user if an argument is invalid
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
  'ladle only, fine-grained, read-only': smallSeedTokens.readOnly,
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
  say(`  personal access token, to be used without a user name: ${JIRA_TOKEN}`);
  return emulator;
}

async function startStripe(port: number): Promise<Started> {
  const emulator = await startStripeEmulator({ port, prices: WINNOW_PRICES });
  say(`The Stripe emulator is ready at ${emulator.url}`);
  for (const { lookup_key, unit_amount } of WINNOW_PRICES) say(`  ${lookup_key}: $${unit_amount / 100}`);
  for (const [card, number] of Object.entries(CARDS)) say(`  card (${card}): ${number}`);
  const env = Object.entries(stripeEnv(emulator)).map(([name, value]) => `${name}=${value}`);
  const endpoint = { url: 'http://127.0.0.1:3000/api/v1/billing/webhook', secret: WEBHOOK_SECRET };
  say(`Start Winnow with ${env.join(' ')}`);
  say(`Send its events to Winnow: curl -d '${JSON.stringify(endpoint)}' ${emulator.url}/_emulator/endpoint`);
  return emulator;
}

/** Returns the port `places` above the given one. Returns 0 if the system chooses the ports. */
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
  if (kind !== 'stripe') say(`Allow Winnow to call these private addresses: OUTBOUND_ALLOWED_HOSTS=${hosts}`);
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
