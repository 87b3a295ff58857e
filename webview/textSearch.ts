/** Parts of the view's own words that are not text of the conversation. */
const ours = 'button, vscode-button, .codeBar, .hiddenText, .status';

/** Where `query` stands in the text of an element: case-insensitive, literal, also across elements. */
export function rangesOf(root: Element, query: string): Range[] {
  const wanted = fold(query);
  if (wanted === '') return [];
  const nodes = textNodes(root);
  const starts: number[] = [];
  let text = '';
  for (const node of nodes) {
    starts.push(text.length);
    text += node.data;
  }
  const folded = fold(text);
  const ranges: Range[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length))
    ranges.push(rangeBetween(nodes, starts, at, at + wanted.length));
  return ranges;
}

function textNodes(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && !node.parentElement?.closest(ours)) nodes.push(node);
  return nodes;
}

/** Lower case where that does not change the length, so that positions stay. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, i) => {
    const one = text.charAt(i).toLowerCase();
    return one.length === 1 ? one : text.charAt(i);
  }).join('');
}

function rangeBetween(nodes: readonly Text[], starts: readonly number[], from: number, to: number): Range {
  const range = document.createRange();
  const first = starts.findLastIndex(start => start <= from);
  const last = starts.findLastIndex(start => start < to);
  const [firstNode, lastNode] = [nodes[first], nodes[last]];
  if (firstNode) range.setStart(firstNode, from - (starts[first] ?? 0));
  if (lastNode) range.setEnd(lastNode, to - (starts[last] ?? 0));
  return range;
}
