const card = 'webview/permissionCard.ts';
const composer = 'webview/composer.tsx';
const transcript = 'webview/transcript.ts';
const markdown = 'streaming Markdown ';

/** @type {import('../faults.mjs').Table} */
export const view = {
  'Markdown streams into the DOM of a full render': [
    {
      file: 'webview/markdownStream.ts',
      find: 'if (isClosed(blocks, index, tail)) sureLine = Math.max(sureLine, block.end);',
      replace: 'sureLine = block.end;',
      test: `${markdown}ends with the DOM of a full render, whatever the text and the chunks`,
    },
    {
      file: 'webview/markdownStream.ts',
      find: 'if (!meet(fresh, labels)) continue;',
      replace: 'continue;',
      test: `${markdown}draws long lists, tables, code and many blocks as a full render does`,
    },
    {
      file: 'webview/markdownStream.ts',
      find: 'this.open.items += keep;\n    this.tailStart = at(line);',
      replace: 'this.open.items += keep;',
      test: `${markdown}draws long lists, tables, code and many blocks as a full render does`,
    },
    {
      file: 'webview/markdownStream.ts',
      find: 'if (standing) morph(standing, next);',
      replace: 'if (standing) standing.replaceWith(next);',
      test: `${markdown}keeps the elements that a selection or the focus may be in`,
    },
  ],
  'What an agent writes stays text': [
    {
      file: 'webview/markdownDom.ts',
      find: "if (token.content !== '') parent.append(token.content);\n        break;",
      replace: "parent.insertAdjacentHTML('beforeend', token.content);\n        break;",
      test: `${markdown}leaves raw HTML as text and runs nothing`,
    },
    {
      file: 'webview/markdown.ts',
      find: 'html: false',
      replace: 'html: true',
      test: `${markdown}leaves raw HTML as text and runs nothing`,
    },
    {
      file: 'webview/markdown.ts',
      find: "return isDriveLetter || scheme === 'http' || scheme === 'https' || scheme === 'file';",
      replace: "return scheme !== 'javascript';",
      test: `${markdown}links only to http, https and files`,
    },
    {
      file: 'webview/markdownDom.ts',
      find: "if (isDrawnImage(src)) return el('img', { src, alt });",
      replace: "return el('img', { src, alt });",
      test: `${markdown}draws pictures from the text only`,
    },
    {
      file: 'webview/actions.ts',
      find: 'event.preventDefault();',
      replace: '',
      test: 'transcript opens links, locations and diffs in the host, and never goes anywhere itself',
    },
    {
      file: 'webview/dom.ts',
      find: '.replace(deceptive, c => `\\\\u{${c.charCodeAt(0).toString(16)}}`)',
      replace: '',
      test: 'approval card makes a dressed-up title and option readable',
    },
  ],
  'A press that was meant for something else approves nothing': [
    {
      file: card,
      find: 'const deafFor = 500;',
      replace: 'const deafFor = 0;',
      test: 'approval card does not hear a click that was meant for what stood there before',
    },
    {
      file: card,
      find: 'this.pressedDeaf = !this.hears || repeated;',
      replace: 'this.pressedDeaf = repeated;',
      test: 'approval card does not hear a press that began too early',
    },
    {
      file: card,
      find: 'const repeated = event instanceof KeyboardEvent && event.repeat;',
      replace: 'const repeated = false;',
      test: 'approval card does not hear a key that was already down',
    },
    {
      file: card,
      find: "'data-option': optionId,",
      replace: "'data-option': kind,",
      test: 'approval card answers with the option that was pressed',
    },
  ],
  'The transcript follows the stream only at its end, and keeps its place': [
    {
      file: transcript,
      find: 'if (!this.following) return;',
      replace: '',
      test: 'transcript stays where the user went, to within 2 px, and follows again only at the end',
    },
    {
      file: transcript,
      find: 'else if (scrollTop < this.lastTop && !laidOut) this.setFollowing(false);',
      replace: '',
      test: 'transcript stays where the user went, to within 2 px, and follows again only at the end',
    },
    {
      file: 'webview/main.ts',
      find: 'transcript.reset(opening.state.entries, opening.memory.scroll);',
      replace: "transcript.reset(opening.state.entries, { at: 'bottom' });",
      test: 'transcript tells the host where it is, and comes back there',
    },
    {
      file: transcript,
      find: 'else this.buildLast();',
      replace:
        'else {\n      this.dropFar = () => {};\n      this.sections.forEach(section => this.buildSection(section));\n    }',
      test: 'transcript draws few of many entries, all in order, and others as they come near',
    },
    {
      file: transcript,
      find: 'this.sectionOf(op.entry.id)?.set(op.entry);',
      replace: '',
      test: 'transcript redraws only the entries that a patch names',
    },
  ],
  'What is typed is never lost, nor sent by an input method': [
    {
      file: composer,
      find: 'how some report the last of them.\n    if (event.isComposing || event.keyCode === 229) return;',
      replace: 'how some report the last of them.',
      test: 'composer leaves the keys of an input method alone',
    },
    {
      file: composer,
      find: "if (composer.draft.value === '') composer.draft.value = text;",
      replace: '',
      test: 'composer gives back what the host refuses',
    },
    {
      file: 'webview/main.ts',
      find: 'composer.draft.value ||= opening.memory.draft;',
      replace: 'composer.draft.value = opening.memory.draft;',
      test: 'composer keeps what is typed before the host has told its state',
    },
    {
      file: composer,
      find: "else if ((key === 'Enter' && !shiftKey && draft !== `/${chosen.name}`)",
      replace: "else if ((key === 'Enter' && !shiftKey)",
      test: 'composer sends a whole or an unknown command as it is, and lets the list be dismissed',
    },
    {
      file: 'webview/sessionOptions.tsx',
      find: 'value={props.value}\n        onChange',
      replace: 'onChange',
      test: 'composer shows a mode only when the agent has confirmed it',
    },
  ],
  'Find goes to every hit, drawn before or not': [
    {
      file: 'webview/find.tsx',
      find: 'const article = hit && this.transcript.reveal(hit.entryId);',
      replace: 'const article = hit && document.querySelector(`[data-id="${hit.entryId}"]`);',
      test: 'transcript finds over the whole conversation and marks the hits',
    },
  ],
  'Everybody can use it': [
    {
      file: 'webview/words.ts',
      find: "feed: 'Conversation'",
      replace: "feed: 'Messages'",
      test: 'transcript draws each kind of entry as an article with its name',
    },
    {
      file: 'webview/liveRegion.ts',
      find: "if (op.op === 'insert') for",
      replace: "if (op.op === 'append') this.say(op.text);\n      if (op.op === 'insert') for",
      test: 'transcript reads out what is finished, never the chunks',
    },
    {
      file: 'webview/dom.ts',
      find: "...(named ? {} : { 'aria-label': label, title: label }),",
      replace: '',
      test: 'looks axe-core finds nothing serious in vscode-dark',
    },
    {
      file: transcript,
      find: 'next.focus();',
      replace: '',
      test: 'transcript goes from article to article with the page keys',
    },
  ],
  'The view is small and fast': [
    {
      file: 'webview/main.ts',
      find: "import './styles.css';",
      replace: "import './styles.css';\nimport './grammars';",
      test: 'size of the view stays under 320 KB without what is loaded later',
    },
    {
      file: 'webview/markdownStream.ts',
      find: 'block && isClosed(blocks, closed, tail);',
      replace: 'block && tail.source.length > 40_000 && isClosed(blocks, closed, tail);',
      test: `${markdown}parses each byte of a long answer only a few times`,
    },
  ],
};
