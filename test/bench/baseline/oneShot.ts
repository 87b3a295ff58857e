import createMarkdownIt from 'markdown-it';

// What everybody would write first: the whole text through the parser, the result into the page.

const parser = createMarkdownIt({ html: false, linkify: false, typographer: false });

export function oneShot(root: HTMLElement, text: string): void {
  root.className = 'markdown';
  root.innerHTML = parser.render(text);
}
