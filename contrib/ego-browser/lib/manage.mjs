// The commands for the person.

import { begin, connected } from './link.mjs';

export async function manage(op, [name, ...more]) {
  const needsName = ['take', 'give', 'close'].includes(op);
  if (needsName !== (name !== undefined) || more.length > 0) {
    process.stderr.write(`ego-browser ${op}${needsName ? ' SPACE' : ''}\n`);
    return 2;
  }
  try {
    const begun = await begin(connected, { op, name });
    if (!begun) {
      process.stderr.write('the browser is not running\n');
      return op === 'stop' ? 0 : 1;
    }
    const { link, answer } = begun;
    link.close();
    for (const s of answer.spaces ?? []) {
      process.stdout.write(`${s.name}\t${s.taken ? 'yours' : s.running ? 'running' : 'waiting'}\t${s.tabs} tabs\n`);
    }
    return 0;
  } catch (e) {
    process.stderr.write(`${e.message}\n`);
    return 1;
  }
}
