import { CodeBlock } from './codeBlock';

/**
 * Makes `old` look like `next` with as few changes as possible, so that a selection or the focus in a text that
 * still streams stays where it is. Elements of different kinds are replaced.
 */
export function morph(old: Element, next: Element): void {
  const oldCode = CodeBlock.of(old);
  const nextCode = CodeBlock.of(next);
  if (oldCode?.root === old && nextCode?.root === next && extendCode(oldCode, nextCode)) return;
  if (old.tagName !== next.tagName || old.className !== next.className || oldCode || nextCode) {
    old.replaceWith(next);
    return;
  }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  morphChildren(old, next);
}

function morphChildren(old: Element, next: Element): void {
  const wanted = [...next.childNodes];
  while (old.childNodes.length > wanted.length) old.lastChild?.remove();
  for (const [index, child] of wanted.entries()) {
    const standing = old.childNodes[index];
    if (!standing) old.append(child);
    else if (standing instanceof Text && child instanceof Text) setText(standing, child.data);
    else if (standing instanceof Element && child instanceof Element) morph(standing, child);
    else standing.replaceWith(child);
  }
}

function setText(node: Text, data: string): void {
  if (node.data === data) return;
  if (data.startsWith(node.data)) node.appendData(data.slice(node.data.length));
  else node.data = data;
}

function extendCode(old: CodeBlock, next: CodeBlock): boolean {
  if (old.language !== next.language || !next.text.startsWith(old.text)) return false;
  old.append(next.text.slice(old.text.length));
  return true;
}
