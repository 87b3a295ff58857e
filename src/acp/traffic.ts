import { Emitter } from '../base/lifecycle';
import { asNumber, asString, isObject } from '../base/json';
import type { TrafficRecord } from './ports';
import { maskSecrets, maskText } from './secrets';

/**
 * The last messages between us and an agent. Secrets are masked on the way out: nothing but `records`, `toJsonl` and
 * `toText` gives the content away.
 */
export class TrafficLog {
  private kept: { record: TrafficRecord; size: number }[] = [];
  private size = 0;
  private readonly added = new Emitter<void>();
  readonly onDidAdd = this.added.event;

  constructor(private readonly limit: { records: number; characters: number } = { records: 5000, characters: 16e6 }) {}

  add(record: TrafficRecord): void {
    const size = sizeOf(record.message) + (record.text?.length ?? 0);
    this.kept.push({ record, size });
    this.size += size;
    if (this.kept.length > this.limit.records * 1.25 || this.size > this.limit.characters) this.trim();
    this.added.fire();
  }

  /** Oldest first, masked. */
  records(): TrafficRecord[] {
    return this.kept.map(({ record }) => masked(record));
  }

  /** One JSON object per line: the fields of `TrafficRecord`. */
  toJsonl(): string {
    return this.records()
      .map(record => `${JSON.stringify(record)}\n`)
      .join('');
  }

  /** For reading: a line with time and direction, then the message; the newest is last. */
  toText(): string {
    return this.records().map(recordToText).join('\n');
  }

  /** The newest record always stays. */
  private trim(): void {
    let from = Math.max(0, this.kept.length - this.limit.records);
    let size = this.kept.slice(from).reduce((sum, { size }) => sum + size, 0);
    for (; size > this.limit.characters && from < this.kept.length - 1; from += 1) size -= this.kept[from]?.size ?? 0;
    this.kept = this.kept.slice(from);
    this.size = size;
  }
}

const arrows: Record<TrafficRecord['direction'], string> = {
  toAgent: '→ to agent',
  fromAgent: '← from agent',
  noise: '← stdout (no message)',
  stderr: '← stderr',
};

function recordToText({ at, direction, message, text }: TrafficRecord): string {
  const time = new Date(at).toISOString().slice(11, 23);
  return `${time} ${arrows[direction]}\n${text ?? JSON.stringify(message, null, 2)}\n`;
}

/** Reads what `toJsonl` wrote. Lines that are no records are left out. */
export function parseTraffic(jsonl: string): TrafficRecord[] {
  return jsonl.split('\n').flatMap(line => {
    try {
      return readRecord(JSON.parse(line)) ?? [];
    } catch {
      return [];
    }
  });
}

function readRecord(value: unknown): TrafficRecord | undefined {
  if (!isObject(value)) return undefined;
  const at = asNumber(value['at']);
  const direction = asString(value['direction']);
  if (at === undefined || !isDirection(direction)) return undefined;
  const text = asString(value['text']);
  return text === undefined ? { at, direction, message: value['message'] } : { at, direction, text };
}

function isDirection(text: string | undefined): text is TrafficRecord['direction'] {
  return text !== undefined && Object.hasOwn(arrows, text);
}

function masked(record: TrafficRecord): TrafficRecord {
  return record.text === undefined
    ? { ...record, message: maskSecrets(record.message) }
    : { ...record, text: maskText(record.text) };
}

/** Characters of all texts in a value, and something for each part of it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const [name, field] of Object.entries(value)) size += name.length + sizeOf(field);
  return size;
}
