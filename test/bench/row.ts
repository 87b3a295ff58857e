/** One line of `npm run bench`. Each file in this folder that exports `run(): Promise<Row[]>` is a benchmark. */
export interface Row {
  name: string;
  /** What was measured, with its unit; a ratio or a count where that is possible. */
  value: string;
  /** What it has to keep, or `-`. */
  bar: string;
  ok: boolean;
}
