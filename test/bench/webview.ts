import type { Browser, CDPSession, Page } from 'playwright-core';
import { bundle, launch, noBrowser, show } from '../unit/webview/page';
import type { Row } from './row';

/** The streaming renderer and the transcript, in a browser, against what anybody would write first. */
export async function run(): Promise<Row[]> {
  if (noBrowser) return [{ name: 'webview', value: `skipped: ${noBrowser}`, bar: '-', ok: true }];
  const files = await bundle('test/bench/webview/page.ts', true);
  const browser = await launch();
  try {
    return [...(await streaming(browser, files)), ...(await transcript(browser, files))];
  } finally {
    await browser.close();
  }
}

/** A page of its own for each measurement: nothing is left from the one before. */
async function inPage<T>(browser: Browser, files: Map<string, string>, use: (page: Page) => Promise<T>): Promise<T> {
  const { page } = await show(browser, files, { free: true });
  try {
    await page.waitForFunction(() => 'bench' in globalThis);
    return await use(page);
  } finally {
    await page.close();
  }
}

/** Milliseconds of the main thread's own processor time that `use` took: script, style, layout and paint. */
async function cpu<T>(page: Page, use: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await taskTime(session);
  const result = await use();
  const ms = (await taskTime(session)) - before;
  await session.detach();
  return { ms, result };
}

async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const round = (value: number): string => value.toFixed(Number.isInteger(value) || value >= 10 ? 0 : 2);

async function streaming(browser: Browser, files: Map<string, string>): Promise<Row[]> {
  const kb = 1024;
  const streamed = (size: number) =>
    inPage(browser, files, page => cpu(page, () => page.evaluate(length => bench.stream(length), size)));
  const whole = (size: number) =>
    inPage(browser, files, page => cpu(page, () => page.evaluate(length => bench.oneShot(length), size)));

  const ratios: number[] = [];
  const growth: number[] = [];
  const times = { stream: [] as number[], whole: [] as number[] };
  let sameText = true;
  for (let i = 0; i < 3; i++) {
    const [one, all] = [await whole(200 * kb), await streamed(200 * kb)];
    times.whole.push(one.ms);
    times.stream.push(all.ms);
    ratios.push(all.ms / one.ms);
    sameText &&= all.result.text === one.result && one.result.length > 100 * kb;
    const [small, large] = [await streamed(100 * kb), await streamed(400 * kb)];
    growth.push(large.ms / small.ms);
  }
  const slow = await paced(browser, files);
  return [
    atMost('200 KB answer in 20-character chunks / one parse and insert (CPU)', median(ratios), 1.5, `${round(median(times.stream))} / ${round(median(times.whole))} ms`),
    atMost('CPU of 400 KB / CPU of 100 KB', median(growth), 5),
    atMost('characters parsed per character received, at 20 KB/s', slow.parsedPerByte, 20),
    atMost('late frames of our making, 200 KB at 20 KB/s', slow.late, 0, `${slow.seenLate} late with others at work, ${round(slow.perFrame)} ms a frame`),
    atMost('long tasks of ours, 200 KB at 20 KB/s', slow.longTasks, 0, `the longest took ${round(slow.longest)} ms`),
    holds('text of the answer is that of the baseline', sameText),
  ]; // prettier-ignore
}

/**
 * A fast stream in real time. The machine may be busy with other things, so a frame or a task counts as long when our
 * main thread worked for that long in it: by its own processor time, which is what it would have taken on a free machine.
 */
async function paced(browser: Browser, files: Map<string, string>) {
  const size = 200 * 1024;
  return inPage(browser, files, async page => {
    await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    await page.evaluate(() => performance.mark('bench-start'));
    const { ms, result } = await cpu(page, () => page.evaluate(length => bench.stream(length, 20 * 1024), size));
    const tasks = tasksOf(await browser.stopTracing());
    const late = result.late.filter(
      ({ from, to }) =>
        sum(tasks.filter(task => task.at < to && task.at + task.wall > from).map(task => task.cpu)) >= long,
    );
    return {
      parsedPerByte: result.parsedPerByte,
      perFrame: ms / result.frames,
      late: late.length,
      seenLate: result.late.length,
      longTasks: tasks.filter(task => task.cpu > long).length,
      longest: Math.max(...tasks.map(task => task.cpu)),
    };
  });
}

/** What the browser calls a long task or a long animation frame, in milliseconds. */
const long = 50;

/** The tasks of the page's main thread, in milliseconds on the page's clock. */
function tasksOf(trace: Buffer): { at: number; wall: number; cpu: number }[] {
  interface TraceEvent {
    name: string;
    pid: number;
    tid: number;
    ts: number;
    dur?: number;
    tdur?: number;
    args: { data?: { startTime?: number } };
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mark = traceEvents.find(({ name }) => name === 'bench-start');
  const zero = (mark?.ts ?? NaN) / 1000 - (mark?.args.data?.startTime ?? NaN);
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pid === mark?.pid && tid === mark.tid)
    .map(({ ts, dur = 0, tdur = 0 }) => ({ at: ts / 1000 - zero, wall: dur / 1000, cpu: tdur / 1000 }));
  if (!mark || tasks.length === 0) throw new Error('The trace of the browser has no tasks.');
  return tasks;
}

async function transcript(browser: Browser, files: Map<string, string>): Promise<Row[]> {
  const count = 5000;
  const frames = 300;
  const shares: number[] = [];
  const times = { ours: [] as number[], plain: [] as number[], frame: [] as number[], idle: [] as number[] };
  let seen = { elements: 0, last: [] as string[], inOrder: false };
  let sameText = true;
  for (let i = 0; i < 3; i++) {
    const plain = await inPage(browser, files, async page => {
      await page.evaluate(size => bench.prepare(size), count);
      const { ms } = await cpu(page, () => page.evaluate(() => bench.plain()));
      return { ms, seen: await page.evaluate(() => bench.seen()) };
    });
    const ours = await inPage(browser, files, async page => {
      await page.evaluate(size => bench.prepare(size), count);
      const { ms } = await cpu(page, () => page.evaluate(() => bench.transcript()));
      const first = await page.evaluate(() => bench.seen());
      const stream = await cpu(page, () => page.evaluate(number => bench.streamAtEnd(number), frames));
      const idle = await cpu(page, () => page.evaluate(number => bench.idleFrames(number), frames));
      return { ms, seen: first, frame: stream.ms / frames, idle: idle.ms / frames };
    });
    seen = ours.seen;
    sameText &&= JSON.stringify(seen.last) === JSON.stringify(plain.seen.last) && seen.last.length === 20;
    shares.push((ours.ms / plain.ms) * 100);
    times.ours.push(ours.ms);
    times.plain.push(plain.ms);
    times.frame.push(ours.frame);
    times.idle.push(ours.idle);
  }
  return [
    atMost('5,000 entries: first paint in % of plain DOM (CPU)', median(shares), 10, `${round(median(times.ours))} / ${round(median(times.plain))} ms`),
    atMost('5,000 entries: elements', seen.elements, 5000),
    atMost('5,000 entries: ms a frame while streaming at the end (CPU)', median(times.frame), 4, `an idle frame takes ${round(median(times.idle))} ms`),
    holds('5,000 entries: reading order, and text of the baseline', seen.inOrder && sameText),
  ]; // prettier-ignore
}

function atMost(name: string, value: number, bar: number, note?: string): Row {
  return { name, value: round(value) + (note ? ` (${note})` : ''), bar: `<= ${bar}`, ok: value <= bar };
}

function holds(name: string, ok: boolean): Row {
  return { name, value: ok ? 'yes' : 'no', bar: 'yes', ok };
}
