import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { knownCommands } from '../../src/agents/catalogue';
import { CommandSearch } from '../../src/node/which';
import type { Row } from './row';

const folderCount = 40;
const filesInFolder = 50;

/**
 * All known commands against a PATH of 40 folders, with a third of them installed: in process, first and again, and by
 * one `which` per command, all at once, in the same run.
 */
export async function run(): Promise<Row[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'detection-'));
  try {
    const folders = makeFolders(root);
    const cold = await median(5, async () => {
      await new CommandSearch(process.platform).find(knownCommands, folders);
    });
    const search = new CommandSearch(process.platform);
    const found = await search.find(knownCommands, folders);
    const warm = await median(15, async () => {
      await search.find(knownCommands, folders);
    });
    const spawned = await median(3, async () => {
      const answers = await Promise.all(knownCommands.map(command => which(command, folders)));
      const hits = answers.filter(answer => answer !== '').length;
      if (hits !== found.size) throw new Error(`which finds ${hits} commands, the search finds ${found.size}`);
    });
    const asked = `${knownCommands.length} commands, ${folderCount} folders`;
    return [
      ratio(`detection, first time / one which per command (${asked})`, cold, spawned, 0.2),
      ratio(`detection, again / one which per command (${asked})`, warm, spawned, 0.1),
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}

function makeFolders(root: string): string[] {
  const folders = Array.from({ length: folderCount }, (_, index) => path.join(root, `bin${index}`));
  const installed = knownCommands.filter((_, index) => index % 3 === 0);
  for (const [index, folder] of folders.entries()) {
    mkdirSync(folder);
    for (let file = 0; file < filesInFolder; file += 1)
      writeFileSync(path.join(folder, `tool${file}`), '', { mode: 0o755 });
    for (const command of installed.filter((_, at) => at % folderCount === index))
      writeFileSync(path.join(folder, command), '#!/bin/sh\n', { mode: 0o755 });
  }
  return folders;
}

function which(command: string, folders: readonly string[]): Promise<string> {
  const program = process.platform === 'win32' ? 'where.exe' : '/usr/bin/which';
  const env = { PATH: folders.join(path.delimiter) };
  return new Promise(resolve => execFile(program, [command], { env }, (_error, stdout) => resolve(stdout.trim())));
}

async function median(rounds: number, task: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await task();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

function ratio(name: string, ms: number, baseMs: number, bar: number): Row {
  const value = ms / baseMs;
  return {
    name,
    value: `${value.toFixed(3)} (${ms.toFixed(1)} / ${baseMs.toFixed(0)} ms)`,
    bar: `<= ${bar}`,
    ok: value <= bar,
  };
}
