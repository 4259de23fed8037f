// The keeper: one background process for a profile. It owns Chromium, knows which tab belongs to which space and which
// spaces the person took over, and ends with Chromium after half an hour in which no script ran.

import { spawn } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { createServer } from 'node:net';
import { WebSocketServer } from 'ws';
import { chromiumArgs, findChromium, idleTime, keeperAddress } from './home.mjs';
import { Relay } from './relay.mjs';

const startLimit = 15000; // ms until Chromium must answer
const messageMost = 256 << 20; // bytes of one message of a script, as Playwright's own limit
const quitLimit = 5000; // ms that Chromium has to end in good order

// Chromium is the browser's process, which is spoken to over a pipe alone.
class Chromium {
  #process;
  quitting = false;

  // start returns when the browser answers.
  static async start(onExit) {
    const c = new Chromium();
    c.#process = spawn(findChromium(), chromiumArgs(), { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    c.#process.once('exit', onExit);
    const [, , , to, from] = c.#process.stdio;
    for (const pipe of [to, from]) pipe.on('error', () => {}); // the browser is going; exit says so
    c.relay = new Relay(to, from);
    await c.#answering();
    return c;
  }

  #answering() {
    return new Promise((resolve, reject) => {
      let log = '';
      const fail = (why) => reject(new Error(`start Chromium: ${why}\n${log}`.trim()));
      const timer = setTimeout(() => fail('it does not answer'), startLimit);
      this.#process.once('error', (e) => fail(e.message));
      this.#process.once('exit', (code, signal) => fail(`it ended with ${signal ?? code}`));
      this.#process.stderr.setEncoding('utf8').on('data', (data) => {
        log = (log + data).slice(-4096); // read to the end, or the browser would block
      });
      this.relay.ask('Browser.getVersion').then(() => (clearTimeout(timer), resolve()), (e) => fail(e.message));
    });
  }

  closeTab(targetId) {
    this.relay.ask('Target.closeTarget', { targetId }).catch(() => {}); // it is closed already
  }

  quit() {
    this.quitting = true;
    this.#process.kill('SIGTERM');
    setTimeout(() => this.#process.kill('SIGKILL'), quitLimit).unref();
  }
}

// Spaces is what is known of the task spaces. They live as long as the browser.
class Spaces {
  #spaces = new Map(); // name -> {targets, taken, runs, used}
  used = Date.now(); // when any of them was

  open(name) {
    let s = this.#spaces.get(name);
    if (!s) this.#spaces.set(name, (s = { targets: new Set(), taken: false, runs: 0, used: 0 }));
    if (s.taken) {
      const e = new Error(`EGO_TASK_SPACE_NAME_IN_USE: the person took over the task space ${JSON.stringify(name)}; wait until they hand it back`);
      throw Object.assign(e, { code: 'EGO_TASK_SPACE_NAME_IN_USE' });
    }
    s.runs++;
    this.touch(s);
    return s;
  }

  leave(s) {
    s.runs--;
    this.touch(s);
  }

  touch(s) {
    this.used = s.used = Date.now();
  }

  known(name) {
    const s = this.#spaces.get(name);
    if (!s) throw new Error(`find task space: there is no ${JSON.stringify(name)}`);
    return s;
  }

  remove(name) {
    const s = this.known(name);
    this.#spaces.delete(name);
    return [...s.targets];
  }

  list() {
    return [...this.#spaces].map(([name, s]) => ({ name, taken: s.taken, running: s.runs > 0, tabs: s.targets.size }));
  }

  // idle are the names of spaces that no script used since then. Those that the person took over are theirs to close.
  idle(since) {
    return [...this.#spaces].filter(([, s]) => s.runs === 0 && !s.taken && s.used <= since).map(([name]) => name);
  }

  get empty() {
    return this.#spaces.size === 0;
  }
}

export async function keep() {
  const { socket, browser: browserSocket } = keeperAddress();
  const report = (message) => process.connected && process.send(message, () => process.connected && process.disconnect());
  process.on('disconnect', () => {}); // whoever started us is gone, or has what it wanted
  let server;
  const end = (code) => {
    if (server?.listening) for (const path of [browserSocket, socket]) rmSync(path, { force: true });
    process.exit(code);
  };
  try {
    const spaces = new Spaces();
    const browser = await Chromium.start(() => end(0));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => browser.quit());
    await listen(browserSocket, openBrowser(browser.relay));
    server = await listen(socket, createServer((connection) => serve(connection, spaces, browser)));
    watchIdle(spaces, browser);
    report({ ready: true });
  } catch (e) {
    report({ error: e.message });
    setTimeout(() => end(1), 200);
  }
}

// listen takes an address over from a keeper that died. That no other keeper lives is known from the lock in link.mjs,
// and from Chromium, which lets a profile be used once. The folder lets nobody else in, nor does the socket.
async function listen(path, server) {
  if (process.platform !== 'win32') rmSync(path, { force: true });
  await new Promise((resolve, reject) => server.once('error', reject).listen(path, resolve));
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return server;
}

// openBrowser is the server at which Playwright finds the browser, as it would at a port.
function openBrowser(relay) {
  const server = createWebServer((_, response) => response.writeHead(404).end());
  new WebSocketServer({ server, maxPayload: messageMost, perMessageDeflate: false }).on('connection', (socket) => {
    const joined = relay.join((text) => socket.send(text));
    const refuse = () => socket.terminate(); // the browser is going, or the script says what is no message
    socket.on('message', (data) => joined.then((peer) => peer.say(data.toString())).catch(refuse));
    socket.on('error', () => {}); // close follows
    socket.on('close', () => joined.then((peer) => peer.leave(), () => {}));
  });
  return server;
}

// watchIdle closes spaces that no script has used for long, and the browser once that holds for all.
function watchIdle(spaces, browser) {
  const limit = idleTime();
  setInterval(() => {
    const since = Date.now() - limit;
    for (const name of spaces.idle(since)) spaces.remove(name).forEach((t) => browser.closeTab(t));
    if (spaces.empty && spaces.used <= since) browser.quit();
  }, Math.min(30000, limit / 4));
}

// serve answers the requests of one connection.
function serve(connection, spaces, browser) {
  let open = null;
  const requests = {
    open({ name }) {
      if (open) throw new Error('open task space: a script has one space');
      open = spaces.open(name);
      return { targets: [...open.targets] };
    },
    own({ targets }) { // the tabs of the space, as the script sees them
      open.targets = new Set(targets);
      return {};
    },
    spaces: () => ({ spaces: spaces.list() }),
    take: ({ name }) => ((spaces.known(name).taken = true), {}),
    give({ name }) {
      const s = spaces.known(name);
      s.taken = false;
      spaces.touch(s);
      return {};
    },
    close({ name }) {
      spaces.remove(name).forEach((t) => browser.closeTab(t));
      return {};
    },
    stop: () => (setImmediate(() => browser.quit()), {}),
  };
  let rest = '';
  connection.setEncoding('utf8');
  connection.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      let answer;
      try {
        const request = JSON.parse(line);
        if (!Object.hasOwn(requests, request.op)) throw new Error('ask keeper: unknown request');
        if (browser.quitting) return; // our end is the answer: whoever wants a browser asks the next keeper
        answer = requests[request.op](request);
      } catch (e) {
        answer = { error: e.message, code: e.code };
      }
      connection.write(JSON.stringify(answer) + '\n');
    }
  });
  connection.on('error', () => {}); // close follows
  connection.on('close', () => open && spaces.leave(open));
}
