/** What the scripted model says in one answer: text, then at most one tool call, which leads to the next step. */
export interface Step {
  text: string;
  call?: Call;
}

/** In words that the two agents share; the dialect has the names of their tools. */
export type Call =
  | { tool: 'read'; arguments: { file_path: string } }
  | { tool: 'edit'; arguments: { file_path: string; old_string: string; new_string: string } };

export type Scripts = Readonly<Record<string, readonly Step[]>>;

/** The last marker `[[portside:name]]` of a text gives the name of the script. */
export function scriptNameIn(text: string): string | undefined {
  return [...text.matchAll(/\[\[portside:([\w-]+)\]\]/g)].at(-1)?.[1];
}

export interface Edit {
  /** Absolute. */
  file: string;
  before: string;
  after: string;
}

/** Markdown of several kinds, and characters of two to four bytes. */
export const answer = [
  '## Done',
  '',
  'The file is **changed**:',
  '',
  '```js',
  'const done = true;',
  '```',
  '',
  '- read',
  '- edited: naïve café, 日本語 🎉',
].join('\n');

/** A whole turn: reads the file, edits it, sums up. */
export function turnScript({ file, before, after }: Edit): readonly Step[] {
  return [
    { text: 'I read the file first.', call: { tool: 'read', arguments: { file_path: file } } },
    {
      text: 'Now I edit it.',
      call: { tool: 'edit', arguments: { file_path: file, old_string: before, new_string: after } },
    },
    { text: answer },
  ];
}
