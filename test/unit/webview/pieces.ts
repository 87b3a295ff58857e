// The entry of a page that gives tests the parts of the view by themselves.
import { AnsiOutput } from '../../../webview/ansi';
import { isAllowedLink } from '../../../webview/markdown';
import { renderMarkdown } from '../../../webview/markdownDom';
import { MarkdownStream } from '../../../webview/markdownStream';

declare global {
  var pieces: typeof parts;
}

const parts = { AnsiOutput, MarkdownStream, isAllowedLink, renderMarkdown };
globalThis.pieces = parts;
