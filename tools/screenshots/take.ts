// node_modules/.bin/node tools/screenshots/take.ts [folder]: takes screenshots of every screen and
// dialog in both schemes, on a large screen and on a phone. --readme takes and installs the
// screenshot of the README only. --site takes the images and recordings of the public site.
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { currentUser } from '@winnow/contract/account';
import { complianceResults } from '@winnow/contract/compliance';
import { dependencyList, MAX_SCANNED_ISSUES } from '@winnow/contract/dependency';
import { searchResults } from '@winnow/contract/search';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { smallSeed, smallSeedTokens } from '@winnow/emulators/github/small-seed';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { type Account, fillWithSample, newAccount, signedInState } from '../browser/account.ts';
import { readyChromium } from '../browser/chromium.ts';
import { everyScreen, type ScreenState, type ScreenViewer } from '../browser/every-screen.ts';
import { record } from './page-recorder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README_PICTURE = join(ROOT, 'docs', 'images', 'similarity-dark.png');
const SITE_FILES = join(ROOT, 'packages', 'web', 'public');
/**
 * Viewport of the slides on the landing page, which are taken at scale two. The viewport is wide
 * enough to show the panel beside the list.
 */
const SLIDE_SIZE = { width: 1440, height: 800 };
/** Recordings for the public site: the keys to press, and the pause before each key. */
const RECORDINGS = [
  {
    // Browses the list, opens a pair, previews closing it as a duplicate, marks it as unrelated,
    // and undoes that.
    picture: 'ui_01.png',
    video: 'duplicates.webm',
    path: '/console/issues',
    opens: ['j', 'Enter'],
    keys: [
      ['j', 1200],
      ['j', 700],
      ['k', 700],
      ['Enter', 900],
      ['d', 2600],
      ['Escape', 2600],
      ['u', 1200],
      ['z', 2400],
    ],
  },
  {
    // Opens an issue, reads the reasons for its score, and previews the suggestion.
    picture: 'ui_02.png',
    video: 'compliance.webm',
    path: '/console/issues/compliance',
    opens: ['j', 'Enter'],
    keys: [
      ['j', 1600],
      ['Enter', 900],
      ['i', 3200],
      ['Escape', 4200],
      ['j', 1400],
      ['j', 1400],
    ],
  },
  {
    // Walks through the dependencies of a project, and switches from the graph to the list.
    picture: 'ui_03.png',
    video: 'dependencies.webm',
    path: '/console/issues/dependencies?view=graph',
    opens: [],
    keys: [
      ['Tab', 1600],
      ['g', 2600],
      ['j', 1600],
      ['Enter', 900],
    ],
  },
] as const;
const LAST_PAUSE_MS = 2000;
/** Still images of the public site, with the state of a screen that each shows. */
const STILLS = { 'ui_04.png': 'flow-execution', 'ui_05.png': 'clusters' } as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ['dark', 'light'] as const;
/** Turns off animations, so that every element is shown in its final state. */
const STILL = { animations: 'disabled', caret: 'initial' } as const;
type Size = (typeof SIZES)[number];
type Scheme = (typeof SCHEMES)[number];

/** Builds the console, so that the screenshots are up to date. */
function buildConsole(): void {
  const build = `import { buildWeb } from './tools/run/build-web.mjs'; buildWeb(process.cwd(), process.execPath);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', build], { cwd: ROOT, stdio: 'inherit' });
}

/** Takes screenshots of a running product. */
class Studio {
  readonly #url: string;
  readonly #browser: Browser;
  readonly #reader: Account;
  readonly #newcomer: Account;

  private constructor(url: string, browser: Browser, reader: Account, newcomer: Account) {
    this.#url = url;
    this.#browser = browser;
    this.#reader = reader;
    this.#newcomer = newcomer;
  }

  static async open(url: string, browser: Browser): Promise<Studio> {
    const newcomer = await person(url, 'maya', 'Maya Lindqvist');
    const reader = await person(url, 'jonas', 'Jonas Reuter');
    await fillWithSample(reader);
    return new Studio(url, browser, reader, newcomer);
  }

  /**
   * Opens a browser context for a viewer, with this size and color scheme. The caller must close
   * it.
   */
  async context(who: ScreenViewer, size: Size, scheme: Scheme): Promise<BrowserContext> {
    const account = await this.#account(who);
    const context = await this.#browser.newContext({
      baseURL: this.#url,
      viewport: size,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: 'en-US',
      ...(account === null ? {} : { storageState: signedInState(this.#url, account.api) }),
    });
    await context.addInitScript({ content: "localStorage.setItem('theme', 'system')" });
    return context;
  }

  /** Scans all issues of the user `reader` for dependencies, and scores them. */
  async scanAll(): Promise<void> {
    const { api } = this.#reader;
    for (let skip = 0; ; skip += MAX_SCANNED_ISSUES) {
      const { results } = await api.get(`/search?limit=${MAX_SCANNED_ISSUES}&skip=${skip}`, searchResults);
      const issue_ids = results.map(({ item }) => item.id);
      if (issue_ids.length === 0) return;
      await api.send('POST', '/issue-dependencies/detect', { issue_ids }, dependencyList);
      await api.send('POST', '/issue_compliance/batch', { issue_ids }, complianceResults);
    }
  }

  async #account(who: ScreenViewer): Promise<Account | null> {
    switch (who) {
      case 'visitor':
        return null;
      case 'newcomer':
        return this.#newcomer;
      case 'reader':
        return this.#reader;
      case 'decider': {
        const account = await newAccount(this.#url);
        await fillWithSample(account);
        return account;
      }
    }
  }
}

async function person(url: string, username: string, fullName: string): Promise<Account> {
  const account = await newAccount(url, username);
  await account.api.send('PUT', '/auth/users/me', { full_name: fullName }, currentUser);
  return account;
}

const github = await startGitHubEmulator({ seed: smallSeed });
const connection = {
  url: github.url,
  token: smallSeedTokens.admin,
  readOnlyToken: smallSeedTokens.readOnly,
  organization: 'ladle-app',
  project: 'ladle-server',
};

/**
 * Takes screenshots of a state at one size in both color schemes. Opens the state once, because the
 * color scheme changes with the system setting.
 */
async function take(studio: Studio, screen: ScreenState, size: Size, folder: string): Promise<void> {
  const context = await studio.context(screen.viewer, size, SCHEMES[0]);
  try {
    const page = await context.newPage();
    await screen.open(page, connection);
    await page.mouse.move(0, 0);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html.${scheme}`).waitFor();
      await page.screenshot({
        path: join(folder, `${screen.name}-${size.width}-${scheme}.png`),
        ...STILL,
      });
    }
  } finally {
    await context.close();
  }
}

