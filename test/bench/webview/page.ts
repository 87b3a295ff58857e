// Runs in the page: what is measured, for the benchmark to call.
import '../../../webview/styles.css';
import type { ViewEntry } from '../../../src/chat/view';
import { nextFrame } from '../../../webview/frame';
import { MarkdownStream } from '../../../webview/markdownStream';
import { Transcript } from '../../../webview/transcript';
import { oneShot } from '../baseline/oneShot';
import { plainTranscript } from '../baseline/plainTranscript';
import { answer, session } from './fixtures';

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

async function frames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await frame();
}

/** The place of one message in a view, scrolled to its end like the view does. */
function messagePlace(): { root: HTMLElement; scroller: HTMLElement } {
  const scroller = document.createElement('div');
  scroller.className = 'scroller';
  const root = scroller.appendChild(document.createElement('div'));
  document.body.replaceChildren(scroller);
  return { root, scroller };
}

/** What is seen of a text, without the view's own buttons and however the blocks are spaced. */
function textOf(root: Element): string {
  const copy = root.cloneNode(true) as Element;
  for (const own of copy.querySelectorAll('.codeBar, [hidden]')) own.remove();
  return (copy.textContent ?? '').replace(/\s+/g, '');
}

/** Sends chunks from a worker, as separate messages; with `perSecond` at that many characters a second. */
async function feed(text: string, perSecond: number | undefined, take: (chunk: string) => void): Promise<void> {
  const source = `onmessage = ({ data: [text, perSecond] }) => {
    let at = 0;
    const send = until => { for (; at < until; at += 20) postMessage(text.slice(at, at + 20)); };
    if (!perSecond) { send(text.length); postMessage(null); return; }
    const start = performance.now();
    const timer = setInterval(() => {
      send(Math.min(text.length, (performance.now() - start) / 1000 * perSecond));
      if (at >= text.length) { clearInterval(timer); postMessage(null); }
    }, 4);
  };`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  await new Promise<void>(resolve => {
    worker.onmessage = ({ data }) => (data === null ? resolve() : take(data as string));
    worker.postMessage([text, perSecond]);
  });
  worker.terminate();
}

/** In milliseconds of the page's own clock. */
export interface LateFrame {
  from: number;
  to: number;
}

const parts = {
  async oneShot(size: number): Promise<string> {
    const { root, scroller } = messagePlace();
    oneShot(root, answer(size));
    scroller.scrollTop = scroller.scrollHeight;
    await frames(3);
    return textOf(root);
  },

  /** Streams an answer. Gives its text, what was parsed for each character, and the long frames in which our script ran. */
  async stream(
    size: number,
    perSecond?: number,
  ): Promise<{ text: string; parsedPerByte: number; late: LateFrame[]; frames: number }> {
    const { root, scroller } = messagePlace();
    const stream = new MarkdownStream();
    root.append(stream.root);
    const late: LateFrame[] = [];
    const observer = new PerformanceObserver(list => {
      for (const entry of list.getEntries() as (PerformanceEntry & { scripts: { sourceURL: string }[] })[])
        if (entry.scripts.some(({ sourceURL }) => sourceURL.endsWith('/view.js')))
          late.push({ from: entry.startTime, to: entry.startTime + entry.duration });
    });
    observer.observe({ type: 'long-animation-frame' });
    let painted = 0;
    const draw = (now: number): boolean => {
      const done = stream.flush(now);
      scroller.scrollTop = scroller.scrollHeight;
      painted++;
      return done;
    };
    await feed(answer(size), perSecond, chunk => {
      stream.append(chunk);
      nextFrame(draw);
    });
    stream.end();
    await frames(3);
    observer.disconnect();
    return { text: textOf(stream.root), parsedPerByte: stream.parsed / size, late, frames: painted };
  },

  prepare(count: number): void {
    entries = session(count);
  },

  async plain(): Promise<void> {
    const { root } = messagePlace();
    root.className = 'feed';
    plainTranscript(root, entries);
    const scroller = root.parentElement;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
    await frames(3);
  },

  async transcript(): Promise<void> {
    transcript = new Transcript({
      host: { request: () => Promise.reject(new Error('There is no host.')), tell: () => {} },
      agentName: () => 'Agent',
    });
    document.body.replaceChildren(transcript.root);
    transcript.reset(entries, { at: 'bottom' });
    await frames(3);
  },

  /** What the screen shows, and whether all that is drawn is in order. */
  seen(): { elements: number; last: string[]; inOrder: boolean } {
    const articles = [...document.querySelectorAll<HTMLElement>('article')];
    const order = new Map(entries.map(({ id }, at) => [id, at]));
    const at = articles.map(({ dataset }) => order.get(dataset['id'] ?? '') ?? -1);
    return {
      elements: document.querySelectorAll('*').length,
      last: articles.slice(-20).map(textOf),
      inOrder: at.every((place, i) => place >= 0 && (i === 0 || (at[i - 1] ?? -1) < place)),
    };
  },

  /** Streams into the last message, one patch a frame. */
  async streamAtEnd(count: number): Promise<void> {
    const text = answer(count * 330);
    let all = entries;
    for (let i = 0; i < count; i++) {
      const chunk = text.slice(i * 330, (i + 1) * 330);
      const last = all.at(-1);
      const block = last?.kind === 'agent' ? last.blocks[0] : undefined;
      if (last?.kind !== 'agent' || block?.type !== 'text') throw new Error('The last entry is not an answer.');
      all = all.with(-1, { ...last, blocks: [{ ...block, text: block.text + chunk }] });
      transcript.apply([{ op: 'append', id: 'live', block: 0, text: chunk }], all);
      await frame();
    }
  },

  /** The same frames with nothing in them but one growing line. */
  async idleFrames(count: number): Promise<void> {
    const line = document.createElement('p');
    document.body.replaceChildren(line);
    for (let i = 0; i < count; i++) {
      line.textContent = `${i}`;
      await frame();
    }
  },
};

let entries: ViewEntry[] = [];
let transcript: Transcript;

declare global {
  var bench: typeof parts;
}
globalThis.bench = parts;
