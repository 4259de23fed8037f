// One script, as `ego-browser nodejs` runs it: in this process, which ends with it.

import { Console } from 'node:console';
import { text } from 'node:stream/consumers';
import { Script, constants } from 'node:vm';
import { taskSpace } from './space.mjs';

const opening = '(async function () {';

export async function runScript() {
  const source = await text(process.stdin);
  // Everything that is printed goes to stderr; stdout stays empty.
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.on('exit', (code) => {
    if (code !== 0) process.stderr.write(`exited with code ${code}\n`);
  });
  // That import() in a script is experimental in this Node is none of the script's business.
  process.removeAllListeners('warning');
  process.on('warning', (w) => w.name !== 'ExperimentalWarning' && process.stderr.write(`${w.stack}\n`));
  globalThis.taskSpace = taskSpace;
  const fail = (e) => {
    process.stderr.write(`${e?.stack ?? e}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    // The body of an async function, its first line being line 1. import() works as in any program; static imports do not.
    const script = new Script(`${opening}${source}\n})`, {
      filename: 'script.js',
      columnOffset: -opening.length,
      importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    await script.runInThisContext()();
  } catch (e) {
    fail(e);
  }
  process.exit(); // with process.exitCode, where the script has set it; timers that it forgot do not hold it up
}