async function takeAll(studio: Studio, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const screen of everyScreen) {
    for (const size of SIZES) {
      if (screen.narrowOnly && size !== SIZES[1]) continue;
      await take(studio, screen, size, folder);
    }
    console.log(screen.name);
  }
}

/**
 * Takes the screenshot for the README: the list of pairs on a large screen, with an open pair and
 * the preview of closing it.
 */
async function takeForReadme(studio: Studio): Promise<void> {
  const [size] = SIZES;
  if (size === undefined) throw new Error('There is no size.');
  await mkdir(join(README_PICTURE, '..'), { recursive: true });
  await takeStill(studio, stateNamed('pair'), size, README_PICTURE);
  console.log(README_PICTURE);
}

function stateNamed(name: string): ScreenState {
  const state = everyScreen.find((screen) => screen.name === name);
  if (state === undefined) throw new Error(`Unknown state "${name}".`);
  return state;
}

/**
 * Takes a screenshot of a state in the dark scheme. With `anew`, first reloads the page to remove
 * messages and to reset scrolling.
 */
async function takeStill(
  studio: Studio,
  state: ScreenState,
  size: Size,
  path: string,
  { anew = false } = {},
): Promise<void> {
  const context = await studio.context(state.viewer, size, 'dark');
  const page = await context.newPage();
  await state.open(page, connection);
  if (anew) {
    await page.reload();
    await page.waitForLoadState('networkidle');
  }
  await page.mouse.move(0, 0);
  await page.screenshot({ path, ...STILL });
  await context.close();
}

/** Takes the images and recordings for the slides of the landing page. */
async function takeForSite(studio: Studio, browser: Browser): Promise<void> {
  await mkdir(join(SITE_FILES, 'images'), { recursive: true });
  await mkdir(join(SITE_FILES, 'videos'), { recursive: true });
  await studio.scanAll();
  const context = await studio.context('reader', SLIDE_SIZE, 'dark');
  const page = await context.newPage();
  for (const { picture, video, path, opens, keys } of RECORDINGS) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    for (const key of opens) await page.keyboard.press(key);
    await page.mouse.move(0, 0);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(SITE_FILES, 'images', picture), ...STILL });

    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await record(browser, page, join(SITE_FILES, 'videos', video), async () => {
      for (const [key, pauseMs] of keys) {
        await page.waitForTimeout(pauseMs);
        await page.keyboard.press(key);
      }
      await page.waitForTimeout(LAST_PAUSE_MS);
    });
  }
  await context.close();
  for (const [picture, name] of Object.entries(STILLS)) {
    await takeStill(studio, stateNamed(name), SLIDE_SIZE, join(SITE_FILES, 'images', picture), {
      anew: true,
    });
  }
  console.log(join(SITE_FILES, 'images'), join(SITE_FILES, 'videos'));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    readme: { type: 'boolean', default: false },
    site: { type: 'boolean', default: false },
  },
});
buildConsole();
const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${github.port}` } });
const browser = await chromium.launch(await readyChromium());
try {
  const studio = await Studio.open(server.url, browser);
  if (values.readme) await takeForReadme(studio);
  else if (values.site) await takeForSite(studio, browser);
  else await takeAll(studio, positionals[0] ?? join(ROOT, 'test-results', 'screenshots'));
} finally {
  await browser.close();
  await server.remove();
  await github.close();
}
