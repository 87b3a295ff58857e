// What the Example agent says. Always the same, so that tests can compare.

export const introduction = `I am the **Example agent**: a program that comes with Portside and shows what an agent can do. I have no language model; I answer with fixed texts.

To add a real agent, put its command into the setting \`portside.agents\`, for example:

\`\`\`json
"portside.agents": {
  "my-agent": { "name": "My agent", "command": "my-agent", "args": ["--acp"] }
}
\`\`\`

Then run **Portside: New Session…** and choose it.

`;

const paragraphs = [
  'The quick brown fox jumps over the lazy dog, and *some* of these words are **set apart**, with `code` in between.\n\n',
  '## A heading, number %\n\n',
  '- a list item with a [link](https://example.com/%)\n- another one\n  - and one that is nested\n- the last of them\n\n',
  '```ts\nexport function add%(left: number, right: number): number {\n  return left + right;\n}\n```\n\n',
  '| name | value |\n| --- | ---: |\n| row % | 42 |\n| another | 7 |\n\n',
  '> A quotation, which may be as long as it likes, and wraps when the line is full.\n\n',
  '1. first\n2. second\n3. third\n\n',
  'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. 漢字とかな。 🚀\n\n',
];

/** Varied Markdown of exactly `characters` characters (UTF-16 units). */
export function longMarkdown(characters: number): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < characters; index += 1) {
    const part = (paragraphs[index % paragraphs.length] ?? '').replaceAll('%', String(index + 1));
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, characters);
}

/** Cuts a text into pieces of about `size` characters; no character is cut in two. */
export function pieces(text: string, size: number): string[] {
  const result: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + size);
    const unit = text.charCodeAt(end);
    if (unit >= 0xdc00 && unit <= 0xdfff) end += 1;
    result.push(text.slice(start, end));
    start = end;
  }
  return result;
}

export const tourText = {
  thought: 'The user wants to see what an agent can do. I will look at a file, plan, and propose a small change.',
  opening:
    '# A short tour\n\nThis text **streams** in, while it is written. Next comes a plan, then I read a file.\n\n',
  reading: (name: string, lines: number): string =>
    `I have read \`${name}\`: it has ${lines} ${lines === 1 ? 'line' : 'lines'}. Now I propose a change. It is made only if you allow it.\n\n`,
  closing:
    'That was the tour.\n\n| shown | how |\n| --- | --- |\n| text | streamed Markdown |\n| plan | replaced in place |\n| edit | with your approval |\n\n```js\nconsole.log("done");\n```\n',
};
