import type { ViewEntry } from '../../../src/chat/view';

const words = 'the agent reads a file and changes what is there then runs every test again while you look at it'.split(
  ' ',
);

/** Always the same numbers. */
export function sequence(start: number): (below: number) => number {
  let state = start;
  return below => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function prose(next: (below: number) => number, count: number): string {
  return Array.from({ length: count }, () => {
    const word = words[next(words.length)] ?? '';
    const style = next(20);
    if (style === 0) return `**${word}**`;
    if (style === 1) return `\`${word}\``;
    return style === 2 ? `[${word}](src/${word}.ts)` : word;
  }).join(' ');
}

/** An answer as agents write them: headings, prose, lists, tables, code, quotes; about `size` characters. */
export function answer(size: number): string {
  const next = sequence(size);
  const parts: string[] = [];
  for (let length = 0; length < size; length += parts.at(-1)?.length ?? 0) parts.push(part(next));
  return parts.join('').slice(0, size);
}

function part(next: (below: number) => number): string {
  const rows = (line: (i: number) => string): string =>
    Array.from({ length: 3 + next(6) }, (_, i) => line(i)).join('\n');
  switch (next(8)) {
    case 0:
      return `## ${prose(next, 4)}\n\n`;
    case 1:
      return `${rows(() => `- ${prose(next, 8)}`)}\n\n`;
    case 2:
      return `${rows(i => `${i + 1}. ${prose(next, 10)}`)}\n\n`;
    case 3:
      return `\`\`\`ts\n${rows(i => `const value${i} = compute(${next(1000)}); // ${words[next(words.length)]}`)}\n\`\`\`\n\n`;
    case 4:
      return `| a | b | c |\n|---|:-:|--:|\n${rows(() => `| ${prose(next, 2)} | ${prose(next, 3)} | ${next(100)} |`)}\n\n`;
    case 5:
      return `> ${prose(next, 15)}\n\n`;
    default:
      return `${prose(next, 30 + next(50))}\n\n`;
  }
}

/** A long session: questions, answers, tool calls. The last entry is an answer that is still open. */
export function session(count: number): ViewEntry[] {
  const next = sequence(count);
  const entries = Array.from({ length: count - 1 }, (_, i): ViewEntry => {
    const base = { id: `e${i}`, turn: i };
    if (i % 10 === 0) return { ...base, kind: 'user', blocks: [{ type: 'text', text: prose(next, 12) }] };
    if (i % 3 === 0)
      return {
        ...base,
        kind: 'tool',
        title: prose(next, 4),
        toolKind: 'execute',
        status: 'completed',
        locations: [],
        permissions: [],
        hasRaw: false,
        content: [{ type: 'output', text: 'one line\nanother\n', clipped: false }],
      };
    const text = Array.from({ length: 1 + next(3) }, () => part(next)).join('');
    return { ...base, kind: 'agent', open: false, blocks: [{ type: 'text', text }] };
  });
  return [
    ...entries,
    { id: 'live', turn: count, kind: 'agent', open: true, blocks: [{ type: 'text', text: 'Begin.' }] },
  ];
}
