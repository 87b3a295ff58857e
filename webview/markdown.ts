import createMarkdownIt, { type Token } from 'markdown-it';

/** A top-level block of a text: its tokens, and the lines `[start, end)` that it takes. */
export interface Block {
  tokens: readonly Token[];
  type: string;
  start: number;
  end: number;
}

/** What a link definition gives (`[label]: href "title"`). */
export interface Reference {
  href: string;
  title: string;
}

export type References = Record<string, Reference>;

export interface Parsed {
  blocks: readonly Block[];
  /** Definitions in the order of the text; for a label that is defined twice the first counts. */
  definitions: readonly { label: string; line: number; reference: Reference }[];
}

const parser = createMarkdownIt({ html: false, linkify: false, typographer: false });
// Definitions stay among the tokens: where they stand decides when they count.
parser.core.ruler.disable('strip_references');
parser.validateLink = href => isAllowedLink(href) || isDrawnImage(href);

/**
 * Cuts a text into its top-level blocks.
 * @param text Markdown; line ends are `\n`
 * @param known definitions from before the text; they win over those in it
 */
export function parseBlocks(text: string, known: References): Parsed {
  const references = Object.create(known) as References;
  const tokens = parser.parse(text, { references });
  const blocks: Block[] = [];
  const definitions: { label: string; line: number; reference: Reference }[] = [];
  let first = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'reference_definition') {
      const label = String((token.meta as { label: unknown } | null)?.label);
      const reference = references[label];
      if (reference) definitions.push({ label, line: token.map?.[0] ?? 0, reference });
    } else if (token.level === 0 && token.nesting <= 0) {
      const opening = tokens[first];
      if (opening?.map)
        blocks.push({
          tokens: tokens.slice(first, index + 1),
          type: opening.type,
          start: opening.map[0],
          end: opening.map[1],
        });
    }
    if (token.level === 0 && token.nesting <= 0) first = index + 1;
  }
  return { blocks, definitions };
}

/** The labels that a block may refer to, in the form in which definitions are kept; a superset is fine. */
export function labelsOf(tokens: readonly Token[]): string[] {
  const labels: string[] = [];
  for (const token of tokens) {
    if (token.type !== 'inline' || !token.content.includes('[')) continue;
    for (const match of token.content.matchAll(/(?=\[((?:[^[\]\\]|\\[\s\S])+)\])/g))
      labels.push(parser.utils.normalizeReference(match[1] ?? ''));
  }
  return labels;
}

/** `http`, `https`, `file`, and paths without a scheme; no other scheme and no address within the page. */
export function isAllowedLink(href: string): boolean {
  const address = href.trim();
  if (address === '' || /^([#?]|[/\\]{2})/.test(address)) return false;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined) return !address.slice(0, address.search(/[/?#]|$/)).includes(':');
  const isDriveLetter = scheme.length === 1;
  return isDriveLetter || scheme === 'http' || scheme === 'https' || scheme === 'file';
}

/** Pictures that come in the text itself. Nothing is ever loaded from elsewhere. */
export function isDrawnImage(src: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp|bmp);base64,/i.test(src);
}
