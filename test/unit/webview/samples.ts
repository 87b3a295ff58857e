import type { ViewDiff, ViewEntry, ViewPermission } from '../../../src/chat/view';

export const agentMessage = (id: string, text: string, open = false): ViewEntry => ({
  id,
  turn: 1,
  kind: 'agent',
  open,
  blocks: [{ type: 'text', text }],
});

export const userMessage = (id: string, text: string): ViewEntry => ({
  id,
  turn: 1,
  kind: 'user',
  blocks: [{ type: 'text', text }],
});

export const toolCall = (
  id: string,
  title: string,
  more: Partial<Extract<ViewEntry, { kind: 'tool' }>> = {},
): ViewEntry => ({
  id,
  turn: 1,
  kind: 'tool',
  title,
  toolKind: 'execute',
  status: 'completed',
  content: [],
  locations: [],
  permissions: [],
  hasRaw: false,
  ...more,
});

export const diff: ViewDiff = {
  index: 0,
  path: '/w/src/greet.ts',
  label: 'src/greet.ts',
  isNew: false,
  added: 3,
  removed: 1,
  partial: false,
  preview: [
    ' export function greet(name: string): string {',
    '-  return "Hello " + name;',
    '+  const who = name.trim();',
    '+  if (who === "") throw new Error("A name is needed to greet somebody");',
    '+  return `Hello ${who}`;',
    ' }',
  ],
};

export const permission = (more: Partial<ViewPermission> = {}): ViewPermission => ({
  requestId: 'r1',
  state: 'pending',
  subject: 'npm test -- --grep "greets"\nrm -rf node_modules/.cache',
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    { optionId: 'never', name: 'Never', kind: 'reject_always' },
    { optionId: 'odd', name: 'Something else', kind: 'allow_persistent' },
  ],
  ...more,
});

export const markdown = `Here is what I found in **greet.ts**.

## The problem

The function \`greet\` joins strings without looking at them, see [the file](src/greet.ts) or [the manual](https://example.com/docs).

1. An empty name gives \`Hello \`.
2. White space stays:
   - before the name
   - after it

> Names are data, not decoration.

\`\`\`ts
// Says hello to somebody.
export function greet(name: string): string {
  const who = name.trim();
  if (who === '') throw new Error('A name is needed');
  return \`Hello \${who}, you are number \${42}\`;
}
\`\`\`

| Case | Before | After |
|------|:------:|------:|
| empty | \`Hello \` | error |
| \`" Ann "\` | \`Hello  Ann \` | \`Hello Ann\` |

<b>raw</b> stays text. ~~Done~~`;

/** One of everything. */
export const everything: readonly ViewEntry[] = [
  userMessage('u1', 'Please make greet() refuse empty names.\nAnd run the tests.'),
  {
    id: 't1',
    turn: 1,
    kind: 'thought',
    open: false,
    blocks: [{ type: 'text', text: 'I should read the file **first**.' }],
  },
  {
    id: 'p1',
    turn: 1,
    kind: 'plan',
    entries: [
      { content: 'Read greet.ts', priority: 'high', status: 'completed' },
      { content: 'Change it so that empty names are refused', priority: 'medium', status: 'in_progress' },
      { content: 'Run the tests', priority: 'low', status: 'pending' },
    ],
  },
  toolCall('k1', 'Read src/greet.ts', {
    toolKind: 'read',
    locations: [{ path: '/w/src/greet.ts', line: 12, label: 'src/greet.ts' }],
    content: [{ type: 'block', block: { type: 'text', text: 'export function greet() {}' } }],
    hasRaw: true,
  }),
  toolCall('k2', 'Edit src/greet.ts', {
    toolKind: 'edit',
    content: [{ type: 'diff', diff }],
    locations: [{ path: '/w/src/greet.ts', line: 1, label: 'src/greet.ts' }],
  }),
  agentMessage('a1', markdown),
  toolCall('k3', 'npm test', {
    status: 'failed',
    content: [
      {
        type: 'output',
        clipped: true,
        exit: 'Exit code 1',
        text: '\u001b[1m> sample@1.0.0 test\u001b[0m\n\n  \u001b[32m✓\u001b[0m greets\n  \u001b[31m1) refuses an empty name\u001b[0m\n',
      },
    ],
  }),
  toolCall('k4', 'npm test -- --grep "greets"', { status: 'pending', permissions: [permission()] }),
  {
    id: 'w1',
    turn: 1,
    kind: 'write',
    diff: { ...diff, path: '/w/src/new.ts', label: 'src/new.ts', isNew: true, removed: 0 },
  },
  {
    id: 'n1',
    turn: 1,
    kind: 'note',
    severity: 'warning',
    text: 'The turn was interrupted.',
    actions: ['continue'],
  },
  {
    id: 'e1',
    turn: 1,
    kind: 'error',
    code: 'spawnFailed',
    message: 'Example Agent ended with exit code 3.',
    details: 'Command: node agent.js\nFolder: /w\nlast lines of stderr',
    actions: ['retry', 'showLog', 'openSettings'],
  },
  { id: 'x1', turn: 1, kind: 'unknown', label: 'weather_report', raw: '{ "sky": "blue" }' },
];
