/**
 * Places inside a message. Most of a long one is laid out only near the screen and has a guessed height elsewhere, so a
 * place in it is one of its blocks (paragraphs, lists...), by number.
 */

/** The first block of an article that reaches below `y` on the screen. */
export function blockAt(article: Element, y: number): { index: number; element: Element } | undefined {
  let before = 0;
  for (const group of article.querySelectorAll('.blocks')) {
    // A look at the blocks themselves would lay out all of them.
    if (group.getBoundingClientRect().bottom > y) {
      for (const [index, element] of [...group.children].entries())
        if (element.getBoundingClientRect().bottom > y) return { index: before + index, element };
      return undefined;
    }
    before += group.children.length;
  }
  return undefined;
}

export function blockOf(article: Element, block: number | undefined): Element | undefined {
  if (block === undefined) return undefined;
  let index = block;
  for (const group of article.querySelectorAll('.blocks')) {
    if (index < group.children.length) return group.children[index];
    index -= group.children.length;
  }
  return undefined;
}
