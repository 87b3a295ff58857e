import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves as soon as the condition holds; the limit only keeps a failing test from running for ever. */
export async function eventually(condition: () => unknown): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 400) throw new Error(`This did not come true: ${condition}`);
    await sleep(25);
  }
}
