#!/usr/bin/env node
// The command line: `nodejs` and `skill` as ego lite has them, and a few commands for the person.

import { readFileSync } from 'node:fs';
import { manage } from './lib/manage.mjs';
import { keep } from './lib/keeper.mjs';
import { runScript } from './lib/script.mjs';

const usage = `ego-browser nodejs        run the script on stdin; what it prints goes to stderr
ego-browser skill         print the guide for scripts
ego-browser spaces        list the task spaces
ego-browser take SPACE    take a space over: scripts keep out until you hand it back
ego-browser give SPACE    hand it back
ego-browser close SPACE   close a space and its tabs
ego-browser stop          close the browser and every space
`;

const [command, ...rest] = process.argv.slice(2);
switch (command) {
  case 'nodejs':
    await runScript();
    break;
  case 'skill':
    process.stdout.write(readFileSync(new URL('./guide.md', import.meta.url)));
    break;
  case 'spaces':
  case 'take':
  case 'give':
  case 'close':
  case 'stop':
    process.exitCode = await manage(command, rest);
    break;
  case 'keeper': // started by the others, see lib/link.mjs
    await keep();
    break;
  default:
    process.stderr.write(usage);
    process.exitCode = 2;
}
