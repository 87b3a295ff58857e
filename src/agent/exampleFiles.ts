import { readdir } from 'node:fs/promises';
import { extname, isAbsolute, join, resolve } from 'node:path';
import type { Turn } from './exampleTurn';

const wanted = ['.ts', '.js', '.mjs', '.py', '.go', '.rs', '.java', '.c', '.css', '.html', '.md', '.txt'];
const ignored = new Set(['node_modules', 'dist', 'out', 'build']);

/** A text file of the folder, always the same one: source files come before documents. */
export async function pickFile(folder: string): Promise<string | undefined> {
  const files = await listFiles(folder, 3);
  const rank = (path: string): number => wanted.indexOf(extname(path));
  return files.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))[0];
}

async function listFiles(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const lists = entries
    .filter(entry => !entry.name.startsWith('.') && !ignored.has(entry.name))
    .map(async entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 1 ? listFiles(path, depth - 1) : [];
      return entry.isFile() && wanted.includes(extname(entry.name)) ? [path] : [];
    });
  return (await Promise.all(lists)).flat();
}

export interface Edit {
  path: string;
  /** Absent for a new file. */
  before?: string;
  after: string;
}

/** The change that is proposed: a line is added at the end, or taken away again. */
export async function editOf(turn: Turn, argument: string): Promise<Edit> {
  const { cwd } = turn.session;
  const named = argument && (isAbsolute(argument) ? argument : resolve(cwd, argument));
  const path = named || (await pickFile(cwd)) || join(cwd, 'example.md');
  const line = lineFor(path);
  const before = await turn.readIfThere(path);
  if (before === undefined) return { path, after: line };
  if (before.endsWith(line)) return { path, before, after: before.slice(0, -line.length) };
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return { path, before, after: `${before}${gap}${line}` };
}

function lineFor(path: string): string {
  const text = 'A line from the Example agent.';
  switch (extname(path)) {
    case '.md':
    case '.txt':
      return `${text}\n`;
    case '.py':
      return `# ${text}\n`;
    case '.css':
      return `/* ${text} */\n`;
    case '.html':
      return `<!-- ${text} -->\n`;
    default:
      return `// ${text}\n`;
  }
}
