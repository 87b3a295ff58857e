import { el } from './dom';
import { morph } from './morph';

export type Cell = HTMLTableCellElement;

const rowsPerTable = 200;

/** A table that grows. Beyond 200 rows it goes on in a further one, since a browser lays a table out as a whole. */
export class TableView {
  readonly root = el('div', { class: 'table', tabindex: '0' });
  private count = 0;

  constructor(head: readonly Cell[]) {
    this.root.append(el('table', {}, el('thead', {}, el('tr', {}, ...head))));
  }

  /** Replaces the rows from `from` on. */
  setRows(from: number, rows: readonly (readonly Cell[])[]): void {
    this.trim(Math.min(this.count, from + rows.length));
    for (const [index, cells] of rows.entries()) {
      const row = el('tr', {}, ...cells);
      const at = from + index;
      const standing = at < this.count ? this.body(at)?.children[at % rowsPerTable] : undefined;
      if (standing) morph(standing, row);
      else this.add(row);
    }
    this.root.classList.toggle('long', this.count > rowsPerTable);
  }

  row(index: number): Element | undefined {
    return this.body(index)?.children[index % rowsPerTable];
  }

  private body(index: number): Element | undefined {
    return this.root.children[Math.floor(index / rowsPerTable)]?.querySelector('tbody') ?? undefined;
  }

  private add(row: HTMLElement): void {
    if (this.count > 0 && this.count % rowsPerTable === 0) this.root.append(el('table'));
    let body = this.body(this.count);
    if (!body) body = this.root.lastElementChild?.appendChild(el('tbody'));
    body?.append(row);
    this.count++;
  }

  private trim(count: number): void {
    while (this.count > count) {
      this.count--;
      const body = this.body(this.count);
      body?.lastElementChild?.remove();
      if (this.count % rowsPerTable !== 0) continue;
      if (this.count === 0) body?.remove();
      else this.root.lastElementChild?.remove();
    }
  }
}
