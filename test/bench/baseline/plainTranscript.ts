import createMarkdownIt from 'markdown-it';
import type { ViewEntry } from '../../../src/chat/view';

// A transcript as plain DOM: every entry is there from the beginning.

const parser = createMarkdownIt({ html: false, linkify: false, typographer: false });

export function plainTranscript(feed: HTMLElement, entries: readonly ViewEntry[]): void {
  feed.replaceChildren(...entries.map(drawEntry));
}

function drawEntry(entry: ViewEntry): HTMLElement {
  const article = document.createElement('article');
  article.className = `entry ${entry.kind}`;
  article.dataset['id'] = entry.id;
  if (entry.kind === 'user' || entry.kind === 'agent') {
    const text = entry.blocks.map(block => (block.type === 'text' ? block.text : '')).join('');
    const holder = document.createElement('div');
    holder.className = entry.kind === 'user' ? 'bubble typed' : 'message markdown';
    if (entry.kind === 'user') holder.textContent = text;
    else holder.innerHTML = parser.render(text);
    article.append(holder);
  } else if (entry.kind === 'tool') {
    const head = document.createElement('div');
    head.className = 'toolHead';
    for (const [name, text] of [['kind', ''], ['title', entry.title], ['status', 'Done']] as const) {
      const part = document.createElement('span');
      part.className = name;
      part.textContent = text;
      head.append(part);
    }
    article.append(head);
    for (const item of entry.content) {
      const output = document.createElement('pre');
      output.className = 'output';
      output.textContent = item.type === 'output' ? item.text : '';
      article.append(output);
    }
  }
  return article;
}
