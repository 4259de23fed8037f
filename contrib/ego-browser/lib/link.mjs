// The way to the keeper: JSON lines over its socket. A connection that has a space open counts as a run.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataFolder, keeperAddress } from './home.mjs';

const startTime = 20000; // ms; a cold Chromium on a slow disk takes some seconds

class Link {
  #socket;
  #waiting = [];
  #rest = '';
  #gone = null;

  constructor(socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (data) => this.#read(data));
    socket.on('error', (e) => this.#end(e));
    socket.on('close', () => this.#end(new Error('ask keeper: it is gone')));
  }

  #read(data) {
    const lines = (this.#rest + data).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#waiting.shift()?.resolve(JSON.parse(line));
  }

  #end(error) {
    this.#gone ??= error;
    for (const w of this.#waiting.splice(0)) w.reject(this.#gone);
  }

  // ask sends one request; the keeper answers in the order of the requests.
  async ask(request) {
    if (this.#gone) throw this.#gone;
    const answer = await new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(JSON.stringify(request) + '\n');
    });
    if (!answer.error) return answer;
    throw Object.assign(new Error(answer.error), answer.code && { code: answer.code });
  }

  // gone tells whether the keeper has ended, or the link.
  get gone() {
    return this.#gone !== null;
  }

  close() {
    this.#socket.destroy();
  }
}

function tryConnect(path) {
  return new Promise((resolve, reject) => {
    const socket = dial(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(new Link(socket));
    });
    socket.once('error', reject);
  });
}

// connected returns a link to the keeper that runs, or null.
export async function connected() {
  try {
    return await tryConnect(keeperAddress().socket);
  } catch (e) {
    if (['ENOENT', 'ECONNREFUSED', 'EPIPE', 'ECONNRESET'].includes(e.code)) return null;
    throw e;
  }
}

// connect returns a link to the keeper, which it starts where none runs.
export async function connect() {
  const { lock } = keeperAddress();
  for (const until = Date.now() + startTime; Date.now() < until; await sleep(50)) {
    const link = await connected();
    if (link) return link;
    if (!takeLock(lock)) continue;
    try {
      await startKeeper();
    } finally {
      rmSync(lock, { force: true });
    }
  }
  throw new Error('start keeper: it does not answer');
}

// begin dials and asks the first question of a link, whose answer it returns with the link; null where there is no keeper. A
// keeper may end between the two, since nobody uses it: then the next one is asked, once.
export async function begin(dialer, request) {
  for (let again = true; ; again = false) {
    const link = await dialer();
    if (!link) return null;
    try {
      return { link, answer: await link.ask(request) };
    } catch (e) {
      const { gone } = link;
      link.close();
      if (!gone || !again) throw e;
    }
  }
}

// takeLock lets one process start the keeper. A lock whose owner was killed is removed.
function takeLock(path) {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (e) {
    if (e.code !== 'EEXIST') throw e;
  }
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    if (owner > 0) process.kill(owner, 0); // 0: about to be written
  } catch (e) {
    if (e.code === 'ESRCH') rmSync(path, { force: true });
  }
  return false;
}

// startKeeper returns when the keeper listens. It is a process of its own, in a session of its own, and holds none of our
// pipes: it outlives this one.
function startKeeper() {
  return new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL('../ego-browser.mjs', import.meta.url));
    const keeper = spawn(process.execPath, [program, 'keeper'], {
      detached: true,
      cwd: dataFolder(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    keeper.once('message', (m) => {
      keeper.disconnect();
      keeper.unref();
      if (m.error) reject(new Error(m.error));
      else resolve();
    });
    keeper.once('error', reject);
    keeper.once('exit', (code) => reject(new Error(`start keeper: it ended with ${code}`)));
  });
}
