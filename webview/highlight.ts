import type { ElementContent, Root } from 'hast';
import { CodeBlock } from './codeBlock';
import type * as Grammars from './grammars';
import type { Run } from './lineChunks';

/** Longer code stays plain. */
const limit = 100_000;

const waiting: CodeBlock[] = [];
let grammars: Promise<typeof Grammars> | undefined;
let busy = false;

/** Colours the finished code in `element` when there is nothing better to do. The language is never guessed. */
export function highlightLater(element: Element): void {
  const own = CodeBlock.of(element);
  const blocks = own ? [own] : [...element.querySelectorAll('.code')].flatMap(root => CodeBlock.of(root) ?? []);
  for (const block of blocks)
    if (block.language !== '' && block.text.length > 0 && block.text.length <= limit) waiting.push(block);
  if (waiting.length > 0 && !busy) {
    busy = true;
    void work();
  }
}

async function work(): Promise<void> {
  try {
    grammars ??= import('./grammars');
    const { highlight } = await grammars;
    // The latest first: it is the most likely to be looked at.
    for (let block = waiting.pop(); block; block = waiting.pop()) {
      await new Promise(resolve => requestIdleCallback(resolve, { timeout: 2000 }));
      if (!block.root.isConnected) continue;
      const tree = highlight(block.language.toLowerCase(), block.text);
      if (tree) block.paint(runsOf(tree));
    }
  } catch {
    // Without its grammars the code is plain.
    waiting.length = 0;
  } finally {
    busy = false;
  }
}

function* runsOf(tree: Root | ElementContent, className = ''): Generator<Run> {
  if (tree.type === 'text') yield className ? { text: tree.value, className } : { text: tree.value };
  else if (tree.type === 'element' || tree.type === 'root') {
    const own = tree.type === 'element' ? tree.properties['className'] : undefined;
    const name = Array.isArray(own) ? own.join(' ') : className;
    for (const child of tree.children) if (child.type !== 'doctype') yield* runsOf(child, name);
  }
}
