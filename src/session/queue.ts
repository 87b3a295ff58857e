import type { QueuedPrompt } from '../chat/view';

/** Prompts that wait to be sent, in order. While it is held nothing is sent: the user has to ask for it. */
export class PromptQueue {
  private items: readonly QueuedPrompt[];
  private isHeld: boolean;

  constructor(
    kept: readonly QueuedPrompt[],
    private readonly onChange: (items: readonly QueuedPrompt[]) => void,
  ) {
    this.items = kept.map(({ id, text }) => ({ id, text }));
    this.isHeld = kept.length > 0;
  }

  get held(): boolean {
    return this.isHeld;
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** What is shown: a held prompt is marked. */
  get prompts(): readonly QueuedPrompt[] {
    return this.isHeld ? this.items.map(item => ({ ...item, held: true })) : this.items;
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
  }

  add(text: string): void {
    this.set([...this.items, { id: crypto.randomUUID(), text }]);
  }

  addFirst(text: string): void {
    this.set([{ id: crypto.randomUUID(), text }, ...this.items]);
  }

  edit(id: string, text: string): void {
    if (text.trim() === '') this.remove(id);
    else this.set(this.items.map(item => (item.id === id ? { ...item, text } : item)));
  }

  remove(id: string): void {
    this.set(this.items.filter(item => item.id !== id));
  }

  takeFirst(): string | undefined {
    const [first, ...rest] = this.items;
    if (first) this.set(rest);
    return first?.text;
  }

  private set(items: readonly QueuedPrompt[]): void {
    this.items = items;
    this.onChange(items);
  }
}
