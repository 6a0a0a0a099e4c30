import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const UNPACK = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url));
const packageFile = z.object({ version: z.string() });
const PACKAGE = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'));

/** Prevents background downloads and first-run dialogs. */
const ARGUMENTS = ['--disable-background-networking', '--disable-quic', '--no-first-run'];

/**
 * Launch options for Playwright.
 * Playwright's default `--no-sandbox` stays in effect. The sandbox does not work as root or in most
 * containers, and this browser only opens pages of Winnow.
 */
export interface ChromiumLaunch {
  /**
   * Path of the packaged browser. Absent if it does not run; Playwright then uses its own browser.
   */
  executablePath?: string;
  args: string[];
  /**
   * Complete environment of the browser process. If it is absent, the browser inherits the current
   * environment.
   */
  env?: Record<string, string>;
}

/**
 * Unpacks the packaged Chromium into a temporary folder.
 * The name of the folder contains version and user, because the package would otherwise reuse any
 * version that it finds. Unpacking takes a few seconds, once. Several processes may call this
 * concurrently.
 * If the packaged Chromium does not run on this machine, the result makes Playwright use its own
 * browser.
 */
export async function readyChromium(): Promise<ChromiumLaunch> {
  const ownBrowser = { args: ARGUMENTS };
  if (process.platform !== 'linux' || process.arch !== 'x64') return ownBrowser;
  const folder = await unpackedFolder();
  const executablePath = join(folder, 'chromium');
  for (const libraries of [null, join(folder, 'al2023', 'lib')]) {
    const env = await environment(folder, libraries);
    if (await starts(executablePath, env)) return { executablePath, args: ARGUMENTS, env };
  }
  return ownBrowser;
}

async function unpackedFolder(): Promise<string> {
  const { version } = packageFile.parse(JSON.parse(await readFile(PACKAGE, 'utf8')));
  const { uid } = userInfo();
  const folder = join(tmpdir(), `winnow-chromium-${version}-${uid}`);
  if (!existsSync(folder)) {
    const draft = await mkdtemp(`${folder}-`);
    await run(process.execPath, [UNPACK], { env: { ...process.env, NODE_OPTIONS: '', TMPDIR: draft } });
    await writeFile(join(draft, 'fonts.conf'), fontsConfiguration(folder));
    // Another process may have unpacked the browser first. The folder of that process has the same
    // content.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  if ((await stat(folder)).uid !== uid) {
    throw new Error(`${folder} belongs to another user. Remove it, or set TMPDIR to a different folder.`);
  }
  return folder;
}

/** Adds the bundled libraries and fonts to the environment if the system lacks them. */
async function environment(folder: string, libraries: string | null): Promise<Record<string, string>> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(inherited),
    ...(libraries === null ? {} : { LD_LIBRARY_PATH: libraries }),
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') }),
  };
}

function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}

/**
 * True if the browser starts. Detects a missing library or an incompatible C library. Playwright
 * would report them only in a long log.
 */
async function starts(executablePath: string, env: Record<string, string>): Promise<boolean> {
  try {
    await run(executablePath, ['--version'], { env });
    return true;
  } catch {
    return false;
  }
}
