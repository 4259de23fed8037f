// Where things are, and what the environment says.

import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

// privateFolder makes a folder that no other user can look into, and refuses one that is not ours.
function privateFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const info = lstatSync(path);
  if (!info.isDirectory() || (process.getuid && info.uid !== process.getuid())) {
    throw new Error(`use folder ${path}: it is not yours`);
  }
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}

// dataFolder holds the browser's profile: sign-ins, cookies, downloads.
export function dataFolder() {
  const base = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return privateFolder(resolve(process.env.YUI_EGO_HOME || join(base, 'yui-ego-browser')));
}

export function profileFolder() {
  return privateFolder(join(dataFolder(), 'profile'));
}

// keeperAddress is the keeper's socket, that of the browser behind it, and the lock for starting it. A socket's path may
// have a hundred bytes at most, so it stands in the runtime folder under a short name.
export function keeperAddress() {
  const id = createHash('sha256').update(dataFolder()).digest('hex').slice(0, 16);
  const user = process.getuid ? process.getuid() : 'me';
  const { XDG_RUNTIME_DIR: given = '' } = process.env;
  const runtime = /^[\w./-]+$/.test(given) ? given : ''; // Playwright is told of the socket in an address, as it is
  const folder = privateFolder(runtime ? join(runtime, 'yui-ego-browser') : join(tmpdir(), `yui-ego-${user}`));
  const lock = join(folder, `${id}.lock`);
  if (process.platform === 'win32') {
    const pipe = `\\\\.\\pipe\\yui-ego-${user}-${id}`;
    return { socket: pipe, browser: `${pipe}-browser`, lock };
  }
  return { socket: join(folder, `${id}.sock`), browser: join(folder, `${id}.web`), lock };
}

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

// findChromium returns the path of a Chromium.
export function findChromium() {
  const wanted = process.env.YUI_EGO_CHROMIUM;
  if (wanted) return wanted;
  const places = (process.env.PATH || '').split(delimiter).filter((p) => p.startsWith('/')).concat('/usr/bin', '/snap/bin');
  const apps = ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
  for (const path of places.flatMap((p) => names.map((n) => join(p, n))).concat(apps)) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // the next
    }
  }
  throw new Error('find Chromium: install the package chromium, or name the program in YUI_EGO_CHROMIUM');
}

// headless: on a desktop the person sees what is done, can sign in and can take over.
export function headless() {
  const set = process.env.YUI_EGO_HEADLESS;
  if (set !== undefined && set !== '') return set !== '0';
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

export function chromiumArgs() {
  const args = [
    '--remote-debugging-pipe', // no port, which other users could find; ends the browser with the keeper, however that ends
    `--user-data-dir=${profileFolder()}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-client-side-phishing-detection',
    '--disable-sync',
    '--disable-breakpad',
    '--metrics-recording-only',
    '--no-pings',
    '--disable-features=OptimizationHints,MediaRouter,Translate,InterestFeedContentSuggestions,AutofillServerCommunication',
    '--disable-search-engine-choice-screen',
    '--disable-backgrounding-occluded-windows', // a covered window can be photographed
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    '--hide-crash-restore-bubble',
    '--noerrdialogs',
    '--password-store=basic',
    '--use-mock-keychain',
    '--window-size=1280,800',
  ];
  if (headless()) args.push('--headless', '--hide-scrollbars', '--mute-audio');
  // Chromium's own sandbox cannot work for root; everywhere else it stays on.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return args.concat((process.env.YUI_EGO_CHROMIUM_ARGS || '').split(/\s+/).filter(Boolean), 'about:blank');
}

// idleTime is after how long without a script spaces and browser are closed, in milliseconds.
export function idleTime() {
  const set = Number(process.env.YUI_EGO_IDLE_MS);
  return set > 0 ? set : 30 * 60 * 1000;
}
